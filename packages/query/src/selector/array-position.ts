import type { Json, JsonObject } from '@materials-mock/json'
import type { Combination, Condition, FieldTest } from '../condition.js'
import { compileVisit } from '../values/compile-path.js'
import { compileElementQuery } from './compile-conditions.js'

/** Returns the position in an array at which an item matches; undefined if there is none. */
export type FindArrayPosition = (item: JsonObject) => number | undefined

/**
 * Compiles conditions, all of which an item meets, into a function that finds the array position for the positional
 * `$` of `fields` (https://www.mongodb.com/docs/manual/reference/operator/projection/positional/). As in MongoDB:
 * - A condition through an array has the position of the first element that matches. If there are
 *   several arrays on its path, it is the position in the outermost array.
 * - Of several conditions, the last with a position decides.
 * - Conditions in `$nor`, `$not`, `$ne` and `$nin` have no position. An `$or` has a position only if
 *   all its branches are equalities or regular expressions on one path, which is an `$in`.
 */
export function compileArrayPosition(conditions: readonly Condition[]): FindArrayPosition {
  const finders = conditions.flatMap(compileFinders)
  return (item) =>
    finders.reduce<number | undefined>((position, find) => find(item) ?? position, undefined)
}

function compileFinders(condition: Condition): FindArrayPosition[] {
  if (condition.kind === 'field') return condition.isNegated ? [] : [compileFinder([condition])]
  if (condition.kind === 'item') return []
  const { combine, conditions } = condition
  if (combine === 'every' || (combine === 'some' && conditions.length === 1))
    return conditions.flatMap(compileFinders)
  const equalities = combine === 'some' ? conditions.map(findEquality) : []
  return isOfOnePath(equalities) ? [compileFinder(equalities)] : []
}

const isOfOnePath = (
  tests: readonly (FieldTest | undefined)[],
): tests is readonly [FieldTest, ...FieldTest[]] =>
  tests[0] !== undefined && tests.every((test) => test?.path === tests[0]?.path)

function findEquality(condition: Condition): FieldTest | undefined {
  if (condition.kind === 'combination') return findOnlyEquality(condition)
  if (condition.kind === 'item') return undefined
  const { operator, operand } = condition
  const isEquality =
    operator === '$eq' ||
    operator === '$regex' ||
    (operator === '$in' && (operand as readonly Json[]).length === 1)
  return isEquality ? condition : undefined
}

function findOnlyEquality({ combine, conditions }: Combination): FieldTest | undefined {
  const [only] = conditions
  const isAlone = conditions.length === 1 && (combine === 'every' || combine === 'some')
  return isAlone && only !== undefined ? findEquality(only) : undefined
}

/** Finds the position of the first element that passes one of the tests, which have the same path. */
function compileFinder(tests: readonly [FieldTest, ...FieldTest[]]): FindArrayPosition {
  const [{ path = '', arrays, elements }] = tests
  const visitCandidates = compileVisit(path, arrays)
  const passes = tests.map((test) => test.compile())
  const isElement = elements && compileElementQuery(elements)
  return (item) => {
    let found: number | undefined
    const isMatch = visitCandidates(
      item,
      (value) => {
        if (isElement === undefined) return passes.some((test) => test(value))
        const position = Array.isArray(value) ? value.findIndex(isElement) : -1
        if (position >= 0) found = position
        return position >= 0
      },
      (position) => (found = position),
    )
    return isMatch ? found : undefined
  }
}
