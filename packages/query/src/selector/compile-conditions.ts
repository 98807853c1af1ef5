import { Context } from 'mingo/core'
import { $nor, $or } from 'mingo/operators/query/logical'
import { Query } from 'mingo/query'

import type { Json } from '@materials-mock/json'
import { orderTests, splitConjunctions } from '../condition.js'
import type { Condition, ElementQuery, FieldTest, ItemTest } from '../condition.js'
import { compilePath, visitValue } from '../values/compile-path.js'

export type Matcher = (value: Json) => boolean

/** Compiles conditions, all of which must hold, into a predicate of an item or of an element. */
export const compileConditions = (conditions: readonly Condition[]): Matcher =>
  combine(conditions, compileTest)

/** Compiles conditions without a path into a predicate of a field's value, which may be an array. */
export const compileFieldConditions = (conditions: readonly Condition[]): Matcher =>
  combine(conditions, (test) => {
    if (test.kind === 'item') return test.matches
    const passes = test.compile()
    return negateIf(test.isNegated, (value) => visitValue(value, test.arrays, passes))
  })

/** Compiles one test. Without a path, the value itself is the candidate. */
export function compileTest(test: FieldTest | ItemTest): Matcher {
  if (test.kind === 'item') return test.matches
  const passes = test.compile()
  const matches: Matcher =
    test.path === undefined ? passes : compilePath(test.path, test.arrays, passes)
  return negateIf(test.isNegated, matches)
}

const negateIf = (isNegated: boolean, matches: Matcher): Matcher =>
  isNegated ? (value) => !matches(value) : matches

/** Whether an element can match at all. Only an object, or an array by its positions, has fields. */
export const canMatch = ({ target }: ElementQuery, element: Json): boolean =>
  target === 'value' || (typeof element === 'object' && element !== null)

export function compileElementQuery(elements: ElementQuery): Matcher {
  const matches = compileConditions(elements.conditions)
  if (elements.target === 'value') return matches
  return (element) => canMatch(elements, element) && matches(element)
}

/**
 * With mingo's `Query`, `$or` and `$nor`. The only other operator in its context is `$test`, whose
 * operand is a test of ours: mingo reads no path, value or operator of a query.
 */
function combine(
  conditions: readonly Condition[],
  compile: (test: FieldTest | ItemTest) => Matcher,
): Matcher {
  const toQuery = (all: readonly Condition[]): MingoQuery =>
    Object.fromEntries(
      orderTests(splitConjunctions(all)).map((each, index) => [index, toOperator(each)]),
    )
  const toOperator = (condition: Condition): MingoQuery => {
    if (condition.kind !== 'combination') return { $test: compile(condition) }
    const { combine: how, conditions: inner } = condition
    const queries =
      how === 'notEvery' ? [toQuery(inner)] : orderTests(inner).map((each) => toQuery([each]))
    return { [how === 'some' ? '$or' : '$nor']: queries }
  }
  if (conditions.length === 0) return () => true
  const query = toQuery(conditions)
  const [only, ...others] = Object.values(query) as { readonly $test?: Matcher }[]
  if (only?.$test !== undefined && others.length === 0) return only.$test
  const combined = new Query<unknown>(query as never, { context: CONTEXT })
  return (value) => combined.test(value)
}

/** The fields of a query are numbers: mingo requires one for each operator. */
type MingoQuery = Readonly<Record<string, unknown>>

const CONTEXT = Context.init({
  query: { $or, $nor, $test: (_field: string, test: Matcher) => test } as never,
})
