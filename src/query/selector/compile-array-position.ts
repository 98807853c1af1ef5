import type { Json, JsonObject } from '../../json/json.js'
import { compilePath } from '../values/compile-path.js'
import type { CandidateTest } from '../values/compile-path.js'
import type { ElemMatch, Expression, Predicate } from './ast.js'
import { compileElemMatch } from './compile-expressions.js'
import { OPERATORS } from './operators.js'
import type { Operator } from './operators.js'

/** Returns the position in an array by which an item matches; undefined if there is none. */
export type FindArrayPosition = (item: JsonObject) => number | undefined

/**
 * Compiles expressions, all of which an item matches, into a function that finds the array position
 * for the positional `$` of `fields`
 * (https://www.mongodb.com/docs/manual/reference/operator/projection/positional/). As in MongoDB:
 * - A condition through an array has the position of the first element that matches. If there are
 *   several arrays on its path, it is that in the outermost one.
 * - Of several conditions, the last with a position decides.
 * - Conditions in `$nor`, `$not`, `$ne` and `$nin` have none, nor has an `$or`, unless all its
 *   branches are equalities or regular expressions on one path, which is an `$in`.
 */
export function compileArrayPosition(expressions: readonly Expression[]): FindArrayPosition {
  const finders = expressions.flatMap(compileFinders)
  return (item) =>
    finders.reduce<number | undefined>((position, find) => find(item) ?? position, undefined)
}

function compileFinders(expression: Expression): FindArrayPosition[] {
  if (!('branches' in expression)) return compilePredicate(expression)
  const { operator, branches } = expression
  if (operator === '$nor') return []
  if (operator === '$and' || branches.length === 1)
    return branches.flatMap((branch) => branch.flatMap(compileFinders))

  const equalities = branches.map(findEquality)
  const path = equalities[0]?.path
  if (path === undefined || !equalities.every((equality) => equality?.path === path)) return []
  const tests = equalities.flatMap((equality) => (equality === undefined ? [] : compile(equality)))
  return [createFinder(path, 'elements', (value) => tests.some((test) => test(value)))]
}

/** Returns the only equality or regular expression of a branch. */
function findEquality(branch: readonly Expression[]): Predicate | undefined {
  const [only] = branch
  if (only === undefined || branch.length > 1) return undefined
  if ('branches' in only) {
    const [inner] = only.branches
    const isSingle = only.operator !== '$nor' && only.branches.length === 1
    return isSingle && inner !== undefined ? findEquality(inner) : undefined
  }
  const { operator, operand } = only
  const isEquality =
    operator === '$eq' ||
    operator === '$regex' ||
    (operator === '$in' && (operand as readonly Json[]).length === 1)
  return isEquality ? only : undefined
}

function compilePredicate(predicate: Predicate): FindArrayPosition[] {
  const { path, operator, operand } = predicate
  if (operator === '$elemMatch') return [compileElemMatchFinder(path, operand as ElemMatch)]
  const known = getOperator(operator)
  return known === undefined ? [] : [createFinder(path, known.arrays, compile(predicate))]
}

const getOperator = (name: string): Operator<unknown> | undefined =>
  (OPERATORS as unknown as Readonly<Record<string, Operator<unknown>>>)[name]

const compile = ({ operator, operand }: Predicate): CandidateTest =>
  (getOperator(operator) as Operator<unknown>).compile(operand)

function compileElemMatchFinder(path: string, elemMatch: ElemMatch): FindArrayPosition {
  const matches = compileElemMatch(elemMatch)
  return createFinder(path, 'array', (value, onPosition) => {
    const position = Array.isArray(value) ? (value as readonly Json[]).findIndex(matches) : -1
    if (position >= 0) onPosition(position)
    return position >= 0
  })
}

function createFinder(
  path: string,
  arrays: Operator<unknown>['arrays'],
  test: (value: Json | undefined, onPosition: (position: number) => void) => boolean,
): FindArrayPosition {
  let found: number | undefined
  const onPosition = (position: number): void => {
    found = position
  }
  const matches = compilePath(path, arrays, (value) => test(value, onPosition), onPosition)
  return (item) => {
    found = undefined
    return matches(item) ? found : undefined
  }
}
