import type { InputPath } from '../../json/input-path.js'
import type { Json } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import type { CandidateTest } from '../values/compile-path.js'

/** 64 bits as two signed halves of 32: mingo accepts no BigInt, and halves are faster. */
export interface Bits {
  readonly high: number
  readonly low: number
}

/**
 * Parses the operand of a bitwise operator: an integer from 0, or an array of bit positions from 0.
 * Positions above 63 address the sign bit, because MongoDB extends it
 * (https://www.mongodb.com/docs/manual/reference/operator/query-bitwise/).
 * @throws the path's error for another operand
 */
export function parseBitMask(operand: Json, path: InputPath): Bits {
  if (Array.isArray(operand)) return parsePositions(operand, path)
  if (isIntegerBelow(operand, 2 ** 63)) return toBits(operand)
  throw path.error(`must be an integer from 0 or an array of positions, not ${quote(operand)}`)
}

function parsePositions(positions: readonly Json[], path: InputPath): Bits {
  let [high, low] = [0, 0]
  for (const [index, position] of positions.entries()) {
    if (!isIntegerBelow(position, 2 ** 31))
      throw path.child(index).error(`must be a bit's position from 0, not ${quote(position)}`)

    if (position < 32) low |= 1 << position
    else high |= 1 << (Math.min(position, 63) - 32)
  }
  return { high, low }
}

const isIntegerBelow = (value: Json, limit: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < limit

/** Converts an integer within 64 bits to its two's complement. */
function toBits(integer: number): Bits {
  const high = Math.floor(integer / 2 ** 32)
  return { high: high | 0, low: (integer - high * 2 ** 32) | 0 }
}

/** Compiles `$bitsAllSet` or `$bitsAnySet`: are all or any bits of the mask set in a number? */
export const compileBitsSet = (mask: Bits, quantifier: 'all' | 'any'): CandidateTest =>
  compileMaskedTest(mask, ({ high, low }) =>
    quantifier === 'all' ? high === mask.high && low === mask.low : high !== 0 || low !== 0,
  )

/** Compiles `$bitsAllClear` or `$bitsAnyClear`: are all or any bits of the mask clear in a number? */
export const compileBitsClear = (mask: Bits, quantifier: 'all' | 'any'): CandidateTest =>
  compileMaskedTest(mask, ({ high, low }) =>
    quantifier === 'all' ? high === 0 && low === 0 : high !== mask.high || low !== mask.low,
  )

/** Compiles a test of the masked bits of a number. Only integers within 64 bits can pass. */
function compileMaskedTest(mask: Bits, test: (masked: Bits) => boolean): CandidateTest {
  return (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || !isInt64(value)) return false
    const { high, low } = toBits(value)
    return test({ high: high & mask.high, low: low & mask.low })
  }
}

/** Whether an integer is in the range of a signed 64-bit integer. */
export const isInt64 = (integer: number): boolean => integer >= -(2 ** 63) && integer < 2 ** 63
