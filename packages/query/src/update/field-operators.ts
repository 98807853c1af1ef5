import { Type } from '@sinclair/typebox'

import { isJsonObject, quote } from '@materials-mock/json'
import type { InputPath, Json, JsonObject } from '@materials-mock/json'
import { compareValues, equalValues } from '../values/compare-values.js'
import { getField, isContainer } from '../values/path.js'
import { isInt64 } from '../values/value.js'
import { defineUpdate, parseUpdatePath } from './field-update.js'
import type { FieldUpdate, UpdatePlace, UpdateSegment, ValueUpdate } from './field-update.js'
import { checkStoredValue } from './stored-value-rules.js'

const Integer = Type.Optional(Type.Integer())

/** https://www.mongodb.com/docs/manual/reference/operator/update-field/, and `$bit`. */
export const FIELD_UPDATES = {
  $rename: { schema: Type.String({ description: 'The new path.' }), compile: compileRename },
  $set: defineUpdate(Type.Unknown(), compileSet),
  /** As in MongoDB, the operand has no effect. */
  $unset: defineUpdate(Type.Unknown(), () => ({
    createsPath: false,
    ignoresBlockedPath: true,
    apply: () => undefined,
  })),
  $inc: defineUpdate(
    Type.Number(),
    compileArithmetic('+', (value, number) => value + number),
  ),
  $mul: defineUpdate(
    Type.Number(),
    compileArithmetic('*', (value, number) => value * number),
  ),
  $min: defineUpdate(Type.Unknown(), compileExtreme(-1)),
  $max: defineUpdate(Type.Unknown(), compileExtreme(1)),
  $bit: defineUpdate(Type.Object({ and: Integer, or: Integer, xor: Integer }), compileBit),
  $currentDate: defineUpdate(
    Type.Union([Type.Boolean(), Type.Object({ $type: Type.Literal('date') })]),
    compileCurrentDate,
  ),
}

function compileSet(operand: Json, path: InputPath): ValueUpdate {
  checkStoredValue(operand, path)
  return {
    createsPath: true,
    apply: (value) => (value !== undefined && equalValues(value, operand) ? value : operand),
  }
}

/** Adds a number to a field, or multiplies it. A missing field counts as 0. */
function compileArithmetic(
  sign: string,
  calculate: (value: number, operand: number) => number,
): (operand: Json, path: InputPath) => ValueUpdate {
  return (operand, path) => {
    if (typeof operand !== 'number') throw path.error(`must be a number, not ${quote(operand)}`)
    const apply = (value: Json = 0): Json => {
      if (typeof value !== 'number') throw path.error(`must apply to a number, not ${quote(value)}`)
      const result = calculate(value, operand)
      if (!Number.isFinite(result)) {
        throw path.error(
          `must result in a number that a double can hold, not ${value} ${sign} ${operand}`,
        )
      }
      // MongoDB has 64 bits for the result of two integers.
      if (isInt64(value) && isInt64(operand) && !isInt64(result)) {
        throw path.error(
          `must result in an integer within 64 bits, not ${value} ${sign} ${operand}`,
        )
      }
      // JSON has no -0.
      return result + 0
    }
    return { createsPath: true, apply }
  }
}

/**
 * In MongoDB's order of all types. A missing field is set.
 * @param direction 1 for the greater value
 */
function compileExtreme(direction: 1 | -1): (operand: Json, path: InputPath) => ValueUpdate {
  return (operand, path) => {
    checkStoredValue(operand, path)
    return {
      createsPath: true,
      apply: (value) =>
        value !== undefined && direction * compareValues(operand, value) <= 0 ? value : operand,
    }
  }
}

const BIT_OPERATIONS: ReadonlyMap<string, (a: bigint, b: bigint) => bigint> = new Map([
  ['and', (a: bigint, b: bigint) => a & b],
  ['or', (a: bigint, b: bigint) => a | b],
  ['xor', (a: bigint, b: bigint) => a ^ b],
])

/** Applies `and`, `or` and `xor` to an integer, in the order of the operand. A missing field counts as 0. */
function compileBit(operand: Json, path: InputPath): ValueUpdate {
  if (!isJsonObject(operand) || Object.keys(operand).length === 0)
    throw path.error(`must be an object of and, or and xor, not ${quote(operand)}`)

  const operations = Object.entries(operand).map(([name, number]) => {
    const operation = BIT_OPERATIONS.get(name)
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

const isInteger = (value: Json): value is number => typeof value === 'number' && isInt64(value)

/** Sets a field to the time of the update, in the format of `updatedAt`. */
function compileCurrentDate(operand: Json, path: InputPath): ValueUpdate {
  const { $type: type, ...others } = isJsonObject(operand) ? operand : { $type: 'date' }
  // JSON can't express a timestamp.
  if (type === 'timestamp')
    throw path.error('must be true or {"$type":"date"}: a timestamp is not supported')
  const isDate = typeof operand === 'boolean' || (isJsonObject(operand) && type === 'date')
  if (!isDate || Object.keys(others).length > 0)
    throw path.error(`must be true or {"$type":"date"}, not ${quote(operand)}`)
  return { createsPath: true, apply: (_value, _item, now) => new Date(now).toISOString() }
}

/** Renames a field in two updates: of the new path and of the old path. Neither may go through an array. */
function compileRename(to: Json, { fieldPath: from, path }: UpdatePlace): FieldUpdate[] {
  if (typeof to !== 'string') throw path.error(`must be the new path, not ${quote(to)}`)
  const source = parseStaticPath(from, path)
  const target = parseStaticPath(to, path)
  if (`${to}.`.startsWith(`${from}.`) || `${from}.`.startsWith(`${to}.`))
    throw path.error(`must not be on the same path as ${quote(to)}`)

  const findSource = (item: JsonObject): Json | undefined => findRenamed(item, source, path)
  const isInert = (item: JsonObject): boolean => findSource(item) === undefined
  const common = { path, isInert, writtenLength: 0 }
  return [
    {
      ...common,
      segments: target,
      createsPath: true,
      forbidsArrays: true,
      apply: (_value, item) => findSource(item),
    },
    { ...common, segments: source, createsPath: false, apply: () => undefined },
  ]
}

function parseStaticPath(fieldPath: string, path: InputPath): readonly UpdateSegment[] {
  const segments = parseUpdatePath(fieldPath, path)
  const dynamic = segments.find(({ identifier }) => identifier !== undefined)
  if (dynamic === undefined) return segments
  throw path.error(`must not have "${dynamic.name}" in its old or new path`)
}

/** Returns the value to rename, or undefined. */
function findRenamed(
  item: JsonObject,
  segments: readonly UpdateSegment[],
  path: InputPath,
): Json | undefined {
  let value: Json | undefined = item
  let isInArray = false
  for (const segment of segments) {
    if (value === undefined) return undefined
    if (!isContainer(value) || (Array.isArray(value) && segment.index < 0))
      throw path.error(`must not go through ${quote(value)}`)
    isInArray ||= Array.isArray(value)
    value = getField(value, segment)
  }
  if (value !== undefined && isInArray) throw path.error('must not rename in an array')
  return value
}
