import { LIMIT } from './work.js'
import type { Read } from './work.js'

/** Where our server has the materials. */
export const BASE = '/api/2018-10-01/materials'

/** The path of a read of ours. */
export function ourPath({ id, equal, range, pattern, sort, fields, page }: Read): string {
  if (id !== undefined) return `${BASE}/${id}`
  const query = {
    ...(equal && { [equal[0]]: equal[1] }),
    ...(range && { [range[0]]: { $gte: range[1], $lt: range[2] } }),
    ...(pattern && { [pattern[0]]: { $regex: pattern[1] } }),
  }
  const projection = {
    ...(sort && { sort: { [sort[0]]: sort[1] } }),
    ...(page > 0 && { skip: page * LIMIT }),
    ...(fields && { fields: Object.fromEntries(fields.map((field) => [field, 1])) }),
  }
  const parameters = new URLSearchParams()
  if (Object.keys(query).length > 0) parameters.set('query', JSON.stringify(query))
  if (Object.keys(projection).length > 0) parameters.set('projection', JSON.stringify(projection))
  return parameters.size === 0 ? BASE : `${BASE}?${parameters}`
}
