import type { Json } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import type { InputPath } from '../../json/input-path.js'
import type { Test } from '../values/paths.js'

/** 64 bits as two signed halves: mingo takes no BigInt, and halves are faster. */
export interface Bits {
  readonly high: number
  readonly low: number
}

/**
 * The operand of a bit operator as a mask: a whole number from 0, or a list of positions from 0.
 * Positions above 63 ask for the sign, as MongoDB extends it
 * (https://www.mongodb.com/docs/manual/reference/operator/query-bitwise/).
 */
export function bitMask(operand: Json, place: InputPath): Bits {
  if (Array.isArray(operand)) return maskOf(operand, place)
  if (isWholeBelow(operand, 2 ** 63)) return bitsOf(operand)
  throw place.error(`must be a whole number from 0 or a list of positions, not ${quote(operand)}`)
}

function maskOf(positions: readonly Json[], place: InputPath): Bits {
  let [high, low] = [0, 0]
  for (const [index, position] of positions.entries()) {
    if (!isWholeBelow(position, 2 ** 31))
      throw place.child(index).error(`must be a bit's position from 0, not ${quote(position)}`)

    if (position < 32) low |= 1 << position
    else high |= 1 << (Math.min(position, 63) - 32)
  }
  return { high, low }
}

const isWholeBelow = (value: Json, limit: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < limit

/** The two's complement of a whole number within 64 bits. */
function bitsOf(number: number): Bits {
  const high = Math.floor(number / 2 ** 32)
  return { high: high | 0, low: (number - high * 2 ** 32) | 0 }
}

/** Whether the bits of a mask are set in a number: all of them, or any. */
export const bitsSet = (mask: Bits, wanted: 'all' | 'any'): Test =>
  onWholeNumber(mask, ({ high, low }) =>
    wanted === 'all' ? high === mask.high && low === mask.low : high !== 0 || low !== 0,
  )

/** Whether the bits of a mask are clear in a number: all of them, or any. */
export const bitsClear = (mask: Bits, wanted: 'all' | 'any'): Test =>
  onWholeNumber(mask, ({ high, low }) =>
    wanted === 'all' ? high === 0 && low === 0 : high !== mask.high || low !== mask.low,
  )

/** Judges the masked bits of a candidate. Only a whole number within 64 bits has bits. */
const onWholeNumber =
  (mask: Bits, test: (masked: Bits) => boolean): Test =>
  (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || !isInt64(value)) return false
    const { high, low } = bitsOf(value)
    return test({ high: high & mask.high, low: low & mask.low })
  }

/** Whether a whole number fits a signed integer of 64 bits. */
export const isInt64 = (number: number): boolean => number >= -(2 ** 63) && number < 2 ** 63
