import type { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import type { Json } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import { isInt64 } from '../../selector/bits.js'
import type { ValueUpdate } from '../field-update.js'

const OPERATIONS: ReadonlyMap<string, (a: bigint, b: bigint) => bigint> = new Map([
  ['and', (a: bigint, b: bigint) => a & b],
  ['or', (a: bigint, b: bigint) => a | b],
  ['xor', (a: bigint, b: bigint) => a ^ b],
])

/**
 * Compiles `$bit`, which applies `and`, `or` and `xor` to an integer, in the order of the operand
 * (https://www.mongodb.com/docs/manual/reference/operator/update/bit/). A missing field counts as 0.
 * @throws BodyInvalid for an operand that MongoDB rejects
 */
export function compileBit(operand: Json, path: InputPath): ValueUpdate {
  if (!isJsonObject(operand) || Object.keys(operand).length === 0)
    throw path.error(`must be an object of and, or and xor, not ${quote(operand)}`)

  const operations = Object.entries(operand).map(([name, number]) => {
    const operation = OPERATIONS.get(name)
    const namePath = path.child(name)
    if (operation === undefined) throw namePath.error('is not an operation of $bit: and, or, xor')
    if (!isInteger(number)) throw namePath.error(`must be an integer, not ${quote(number)}`)
    const bits = BigInt(number)
    return (value: bigint): bigint => operation(value, bits)
  })
  return {
    createsPath: true,
    apply: (value = 0) => {
      if (!isInteger(value)) throw path.error(`must apply to an integer, not ${quote(value)}`)
      return Number(operations.reduce((bits, operate) => operate(bits), BigInt(value)))
    },
  }
}

const isInteger = (value: Json): value is number =>
  typeof value === 'number' && Number.isInteger(value) && isInt64(value)
