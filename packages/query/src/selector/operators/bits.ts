import { Type } from '@sinclair/typebox'

import { quote } from '@materials-mock/json'
import type { InputPath, Json } from '@materials-mock/json'
import type { CandidateTest } from '../../values/compile-path.js'
import { isInt64 } from '../../values/value.js'
import { defineTest } from '../operator.js'

const Mask = Type.Union([
  Type.Integer({ minimum: 0 }),
  Type.Array(Type.Integer({ minimum: 0 }), { description: 'The positions of the bits.' }),
])

/** Defines a test of the masked bits of a number. Only integers within 64 bits can pass. */
const define = (isMatch: (masked: Bits, mask: Bits) => boolean) =>
  defineTest({
    schema: Mask,
    parseOperand: parseBitMask,
    compile:
      (mask): CandidateTest =>
      (value) => {
        if (typeof value !== 'number' || !isInt64(value)) return false
        const { high, low } = toBits(value)
        return isMatch({ high: high & mask.high, low: low & mask.low }, mask)
      },
  })

/** https://www.mongodb.com/docs/manual/reference/operator/query-bitwise/ */
export const BITS = {
  $bitsAllSet: define(({ high, low }, mask) => high === mask.high && low === mask.low),
  $bitsAllClear: define(({ high, low }) => high === 0 && low === 0),
  $bitsAnySet: define(({ high, low }) => high !== 0 || low !== 0),
  $bitsAnyClear: define(({ high, low }, mask) => high !== mask.high || low !== mask.low),
}

/** 64 bits as two signed halves of 32, which are faster than a BigInt. */
interface Bits {
  readonly high: number
  readonly low: number
}

/**
 * An integer from 0, or bit positions from 0. Those above 63 address the sign bit, as in MongoDB.
 * @throws the path's error
 */
function parseBitMask(operand: Json, path: InputPath): Bits {
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
