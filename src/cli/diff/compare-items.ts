import { isJsonObject } from '../../json/json.js'
import type { Json } from '../../json/json.js'

/** A value that has changed. Undefined stands for a value that is not there. */
export interface Change {
  /** The path in the item: `basis.coordinates[1].value`. */
  readonly path: string
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** Returns all paths at which two values differ. The order of keys does not count. */
export function compareItems(
  before: Json | undefined,
  after: Json | undefined,
  path = '',
): Change[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length)
    return Array.from({ length }, (_, index) =>
      compareItems(before[index], after[index], `${path}[${index}]`),
    ).flat()
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...keys].flatMap((key) =>
      compareItems(before[key], after[key], path === '' ? key : `${path}.${key}`),
    )
  }
  return before === after ? [] : [{ path, before, after }]
}
