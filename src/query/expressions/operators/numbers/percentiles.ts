import type { Json } from '../../../../json/json.js'
import { quote } from '../../../../json/quote.js'
import { isArray, isNumeric, makeDouble, toDouble } from '../../../values/value.js'
import { fold } from '../../parse-context.js'
import type { Expression, ParseContext, ParseOperator } from '../../parse-context.js'
import type { Scope } from '../../scope.js'
import type { Value } from '../../../values/value.js'

/** The method that MongoDB 8.0 has. Of an array, its expressions return exact percentiles. */
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
  const fractions = parseFractions(operands.p as Json, context.child('p'))
  const input = parseInput(operands, context)
  const { scope } = context
  return fold({ evaluate: () => computePercentiles(input, fractions, scope) }, [input], context)
}

function parseInput(
  { input, method }: Readonly<Record<string, Json>>,
  context: ParseContext,
): Expression {
  if (method !== METHOD)
    throw context.child('method').path.error(`must be "${METHOD}", not ${quote(method as Json)}`)
  return context.child('input').parse(input as Json)
}

/** MongoDB evaluates `p` when it parses the expression, wherever it stands. */
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
 * Returns the percentiles of a number, or of the numbers in an array; other values are ignored.
 * Without a number, each is null. A percentile is one of the numbers: of `n` in ascending order,
 * that at position `ceil(n * p) - 1`.
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
    return makeDouble(numbers[position] as number)
  })
}

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/percentile/ */
export const PERCENTILES: Readonly<Record<string, ParseOperator>> = {
  $median: parseMedian,
  $percentile: parsePercentile,
}
