import { parseJsonParameter } from '../../src/query/bounds.js'
import { Budget } from '../../src/query/budget.js'
import { evaluate } from '../../src/query/evaluate.js'
import { compileFields } from '../../src/query/fields.js'
import { compileOrder } from '../../src/query/order.js'
import { compileSelector } from '../../src/query/selector.js'
import type { JsonObject } from '../../src/schemas/json.js'

interface Question {
  readonly query?: JsonObject
  readonly projection?: JsonObject
}

/** What the engine answers, from the texts of the parameters on; throws what it refuses. */
export async function ask(
  items: readonly JsonObject[],
  { query = {}, projection = {} }: Question,
): Promise<readonly JsonObject[]> {
  const selector = compileSelector(parseJsonParameter('query', JSON.stringify(query)))
  const parsed = parseJsonParameter('projection', JSON.stringify(projection))
  const { sort = {}, fields = {}, skip = 0, limit = 500 } = parsed as Projection
  const page = await evaluate(
    items.map((item) => ({ item })),
    { selector, order: compileOrder(sort), skip, limit, budget: new Budget(1000) },
  )
  const apply = compileFields(fields)
  return page.map(({ item }) => (apply === undefined ? item : apply(item)))
}

interface Projection {
  readonly sort?: JsonObject
  readonly fields?: JsonObject
  readonly skip?: number
  readonly limit?: number
}
