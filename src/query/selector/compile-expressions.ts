import { Context } from 'mingo/core'
import { $and, $nor, $or } from 'mingo/operators/query/logical'
import { Query } from 'mingo/query'
import type { Options } from 'mingo/types'

import type { Json } from '../../json/json.js'
import { compilePath } from '../values/compile-path.js'
import type { CandidateTest } from '../values/compile-path.js'
import { ITEM_OPERATORS } from './ast.js'
import type { ElemMatch, Expression, MatchTarget } from './ast.js'
import { toMingoQuery, unescapePath } from './mingo-query.js'
import { onArray, OPERATORS } from './operators.js'

/** Whether a value matches: an item, an element of an array, or a single value. */
export type Matcher = (value: Json) => boolean

/**
 * Compiles expressions, all of which must match, with mingo. mingo combines them; the operators on
 * fields are ours.
 */
export function compileExpressions(
  expressions: readonly Expression[],
  target: MatchTarget,
): Matcher {
  const predicates: Matcher[] = []
  const query = new Query<unknown>(toMingoQuery(expressions) as never, {
    context: CONTEXTS[target],
    variables: { predicates },
  })
  // Without logical operators, the predicates are the whole query. Calling them directly is faster:
  // mingo's Query creates a function for each item.
  return expressions.some((expression) => 'branches' in expression)
    ? (value) => query.test(value)
    : every(predicates)
}

/**
 * Compiles an `$elemMatch` into a predicate of one element. For the target `object`, an array is an
 * object whose field names are its positions.
 */
export function compileElemMatch({ target, expressions }: ElemMatch): Matcher {
  const matches = compileExpressions(expressions, target)
  if (target === 'value') return matches
  return (element) => typeof element === 'object' && element !== null && matches(element)
}

function every(predicates: readonly Matcher[]): Matcher {
  const [only] = predicates
  if (only !== undefined && predicates.length === 1) return only
  return (value) => {
    for (const matches of predicates) if (!matches(value)) return false
    return true
  }
}

function compileArrayElemMatch(elemMatch: ElemMatch): CandidateTest {
  const matches = compileElemMatch(elemMatch)
  return (value) => Array.isArray(value) && value.some(matches)
}

/** An operator as mingo calls it, to compile a predicate. */
type MingoOperator = (path: string, operand: unknown, options: Options) => Matcher

function createContext(target: MatchTarget): Context {
  const operators = { ...OPERATORS, $elemMatch: onArray<ElemMatch>(compileArrayElemMatch) }
  const entries = Object.entries(operators).map(([name, { arrays, compile }]) => {
    const compileTest = compile as (operand: unknown) => CandidateTest
    const operator: MingoOperator = (path, operand, options) => {
      const test = compileTest(operand)
      const predicate: Matcher =
        target === 'value' ? test : compilePath(unescapePath(path), arrays, test)
      return addPredicate(predicate, options)
    }
    return [name, operator] as const
  })
  const itemEntries = [...ITEM_OPERATORS].map((name) => [name, testItem] as const)
  const query = Object.fromEntries([...entries, ...itemEntries])
  return Context.init({ query: { ...query, $and, $nor, $or } as never })
}

/** The operand of an operator that tests a whole item is the predicate. */
const testItem: MingoOperator = (_path, operand, options) =>
  addPredicate(operand as Matcher, options)

/** mingo passes the query's variables to its operators. */
function addPredicate(predicate: Matcher, options: Options): Matcher {
  ;(options.variables as { predicates: Matcher[] }).predicates.push(predicate)
  return predicate
}

const CONTEXTS = { object: createContext('object'), value: createContext('value') }
