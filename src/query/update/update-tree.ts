import { compareUpdateNames } from './field-update.js'
import type { FieldUpdate, UpdateSegment } from './field-update.js'

/** Updates by their paths, so that each object and array on a path is copied once. */
export interface UpdateNode {
  /** The update of the value itself. A node with one has no children. */
  update: FieldUpdate | undefined
  /** The updates in fields or at positions, by name, in the order in which they are applied. */
  readonly children: Map<string, UpdateChild>
  /** The updates of the elements that array filters select, by identifier. */
  readonly elements: Map<string, UpdateNode>
}

/** The updates in a field, or at a position of an array. */
export interface UpdateChild {
  readonly segment: UpdateSegment
  readonly node: UpdateNode
}

const createNode = (): UpdateNode => ({
  update: undefined,
  children: new Map(),
  elements: new Map(),
})

/**
 * Builds the tree of updates, which are sorted by their paths.
 * @throws BodyInvalid for two paths that are equal, or of which one starts with the other, and for
 * an array with both positions and array filters
 */
export function buildUpdateTree(updates: readonly FieldUpdate[]): UpdateNode {
  const root = createNode()
  for (const update of updates) {
    let node = root
    for (const segment of update.segments) {
      const isBlocked =
        node.update !== undefined ||
        (segment.identifier === undefined ? node.elements.size : node.children.size) > 0
      if (isBlocked) throw createConflict(update)
      node = enter(node, segment)
    }
    if (!isEmpty(node)) throw createConflict(update)
    node.update = update
  }
  return root
}

const createConflict = ({ path }: FieldUpdate): Error =>
  path.error('must not be changed twice in one update')

const isEmpty = ({ update, children, elements }: UpdateNode): boolean =>
  update === undefined && children.size === 0 && elements.size === 0

function enter({ children, elements }: UpdateNode, segment: UpdateSegment): UpdateNode {
  const { name, identifier } = segment
  const existing = identifier === undefined ? children.get(name)?.node : elements.get(identifier)
  if (existing !== undefined) return existing
  const node = createNode()
  if (identifier === undefined) children.set(name, { segment, node })
  else elements.set(identifier, node)
  return node
}

/**
 * Merges the updates of two array filters that select the same element.
 * @throws BodyInvalid if their paths conflict
 */
export function mergeNodes(a: UpdateNode, b: UpdateNode): UpdateNode {
  const [first] = listUpdates(b)
  const conflicts =
    (a.update !== undefined && !isEmpty(b)) ||
    (b.update !== undefined && !isEmpty(a)) ||
    (a.children.size > 0 && b.elements.size > 0) ||
    (a.elements.size > 0 && b.children.size > 0)
  if (conflicts && first !== undefined) throw createConflict(first)
  const merged: UpdateNode = {
    update: a.update ?? b.update,
    children: new Map(),
    elements: new Map(a.elements),
  }
  const children = [...a.children.values(), ...b.children.values()]
  for (const { segment, node } of children.toSorted((x, y) =>
    compareUpdateNames(x.segment, y.segment),
  )) {
    const other = merged.children.get(segment.name)?.node
    merged.children.set(segment.name, {
      segment,
      node: other === undefined ? node : mergeNodes(other, node),
    })
  }
  for (const [identifier, node] of b.elements) {
    const other = merged.elements.get(identifier)
    merged.elements.set(identifier, other === undefined ? node : mergeNodes(other, node))
  }
  return merged
}

/** Returns the updates of a node and below it. */
export const listUpdates = ({ update, children, elements }: UpdateNode): readonly FieldUpdate[] => [
  ...(update === undefined ? [] : [update]),
  ...[...children.values()].flatMap(({ node }) => listUpdates(node)),
  ...[...elements.values()].flatMap(listUpdates),
]
