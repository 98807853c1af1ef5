import {
  getNumberType,
  isLong,
  isNullish,
  makeDouble,
  makeIntegerOf,
  toDouble,
  toInt,
  toLong,
} from '../../values/value.js'
import { defineFunction } from '../define-function.js'
import { NUMBER } from '../parse-context.js'
import type { ParseOperator } from '../parse-context.js'
import type { Scope } from '../scope.js'

/** Rounds a quotient of integers from its integer part, the remainder and the divisor. */
type Round = (quotient: bigint, remainder: bigint, divisor: bigint) => bigint

const MIN_PLACE = -20
const MAX_PLACE = 100

const truncate: Round = (quotient) => quotient

/** Rounds a half to the even neighbour. */
const roundHalfToEven: Round = (quotient, remainder, divisor) => {
  const twice = remainder * 2n
  const isAbove = twice > divisor || (twice === divisor && quotient % 2n === 1n)
  return isAbove ? quotient + 1n : quotient
}

/** Defines `$round` or `$trunc`: of a number, to a place after the decimal point. */
function defineRound(round: Round): ParseOperator {
  return defineFunction(
    ([operand, placeOperand], context) => {
      const operandValue = operand?.()
      if (isNullish(operandValue)) return null
      const value = context.take(NUMBER, operandValue)
      const placeValue = placeOperand === undefined ? 0 : placeOperand()
      if (isNullish(placeValue)) return null
      const place = toInt(placeValue)
      if (place === undefined || place < MIN_PLACE || place > MAX_PLACE) {
        throw context.valueError(
          `must have a place that is an integer from ${MIN_PLACE} to ${MAX_PLACE}`,
          placeValue,
        )
      }
      const type = getNumberType(value)
      if (type === 'double')
        return makeDouble(roundDouble(toDouble(value), place, round, context.scope))
      if (place >= 0) return value
      const unit = 10n ** BigInt(-place)
      const rounded = divide(toLong(value)!, unit, round) * unit
      if (!isLong(rounded)) throw context.path.error('must have a result of 64 bits')
      return makeIntegerOf(rounded, type)
    },
    { min: 1, max: 2 },
  )
}

/** Rounds the exact value of a double; 2.5 is exact, 0.15 is a little less. */
function roundDouble(value: number, place: number, round: Round, scope: Scope): number {
  if (!Number.isFinite(value) || value === 0) return value
  const { mantissa, exponent } = decompose(Math.abs(value))
  // The integers have about so many words.
  scope.spend((Math.abs(exponent) + 3 * Math.abs(place)) >> 4)
  const scaled = mantissa * 10n ** BigInt(Math.max(place, 0)) * 2n ** BigInt(Math.max(exponent, 0))
  const divisor = 10n ** BigInt(Math.max(-place, 0)) * 2n ** BigInt(Math.max(-exponent, 0))
  const magnitude = Number(`${divide(scaled, divisor, round)}e${-place}`)
  return value < 0 ? -magnitude : magnitude
}

/** Divides, and rounds the magnitude of the quotient. */
function divide(dividend: bigint, divisor: bigint, round: Round): bigint {
  if (dividend < 0n) return -divide(-dividend, divisor, round)
  return round(dividend / divisor, dividend % divisor, divisor)
}

/** Returns the integers for which a positive double is `mantissa * 2 ** exponent`. */
function decompose(value: number): { mantissa: bigint; exponent: number } {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  const raw = bits.getBigUint64(0)
  const biased = Number(raw >> 52n)
  const fraction = raw & (2n ** 52n - 1n)
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction + 2n ** 52n, exponent: biased - 1075 }
}

/** `$round` and `$trunc`: https://www.mongodb.com/docs/manual/reference/operator/aggregation/round/ */
export const ROUNDING: Readonly<Record<string, ParseOperator>> = {
  $round: defineRound(roundHalfToEven),
  $trunc: defineRound(truncate),
}
