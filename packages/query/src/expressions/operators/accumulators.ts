import { quote } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'
import { compareValues } from '../../values/compare-values.js'
import {
  getNumberType,
  isArray,
  isLong,
  isNullish,
  isNumeric,
  makeDouble,
  makeIntegerOf,
  toDouble,
  toLong,
  widest,
} from '../../values/value.js'
import type { NumberType, NumericValue, Value, ValueObject } from '../../values/value.js'
import { defineFunction } from '../define-function.js'
import type { Folding } from '../define-function.js'
import { fold, OBJECT } from '../parse-context.js'
import type { Evaluate, Expression, ParseContext, ParseOperator } from '../parse-context.js'
import type { Scope } from '../scope.js'

const define = (
  compute: (values: readonly Value[], context: ParseContext) => Value,
  folding: Folding = 'none',
): ParseOperator =>
  defineFunction((operands, context) => compute(takeValues(operands, context.scope), context), {
    folding,
    takesArray: true,
  })

function takeValues(operands: readonly Evaluate[], scope: Scope): readonly Value[] {
  const values = operands.map((operand) => operand())
  const [only] = values
  const taken = values.length === 1 && isArray(only) ? only : values
  scope.spend(taken.length)
  return taken
}

/** A sum of numbers, with the type that can hold it. Other values are ignored. */
interface Sum {
  readonly type: NumberType
  /** The exact sum, if all numbers are integers. */
  readonly integer: bigint
  readonly double: number
  readonly count: number
}

/**
 * Sums numbers as MongoDB does: integers are exact, and the rounding errors of doubles are summed
 * separately (Knuth, The Art of Computer Programming, vol. 2, 4.2.2, theorem B).
 */
function sum(values: readonly Value[]): Sum {
  const numbers = values.filter(isNumeric)
  const type = numbers.reduce<NumberType>(
    (widestType, number) => widest(widestType, getNumberType(number)),
    'int',
  )
  if (type !== 'double') {
    const integer = numbers.reduce<bigint>((total, number) => total + toLong(number)!, 0n)
    return { type, integer, double: Number(integer), count: numbers.length }
  }
  return { type, integer: 0n, double: sumDoubles(numbers), count: numbers.length }
}

function sumDoubles(numbers: readonly NumericValue[]): number {
  let plain = 0
  let total = 0
  let error = 0
  for (const number of numbers) {
    const value = toDouble(number)
    plain += value
    // A `long` beyond 2^53 has a part that a double can't hold.
    const rest = typeof number === 'bigint' ? Number(number - BigInt(value)) : 0
    const next = total + value
    const part = next - total
    error += total - (next - part) + (value - part) + rest
    total = next
  }
  const compensated = total + error
  return Number.isNaN(compensated) ? plain : compensated
}

function computeSum(values: readonly Value[]): Value {
  const { type, integer, double } = sum(values)
  return type === 'double' || !isLong(integer) ? makeDouble(double) : makeIntegerOf(integer, type)
}

function computeAverage(values: readonly Value[]): Value {
  const { double, count } = sum(values)
  return count === 0 ? null : makeDouble(double / count)
}

/** Returns the first of the extreme values, without null and missing values; null if there is none. */
const findExtreme =
  (direction: 1 | -1) =>
  (values: readonly Value[], { scope }: ParseContext): Value => {
    let extreme: Value
    for (const value of values) {
      if (isNullish(value)) continue
      if (extreme === undefined || direction * compareValues(value, extreme, scope) < 0)
        extreme = value
    }
    return extreme ?? null
  }

/** Computes a standard deviation by Welford's algorithm (doi:10.1080/00401706.1962.10490022). */
const computeDeviation =
  (isSample: boolean) =>
  (values: readonly Value[]): Value => {
    let [count, mean, squares] = [0, 0, 0]
    for (const value of values) {
      if (!isNumeric(value)) continue
      const number = toDouble(value)
      count += 1
      const delta = number - mean
      if (delta === 0) continue
      mean += delta / count
      squares += delta * (number - mean)
    }
    const divisor = isSample ? count - 1 : count
    return divisor <= 0 ? null : makeDouble(Math.sqrt(squares / divisor))
  }

/** A later field replaces an earlier one in its place. Null and missing values are ignored. */
function mergeObjects(values: readonly Value[], context: ParseContext): Value {
  const entries: [string, Value][] = []
  for (const value of values) {
    if (isNullish(value)) continue
    const added = Object.entries(context.take(OBJECT, value))
    context.scope.spend(added.length)
    for (const entry of added) entries.push(entry)
  }
  return Object.fromEntries(entries) as ValueObject
}

/** The only method of MongoDB 8.0. For an array, MongoDB's expressions return exact percentiles. */
const METHOD = 'approximate'

/** Parses `{input, method}`: the 50th percentile. */
const parseMedian: ParseOperator = (operand, context) => {
  const operands = context.parseArguments(operand, ['input', 'method'], [])
  const input = parseInput(operands, context)
  const { scope } = context
  return fold({ evaluate: () => computePercentiles(input, [0.5], scope)[0] }, [input], context)
}

/** Parses `{input, p, method}`, with percentiles from 0 to 1. */
const parsePercentile: ParseOperator = (operand, context) => {
  const operands = context.parseArguments(operand, ['input', 'p', 'method'], [])
  const fractions = parseFractions(operands.p, context.child('p'))
  const input = parseInput(operands, context)
  const { scope } = context
  return fold({ evaluate: () => computePercentiles(input, fractions, scope) }, [input], context)
}

function parseInput(operands: Readonly<Record<string, Json>>, context: ParseContext): Expression {
  if (operands.method !== METHOD)
    throw context.child('method').path.error(`must be "${METHOD}", not ${quote(operands.method)}`)
  return context.parseArgument(operands, 'input')
}

/** MongoDB evaluates `p` when it parses the expression. */
function parseFractions(p: Json, context: ParseContext): readonly number[] {
  const { constant } = context.withFolding(true).parse(p)
  if (constant === undefined) throw context.path.error(`must be constant, not ${quote(p)}`)
  const { value } = constant
  if (!isArray(value) || value.length === 0)
    throw context.valueError('must be an array of one or more numbers', value)
  return value.map((fraction) => {
    const number = isNumeric(fraction) ? toDouble(fraction) : Number.NaN
    if (number >= 0 && number <= 1) return number
    throw context.valueError('must have numbers from 0 to 1', fraction)
  })
}

/**
 * Of a number, or of those in an array; null without numbers. Of `n` numbers in ascending order,
 * the one at position `ceil(n * p) - 1`.
 */
function computePercentiles(
  input: Expression,
  fractions: readonly number[],
  scope: Scope,
): readonly Value[] {
  const value = input.evaluate()
  scope.spend(fractions.length)
  if (isNumeric(value)) return fractions.map(() => makeDouble(toDouble(value)))
  if (!isArray(value)) return fractions.map(() => null)
  scope.spend(value.length)
  const numbers = Float64Array.from(value.filter(isNumeric).map(toDouble))
    .filter((number) => !Number.isNaN(number))
    .toSorted()
  if (numbers.length === 0) return fractions.map(() => null)
  return fractions.map((fraction) => {
    const position = Math.max(0, Math.ceil(numbers.length * fraction) - 1)
    return makeDouble(numbers[position]!)
  })
}

/**
 * https://www.mongodb.com/docs/manual/reference/operator/aggregation/#accumulators--in-other-stages-
 * and https://www.mongodb.com/docs/manual/reference/operator/aggregation/percentile/
 */
export const ACCUMULATORS: Readonly<Record<string, ParseOperator>> = {
  $avg: define(computeAverage),
  $max: define(findExtreme(-1), 'all'),
  $mergeObjects: define(mergeObjects),
  $median: parseMedian,
  $min: define(findExtreme(1), 'all'),
  $percentile: parsePercentile,
  $stdDevPop: define(computeDeviation(false)),
  $stdDevSamp: define(computeDeviation(true)),
  $sum: define(computeSum, 'all'),
}
