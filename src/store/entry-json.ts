import { evaluateFields } from '../query/evaluate.js'
import type { CompiledListQuery } from '../query/list-query.js'
import type { Fields } from '../query/projection/compile-fields.js'
import type { Entry } from './entry.js'

/** Returns the JSON text of an entry's item, which is made once. */
export const jsonOf = (entry: Entry): Buffer =>
  (entry.text ??= entry.texts.write(JSON.stringify(entry.item)))

/**
 * Returns the JSON text of each entry of a page, with the fields of the list query.
 * @throws BudgetExceeded
 */
export function pageJson(
  page: readonly Entry[],
  { fields, budget }: Pick<CompiledListQuery, 'fields' | 'budget'>,
): Buffer[] {
  if (fields === undefined) return page.map(jsonOf)
  return evaluateFields(page, fields, (entry) => projectedJsonOf(entry, fields), budget)
}

/** The text is made again only for other fields than the last time. */
function projectedJsonOf(entry: Entry, fields: Fields): Buffer {
  if (entry.projected?.fields !== fields)
    entry.projected = { fields, text: Buffer.from(JSON.stringify(fields(entry.item))) }
  return entry.projected.text
}
