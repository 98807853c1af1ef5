import { LIMIT } from './workload.js'
import type { Read } from './workload.js'

/** The path of the materials on our server. */
export const BASE = '/api/2018-10-01/materials'

/** Converts a read to a path of our server. */
export function toOurPath({ id, equal, range, pattern, sort, fields, page }: Read): string {
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

/**
 * Returns another path of the same request for each number: with white space behind its JSON, because a list refuses a
 * parameter that it does not have, or else with a parameter that no server reads.
 */
export function toVariedPath(path: string, count: number): string {
  const space = count.toString(2).replaceAll('0', '%20').replaceAll('1', '%09')
  if (path === BASE) return `${BASE}?projection=%7B%7D${space}`
  if (path.endsWith('%7D')) return path + space
  return `${path}${path.includes('?') ? '&' : '?'}request=${count}`
}
