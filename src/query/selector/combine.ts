import { Context } from 'mingo/core'
import { $and, $nor, $or } from 'mingo/operators/query/logical'
import { Query } from 'mingo/query'

import type { Json } from '../../json/json.js'
import type { Combination, Condition, FieldTest, ItemTest } from '../condition.js'

/** Whether a value matches: an item, an element of an array, or a single value. */
export type Matcher = (value: Json) => boolean

/**
 * Combines conditions, all of which must hold, with mingo. Its `Query`, `$and`, `$or` and `$nor` are
 * used unchanged. The only other operator in its context is `$test`, whose operand is a test that one
 * of our operators compiled: mingo reads no path, no value and no operator of a query. A test that
 * stands alone is not combined with anything, so it is returned as it is.
 */
export function combine(
  conditions: readonly Condition[],
  compile: (test: FieldTest | ItemTest) => Matcher,
): Matcher {
  const toQuery = (all: readonly Condition[]): MingoQuery =>
    Object.fromEntries(all.map((condition, index) => [index, toOperator(condition)]))
  const toOperator = (condition: Condition): MingoQuery => {
    if (condition.kind !== 'combination') return { $test: compile(condition) }
    const [operator, isOfAll] = OPERATORS[condition.combine]
    const { conditions: inner } = condition
    return { [operator]: isOfAll ? [toQuery(inner)] : inner.map((each) => toQuery([each])) }
  }
  const query = toQuery(conditions)
  const { 0: only } = query as { 0?: { $test?: Matcher } }
  if (conditions.length === 1 && only?.$test !== undefined) return only.$test
  const combined = new Query<unknown>(query as never, { context: CONTEXT })
  return (value) => combined.test(value)
}

/** The fields of a query are only numbers: mingo requires one for each operator. */
type MingoQuery = Readonly<Record<string, unknown>>

/** mingo's operator for a combination, and whether it is of one query that has all conditions. */
const OPERATORS: Readonly<
  Record<Combination['combine'], readonly [name: string, isOfAll: boolean]>
> = { every: ['$and', true], some: ['$or', false], none: ['$nor', false], notEvery: ['$nor', true] }

const CONTEXT = Context.init({
  query: { $and, $or, $nor, $test: (_field: string, test: Matcher) => test } as never,
})
