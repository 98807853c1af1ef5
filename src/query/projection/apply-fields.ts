import type { JsonObject } from '../../json/json.js'
import type { Work } from '../../work/work.js'
import { retryTimeouts, runPattern } from '../run-pattern.js'
import type { CompiledFields } from './compile-fields.js'

/**
 * Returns the projected fields of an item; the item itself without `fields`.
 * @throws PatternTooCostly for a regular expression in `fields` that takes too long
 */
export function* applyFields(
  fields: CompiledFields | undefined,
  item: JsonObject,
): Work<JsonObject> {
  if (fields === undefined) return item
  if (!fields.needsTimeout) return fields(item)
  return yield* retryTimeouts(() => runPattern(() => fields(item)))
}
