import { isJsonArray, isJsonObject, quote } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { MAX_ENTRIES } from '../limits.js'
import { getField } from '../values/path.js'
import type { Segment } from '../values/path.js'
import type { ArrayFilters } from './array-filters.js'
import type { FieldUpdate } from './field-update.js'
import { buildUpdateTree } from './update-tree.js'
import type { UpdateNode } from './update-tree.js'

/** In characters of JSON: three large items. */
const MAX_WRITTEN_LENGTH = 3 * 1024 * 1024

/**
 * The same item if nothing changes. Missing objects are created. A name in an array must be a
 * position, up to which it is padded with null.
 * @param now of `$currentDate`, in ms since the epoch
 * @throws BodyInvalid; BoundExceeded for more than 1,000 nulls, and what array filters write
 */
export const applyUpdate = (
  item: JsonObject,
  tree: UpdateNode,
  filters: ArrayFilters,
  now: number,
): JsonObject => new UpdateRun(item, filters, now).applyToObject(item, tree, [])

class UpdateRun {
  readonly #item: JsonObject
  readonly #filters: ArrayFilters
  readonly #now: number
  /** The updates of elements that several array filters select, by array and identifiers. */
  readonly #merged = new Map<UpdateNode, Map<string, UpdateNode>>()
  #writtenLength = 0

  constructor(item: JsonObject, filters: ArrayFilters, now: number) {
    this.#item = item
    this.#filters = filters
    this.#now = now
  }

  /** @param names the names that lead to the value */
  #apply(value: Json | undefined, node: UpdateNode, names: readonly string[]): Json | undefined {
    const { update, elements } = node
    if (update !== undefined) {
      this.#countWritten(update)
      if (update.isInert?.(this.#item) === true) return value
      return update.apply(value, this.#item, this.#now)
    }
    if (elements.size > 0) return this.#applyToElements(value, node, names)
    if (value === undefined) {
      const created = this.applyToObject({}, node, names)
      return Object.keys(created).length === 0 ? undefined : created
    }
    if (Array.isArray(value)) return this.#applyToPositions(value, node, names)
    if (isJsonObject(value)) return this.applyToObject(value, node, names)
    this.#findActive(node, (each) => {
      if (ignoresBlock(each, names.length)) return
      const { path } = each
      throw path.error(`must not go through "${names.join('.')}", which is ${quote(value)}`)
    })
    return value
  }

  /** Calls a function for each update of a node that is not inert. */
  #findActive(node: UpdateNode, call: (update: FieldUpdate) => void): void {
    for (const update of node.updates) if (update.isInert?.(this.#item) !== true) call(update)
  }

  applyToObject(
    object: JsonObject,
    { children }: UpdateNode,
    names: readonly string[],
  ): JsonObject {
    let updated: Record<string, Json> | undefined
    for (const { segment, node } of children) {
      const { name } = segment
      const value = getField(object, segment)
      if (value === undefined && !this.#createsPath(node)) continue
      const applied = this.#apply(value, node, [...names, name])
      if (applied === value) continue
      updated ??= { ...object }
      if (applied === undefined) delete updated[name]
      else updated[name] = applied
    }
    return updated ?? object
  }

  /** Whether updates change a missing value. */
  #createsPath(node: UpdateNode): boolean {
    return node.updates.some(
      (update) =>
        update.createsPath ||
        (node.update === undefined &&
          update.segments.some(({ identifier }) => identifier !== undefined)),
    )
  }

  #applyToPositions(
    array: readonly Json[],
    node: UpdateNode,
    names: readonly string[],
  ): readonly Json[] {
    const updated = [...array]
    this.#findActive(node, ({ path, forbidsArrays }) => {
      if (forbidsArrays === true)
        throw path.error(`must not go through the array "${names.join('.')}"`)
    })
    for (const { segment, node: child } of node.children) {
      if (segment.index < 0) this.#checkPosition(child, names)
      else this.#applyToPosition(updated, segment, child, names)
    }
    const isSame =
      updated.length === array.length && updated.every((each, at) => each === array[at])
    return isSame ? array : updated
  }

  #checkPosition(node: UpdateNode, names: readonly string[]): void {
    this.#findActive(node, (each) => {
      if (!ignoresBlock(each, names.length))
        throw each.path.error(`must name a position in the array "${names.join('.')}"`)
    })
  }

  #applyToPosition(
    array: Json[],
    { index, name }: Segment,
    node: UpdateNode,
    names: readonly string[],
  ): void {
    const value = array[index]
    if (value === undefined && !this.#createsPath(node)) return
    const applied = this.#apply(value, node, [...names, name])
    if (applied === value) return
    if (index - array.length > MAX_ENTRIES) {
      const [{ path }] = node.updates as [FieldUpdate]
      throw path.limitError(
        `must name a position at most ${MAX_ENTRIES} beyond the end of its array`,
      )
    }
    while (array.length < index) array.push(null)
    // MongoDB replaces an unset entry of an array by null.
    array[index] = applied ?? null
  }

  #applyToElements(value: Json | undefined, node: UpdateNode, names: readonly string[]): Json {
    if (!isJsonArray(value)) {
      const [{ path }] = node.updates as [FieldUpdate]
      throw path.error(
        `must apply to an array at "${names.join('.')}", not ${quote(value ?? null)}`,
      )
    }
    let isChanged = false
    const updated = value.map((element, index) => {
      const selected = this.#selectUpdates(element, node, names.length + 1)
      if (selected === undefined) return element
      const applied = this.#apply(element, selected, [...names, `${index}`]) ?? null
      isChanged ||= applied !== element
      return applied
    })
    return isChanged ? updated : value
  }

  /** Returns the updates of the array filters that select an element, in one tree. */
  #selectUpdates(element: Json, node: UpdateNode, depth: number): UpdateNode | undefined {
    const selected = [...node.elements].filter(([id]) => this.#filters.selects(id, element))
    if (selected.length < 2) return selected[0]?.[1]
    const key = selected.map(([identifier]) => identifier).join()
    const merged = this.#merged.get(node) ?? new Map<string, UpdateNode>()
    const tree =
      merged.get(key) ??
      buildUpdateTree(
        selected.flatMap(([, { updates }]) => updates),
        depth,
      )
    this.#merged.set(node, merged.set(key, tree))
    return tree
  }

  #countWritten({ writtenLength, path }: FieldUpdate): void {
    this.#writtenLength += writtenLength
    if (this.#writtenLength <= MAX_WRITTEN_LENGTH) return
    throw path.limitError(
      `must write at most ${MAX_WRITTEN_LENGTH} characters of JSON into the elements`,
    )
  }
}

/** As for `$unset`. A path with array filters is not ignored, because it needs an array. */
const ignoresBlock = ({ ignoresBlockedPath, segments }: FieldUpdate, names: number): boolean =>
  ignoresBlockedPath === true &&
  segments.slice(names).every(({ identifier }) => identifier === undefined)
