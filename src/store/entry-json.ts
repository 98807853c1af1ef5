import { applyFields } from '../query/projection/apply-fields.js'
import type { CompiledFields } from '../query/projection/compile-fields.js'
import type { Work } from '../work/work.js'
import type { Entry } from './entry.js'

/** Returns the JSON text of an entry's item in UTF-8. It is cached in the entry. */
export const jsonOf = (entry: Entry): Buffer =>
  (entry.text ??= entry.textArena.write(JSON.stringify(entry.item)))

/**
 * Returns the JSON text of each item of a page in UTF-8.
 * @param fields the projected fields; undefined for whole items
 * @throws PatternTooCostly for a regular expression in `fields` that takes too long on one item
 */
export function* pageJson(
  page: readonly Entry[],
  fields: CompiledFields | undefined,
): Work<Buffer[]> {
  const texts: Buffer[] = []
  for (const entry of page) {
    const isCached = fields === undefined ? entry.text : entry.projected?.fields === fields
    texts.push(fields === undefined ? jsonOf(entry) : yield* projectedJsonOf(entry, fields))
    if (!isCached) yield 'writing the response'
  }
  return texts
}

/** Caches the text in the entry until other fields are requested. */
function* projectedJsonOf(entry: Entry, fields: CompiledFields): Work<Buffer> {
  if (entry.projected?.fields !== fields) {
    const text = Buffer.from(JSON.stringify(yield* applyFields(fields, entry.item)))
    entry.projected = { fields, text }
  }
  return entry.projected.text
}
