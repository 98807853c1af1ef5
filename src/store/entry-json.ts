import { applyFields } from '../query/evaluate.js'
import type { CompiledListQuery } from '../query/list-query.js'
import type { CompiledFields } from '../query/projection/compile-fields.js'
import type { Entry } from './entry.js'

/** Returns the JSON text of an entry's item in UTF-8. It is cached in the entry. */
export const jsonOf = (entry: Entry): Buffer =>
  (entry.text ??= entry.textArena.write(JSON.stringify(entry.item)))

/**
 * Returns the JSON text of each item of a page in UTF-8, with the fields of the list query.
 * @throws BudgetExceeded for fields that take longer than the budget
 */
export function pageJson(
  page: readonly Entry[],
  { fields, budget }: Pick<CompiledListQuery, 'fields' | 'budget'>,
): Buffer[] {
  if (fields === undefined) return page.map(jsonOf)
  return applyFields(page, fields, (entry) => projectedJsonOf(entry, fields), budget)
}

/** Caches the text in the entry until other fields are requested. */
function projectedJsonOf(entry: Entry, fields: CompiledFields): Buffer {
  if (entry.projected?.fields !== fields)
    entry.projected = { fields, text: Buffer.from(JSON.stringify(fields(entry.item))) }
  return entry.projected.text
}
