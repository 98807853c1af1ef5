import type { Json } from '../../json/json.js'
import { compilePath, visitValue } from '../values/compile-path.js'
import { combine } from './combine.js'
import type { Matcher } from './combine.js'
import type { Condition, ElementQuery, FieldTest, ItemTest } from '../condition.js'

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

/** Whether an element can match at all: only an object, or an array by its positions, has fields. */
export const canMatch = ({ target }: ElementQuery, element: Json): boolean =>
  target === 'value' || (typeof element === 'object' && element !== null)

/** Compiles an `$elemMatch` into a predicate of one element. */
export function compileElementQuery(elements: ElementQuery): Matcher {
  const matches = compileConditions(elements.conditions)
  if (elements.target === 'value') return matches
  return (element) => canMatch(elements, element) && matches(element)
}
