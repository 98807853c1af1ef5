import { Context } from 'mingo/core'
import { $and, $nor, $or } from 'mingo/operators/query/logical'
import { Query } from 'mingo/query'
import type { Options } from 'mingo/types'

import type { Json } from '../../json/json.js'
import { bitsClear, bitsSet, isInt64 } from './bits.js'
import type { Bits } from './bits.js'
import { compareValues, equalValues, typeRank } from '../values/compare-values.js'
import { toMingoQuery, unescapePath } from './mingo-query.js'
import { compilePath } from '../values/paths.js'
import type { ArrayMatching, Test } from '../values/paths.js'
import type { ElementSelector, Expression } from './ast.js'
import { hasType } from '../values/bson-types.js'

interface Operator<Operand> {
  readonly arrays: ArrayMatching
  /** The test of one candidate, for an operand that `condition.ts` has checked. */
  readonly test: (operand: Operand) => Test
}

const onElements = <Operand>(test: (operand: Operand) => Test): Operator<Operand> => ({
  arrays: 'elements',
  test,
})

const onArray = <Operand>(test: (operand: Operand) => Test): Operator<Operand> => ({
  arrays: 'array',
  test,
})

/**
 * MongoDB's meaning of the operators that `condition.ts` leaves
 * (https://www.mongodb.com/docs/manual/reference/operator/query/).
 */
const operators = {
  $eq: onElements<Json>((operand) => isEqualTo(operand)),
  $in: onElements<readonly Json[]>((operand) => isIn(operand)),
  $gt: onElements<Json>((operand) => comparesTo(operand, (order) => order > 0)),
  $gte: onElements<Json>((operand) => comparesTo(operand, (order) => order >= 0)),
  $lt: onElements<Json>((operand) => comparesTo(operand, (order) => order < 0)),
  $lte: onElements<Json>((operand) => comparesTo(operand, (order) => order <= 0)),
  $exists: onElements(() => (value) => value !== undefined),
  $type: onElements<readonly string[]>((operand) => (value) => hasType(value, operand)),
  $mod: onElements<readonly [number, number]>((operand) => leavesRemainder(operand)),
  $regex: onElements<RegExp>(
    (operand) => (value) => typeof value === 'string' && operand.test(value),
  ),
  $bitsAllSet: onElements<Bits>((mask) => bitsSet(mask, 'all')),
  $bitsAnySet: onElements<Bits>((mask) => bitsSet(mask, 'any')),
  $bitsAllClear: onElements<Bits>((mask) => bitsClear(mask, 'all')),
  $bitsAnyClear: onElements<Bits>((mask) => bitsClear(mask, 'any')),
  $size: onArray<number>((size) => (value) => Array.isArray(value) && value.length === size),
  $elemMatch: onArray<ElementSelector>((operand) => hasElement(operand)),
}

/** A field that is missing or null equals null; nothing else crosses types. */
function isEqualTo(operand: Json): Test {
  if (operand === null) return (value) => value === undefined || value === null
  if (typeof operand !== 'object') return (value) => value === operand
  return (value) => value !== undefined && equalValues(value, operand)
}

function isIn(operand: readonly Json[]): Test {
  const scalars = new Set<Json | undefined>(operand.filter((entry) => typeof entry !== 'object'))
  const others = operand.filter((entry) => typeof entry === 'object').map(isEqualTo)
  return (value) => scalars.has(value) || others.some((test) => test(value))
}

/** Compares values of one type only ("type bracketing"); null and missing are one. */
function comparesTo(operand: Json, holds: (order: number) => boolean): Test {
  if (operand === null) return (value) => (value === undefined || value === null) && holds(0)
  const rank = typeRank(operand)
  return (value) => typeRank(value) === rank && holds(compareValues(value, operand))
}

/** The fraction of a candidate is cut off; the remainder has its sign, as in C. */
const leavesRemainder =
  ([divisor, remainder]: readonly [number, number]): Test =>
  (value) => {
    if (typeof value !== 'number') return false
    const integer = Math.trunc(value)
    return isInt64(integer) && integer % divisor === remainder
  }

function hasElement(operand: ElementSelector): Test {
  const meets = elementTest(operand)
  return (value) => Array.isArray(value) && value.some(meets)
}

/** The test of one element of an array by an `$elemMatch`; an array in it counts as an object. */
export function elementTest({
  elements,
  expressions,
}: ElementSelector): (element: Json) => boolean {
  const test = compileExpressions(expressions, elements)
  if (elements === 'values') return test
  return (element) => typeof element === 'object' && element !== null && test(element)
}

/** Judges an item, or a bare value. */
type Matcher = (value: Json) => boolean

/**
 * Compiles checked expressions, all of which have to hold, with mingo. `objects` are judged by the paths
 * in the expressions; a bare value of `values` is the one candidate of each operator.
 */
export function compileExpressions(
  expressions: readonly Expression[],
  judged: ElementSelector['elements'],
): Matcher {
  const predicates: Matcher[] = []
  const query = new Query<unknown>(toMingoQuery(expressions) as never, {
    context: contexts[judged],
    variables: { predicates },
  })
  // Without combinations these are all of the query, which would make a function for each item.
  return expressions.some((expression) => 'branches' in expression)
    ? (value) => query.test(value)
    : every(predicates)
}

function every(predicates: readonly Matcher[]): Matcher {
  const [only] = predicates
  if (only !== undefined && predicates.length === 1) return only
  return (value) => {
    for (const holds of predicates) if (!holds(value)) return false
    return true
  }
}

/** What mingo makes a predicate of an operator with; it is taken down in the query's variables. */
type QueryOperator = (path: string, operand: unknown, options: Options) => Matcher

function contextOf(judged: ElementSelector['elements']): Context {
  const entries = Object.entries(operators).map(([name, operator]): [string, QueryOperator] => {
    const test = operator.test as (operand: unknown) => Test
    const compile: QueryOperator =
      judged === 'values'
        ? (_path, operand) => test(operand)
        : (path, operand) => compilePath(unescapePath(path), operator.arrays, test(operand))
    return [
      name,
      (path, operand, options) => {
        const predicate = compile(path, operand, options)
        ;(options.variables as { predicates: Matcher[] }).predicates.push(predicate)
        return predicate
      },
    ]
  })
  return Context.init({ query: { ...Object.fromEntries(entries), $and, $nor, $or } as never })
}

const contexts = { objects: contextOf('objects'), values: contextOf('values') }
