import type { JsonObject } from '@materials-mock/json'
import { compileFields, compileSelector, compileSort, evaluate } from '@materials-mock/query'
import { runToEnd } from '@materials-mock/work'
import { parseParameter } from '../../src/http/list/json-parameter.js'

interface QueryParameters {
  readonly query?: JsonObject
  readonly projection?: JsonObject
}

interface Projection {
  readonly sort?: JsonObject
  readonly fields?: JsonObject
  readonly skip?: number
  readonly limit?: number
}

/**
 * Runs a query over items, from the parameters' texts to the projected page.
 * @throws the errors of the query language
 */
export async function runQuery(
  items: readonly JsonObject[],
  { query = {}, projection = {} }: QueryParameters,
): Promise<readonly JsonObject[]> {
  const selector = compileSelector(parseParameter('query', JSON.stringify(query)))
  const parsed = parseParameter('projection', JSON.stringify(projection))
  const { sort = {}, fields = {}, skip = 0, limit = 500 } = parsed as Projection
  const entries = items.map((item) => ({ item }))
  const page = runToEnd(evaluate(entries, { selector, sort: compileSort(sort), skip, limit }))
  if (Object.keys(fields).length === 0) return page.map(({ item }) => item)
  const project = compileFields(fields, selector)
  return page.map(({ item }) => project(item))
}
