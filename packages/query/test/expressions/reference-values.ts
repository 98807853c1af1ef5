import type { Json } from '@materials-mock/json'
import { compareKeys, toKey } from '../reference.js'

/** A number with its type. An `int` and a `long` are integers. */
export type Tagged = { readonly type: 'int' | 'long'; readonly big: bigint } | Float
export interface Float {
  readonly type: 'double'
  readonly float: number
}

/** A value; undefined is a missing one. */
export type Value = undefined | null | boolean | string | Tagged | readonly Value[] | Fields
/** The fields of an object, in order. */
export type Fields = ReadonlyMap<string, Value>

export const fail = (message: string): never => {
  throw new ReferenceError(message)
}

export function fromJson(json: Json): Value {
  if (typeof json === 'number') return toTagged(json)
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return json.map(fromJson)
  return new Map(Object.entries(json).map(([name, field]) => [name, fromJson(field)]))
}

export function toTagged(number: number): Tagged {
  if (!Number.isInteger(number)) return { type: 'double', float: number }
  const big = BigInt(number)
  return { type: big >= -(2n ** 31n) && big < 2n ** 31n ? 'int' : 'long', big }
}

/** Returns a value as JSON. */
export function toPlain(value: Value): Json | undefined {
  if (isTagged(value)) return toNumber(value)
  if (isArray(value)) return value.map((element) => toPlain(element) as Json)
  if (isFields(value))
    return Object.fromEntries([...value].map(([name, field]) => [name, toPlain(field) as Json]))
  return value as Json | undefined
}

export const isArray = (value: Value): value is readonly Value[] => Array.isArray(value)
export const isFields = (value: Value): value is Fields => value instanceof Map
export const isTagged = (value: Value): value is Tagged =>
  typeof value === 'object' && value !== null && !isArray(value) && !isFields(value)
export const isNullish = (value: Value): value is null | undefined =>
  value === null || value === undefined
export const toNumber = (value: Tagged): number =>
  value.type === 'double' ? value.float : Number(value.big)
export const isTrue = (value: Value): boolean =>
  isTagged(value) ? toNumber(value) !== 0 : value !== false && !isNullish(value)
export const compare = (a: Value, b: Value): number =>
  compareKeys(toKey(toPlain(a)), toKey(toPlain(b)))
export const double = (float: number): Tagged => ({ type: 'double', float })
export const int = (number: number): Tagged => ({ type: 'int', big: BigInt(number) })

const LONGEST = 2n ** 63n
export const isLong = (big: bigint): boolean => big >= -LONGEST && big < LONGEST

/** Returns an integer, a `long` if an operand was one or if it has more than 32 bits. */
export const integer = (big: bigint, ...operands: readonly Tagged[]): Tagged => ({
  type:
    operands.some(({ type }) => type === 'long') || big < -(2n ** 31n) || big >= 2n ** 31n
      ? 'long'
      : 'int',
  big,
})

export function getType(value: Value): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (isTagged(value)) return value.type
  if (isArray(value)) return 'array'
  if (isFields(value)) return 'object'
  return typeof value === 'boolean' ? 'bool' : 'string'
}

export function calculate(name: '$add' | '$multiply', values: readonly Tagged[]): Tagged {
  return values.reduce<Tagged>(
    (total, value) => {
      const [a, b] = [toNumber(total), toNumber(value)]
      const float = double(name === '$add' ? a + b : a * b)
      if (total.type === 'double' || value.type === 'double') return float
      const big = name === '$add' ? total.big + value.big : total.big * value.big
      return isLong(big) ? integer(big, total, value) : float
    },
    int(name === '$add' ? 0 : 1),
  )
}

export function toSet(values: readonly Value[]): readonly Value[] {
  const different: Value[] = []
  for (const value of values) if (!includes(different, value)) different.push(value)
  return different.toSorted(compare)
}

export const includes = (values: readonly Value[], value: Value): boolean =>
  values.some((each) => compare(each, value) === 0)

export const asArray = (value: Value): readonly Value[] =>
  isArray(value) ? value : fail('no array')
export const asText = (value: Value): string =>
  typeof value === 'string' ? value : fail('no string')
export const asInt = (value: Value): number => {
  const number = isTagged(value) ? toNumber(value) : fail('no number')
  return Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? number : fail('no integer')
}

/** JavaScript puts names that are positions first, in items too (docs/decisions/query.md). */
export function toFields(entries: readonly (readonly [string, Value])[]): Fields {
  const fields = new Map(entries)
  return new Map(
    Object.keys(Object.fromEntries(fields)).map((name) => [name, fields.get(name)] as const),
  )
}

export function toDifferent(values: readonly Value[]): readonly Value[] {
  const different: Value[] = []
  for (const value of values) if (!includes(different, value)) different.push(value)
  return different
}

export function toText(value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  // Only numbers of few digits occur in the tests, which C and JavaScript write in the same way.
  return isTagged(value) ? String(toNumber(value)) : fail('no text')
}

/** The text that an operator of texts reads: MongoDB writes the double with 16 digits, as `%.16g` does. */
export function toOperandText(value: Value): string {
  const isDouble = isTagged(value) && value.type === 'double'
  if (!isDouble) return toText(value)
  const text = String(Number(toNumber(value).toPrecision(16)))
  return text.replace('Infinity', 'inf').replace('NaN', 'nan') // as C's printf
}

/** Drops the fraction of a number; a text has none. */
export function toInteger(value: Value, type: 'int' | 'long'): Tagged {
  const limit = type === 'int' ? 2n ** 31n : LONGEST
  const big =
    typeof value === 'boolean'
      ? BigInt(value)
      : isTagged(value)
        ? toWhole(value)
        : /^[+-]?\d+$/.test(asText(value))
          ? BigInt(asText(value).replace('+', ''))
          : fail('no number')
  const isBeyond =
    isTagged(value) && type === 'int' && Math.abs(toNumber(value) + 0.5) > 2 ** 31 - 0.5
  return big >= -limit && big < limit && !isBeyond ? { type, big } : fail('too many bits')
}

const toWhole = (value: Tagged): bigint =>
  value.type !== 'double'
    ? value.big
    : Number.isFinite(value.float)
      ? BigInt(Math.trunc(value.float))
      : fail('not finite')
