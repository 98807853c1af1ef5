import { type Json } from '../schemas/json.js'
import { type Test } from './paths.js'
import { type Place, quote } from './place.js'

/**
 * The operand of a bit operator as a mask of 64 bits: a whole number from 0, or a list of positions
 * from 0. Positions above 63 ask for the sign, as MongoDB extends it
 * (https://www.mongodb.com/docs/manual/reference/operator/query-bitwise/).
 */
export function bitMask(operand: Json, place: Place): bigint {
  if (Array.isArray(operand)) {
    return (operand as readonly Json[]).reduce<bigint>((mask, position, index) => {
      if (!isWholeBelow(position, 2 ** 31)) {
        throw place.at(index).invalid(`must be a bit's position from 0, not ${quote(position)}`)
      }
      return mask | (1n << BigInt(Math.min(position, 63)))
    }, 0n)
  }
  if (isWholeBelow(operand, 2 ** 63)) return BigInt(operand)
  throw place.invalid(`must be a whole number from 0 or a list of positions, not ${quote(operand)}`)
}

const isWholeBelow = (value: Json, limit: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < limit

/** Whether the bits of a mask are set in a number: all of them, or any. */
export const bitsSet = (mask: bigint, wanted: 'all' | 'any'): Test => {
  return onInteger((bits) => (wanted === 'all' ? (bits & mask) === mask : (bits & mask) !== 0n))
}

/** Whether the bits of a mask are clear in a number: all of them, or any. */
export const bitsClear = (mask: bigint, wanted: 'all' | 'any'): Test => {
  return onInteger((bits) => (wanted === 'all' ? (bits & mask) === 0n : (bits & mask) !== mask))
}

// Only a number without a fraction, within 64 bits, has bits.
const onInteger =
  (test: (bits: bigint) => boolean): Test =>
  (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return false
    if (value < -(2 ** 63) || value >= 2 ** 63) return false
    return test(BigInt.asUintN(64, BigInt(value)))
  }
