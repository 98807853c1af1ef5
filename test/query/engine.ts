import { parseParameter } from '../../src/query/parse-parameter.js'
import { Budget } from '../../src/query/budget.js'
import { evaluate } from '../../src/query/evaluate.js'
import { compileFields } from '../../src/query/projection/compile-fields.js'
import { compileSort } from '../../src/query/sort/compile-sort.js'
import { compileSelector } from '../../src/query/selector/compile-selector.js'
import type { JsonObject } from '../../src/json/json.js'

interface Question {
  readonly query?: JsonObject
  readonly projection?: JsonObject
}

/** What the engine answers, from the texts of the parameters on; throws what it refuses. */
export async function ask(
  items: readonly JsonObject[],
  { query = {}, projection = {} }: Question,
): Promise<readonly JsonObject[]> {
  const selector = compileSelector(parseParameter('query', JSON.stringify(query)))
  const parsed = parseParameter('projection', JSON.stringify(projection))
  const { sort = {}, fields = {}, skip = 0, limit = 500 } = parsed as Projection
  const page = await evaluate(
    items.map((item) => ({ item })),
    { selector, sort: compileSort(sort), skip, limit, budget: new Budget(1000) },
  )
  if (Object.keys(fields).length === 0) return page.map(({ item }) => item)
  const apply = compileFields(fields)
  return page.map(({ item }) => apply(item))
}

interface Projection {
  readonly sort?: JsonObject
  readonly fields?: JsonObject
  readonly skip?: number
  readonly limit?: number
}
