import { groupBy } from '@materials-mock/json'
import { compareValues } from '../values/compare-values.js'
import type { Segment } from '../values/path.js'
import type { FieldUpdate } from './field-update.js'

/** Updates by their paths, so that each object and array on a path is copied once. */
export interface UpdateNode {
  /** The updates of the value and of everything inside it, in the order of their paths. */
  readonly updates: readonly FieldUpdate[]
  /** The update of the value itself. A node with an update has no children. */
  readonly update: FieldUpdate | undefined
  /** The updates in fields or at positions, in the order in which they are applied. */
  readonly children: readonly UpdateChild[]
  /** The updates of the elements that array filters select, by identifier. */
  readonly elements: ReadonlyMap<string, UpdateNode>
}

/** The updates in a field, or at a position of an array. */
interface UpdateChild {
  readonly segment: Segment
  readonly node: UpdateNode
}

/**
 * In the order in which MongoDB updates and adds fields: by name, or by number
 * (https://www.mongodb.com/docs/manual/reference/operator/update/#update-operators-behavior).
 * @param depth the names that lead to the root
 * @throws BodyInvalid for two equal paths, for a path and its start, and for an array with both
 * positions and array filters
 */
export const buildUpdateTree = (updates: readonly FieldUpdate[], depth = 0): UpdateNode =>
  buildNode(
    updates.toSorted((a, b) => compareValues(toComparable(a, depth), toComparable(b, depth))),
    depth,
  )

const toComparable = ({ segments }: FieldUpdate, depth: number): readonly (string | number)[] =>
  segments.slice(depth).map(({ name, index }) => (index >= 0 ? index : name))

function buildNode(updates: readonly FieldUpdate[], depth: number): UpdateNode {
  const [first, ...others] = updates
  const start = first?.segments[depth]
  for (const { segments, path } of others) {
    const isOfElements = segments[depth]?.identifier !== undefined
    if (start === undefined || isOfElements !== (start.identifier !== undefined))
      throw path.error('must not be changed twice in one update')
  }
  const groups = groupBy(
    start === undefined ? [] : updates,
    ({ segments }) => segments[depth]!.name,
  )
  const children: UpdateChild[] = []
  const elements = new Map<string, UpdateNode>()
  for (const group of groups.values()) {
    const node = buildNode(group, depth + 1)
    const [segment] = group.map(({ segments }) => segments[depth])
    if (segment?.identifier !== undefined) elements.set(segment.identifier, node)
    else if (segment !== undefined) children.push({ segment, node })
  }
  return { updates, update: start === undefined ? first : undefined, children, elements }
}
