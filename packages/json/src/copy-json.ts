import { findViolation, throwViolation } from './find-violation.js'
import type { Violation } from './find-violation.js'
import type { InputPath } from './input-path.js'
import { isJsonObject } from './json.js'
import type { Json, JsonObject } from './json.js'
import { isPlainObject, quote } from './quote.js'

export const copyJson = (value: unknown): Json => JSON.parse(JSON.stringify(value))

/** @throws the path's error for what JSON can't express, its limitError for too many levels */
export function copyInput(value: unknown, path: InputPath, maxDepth: number): Json {
  const violation = findNonJson(value, maxDepth)
  if (violation !== undefined) throwViolation(violation, path)
  return copyJson(value)
}

/**
 * As `copyInput` does.
 * @throws as it does, and the path's error for what is not an object
 */
export function copyObjectInput(value: unknown, path: InputPath, maxDepth: number): JsonObject {
  if (!isJsonObject(value)) throw path.error(`must be an object, not ${quote(value)}`)
  return copyInput(value, path, maxDepth) as JsonObject
}

/**
 * Finds the first value that JSON can't express: `undefined`, a number that is not finite, a `BigInt`, a
 * symbol, a function, or an instance of a class other than arrays (a `Date`, a `Map`). `JSON.stringify`
 * would drop or replace most of these silently. An object that contains itself has too many levels.
 * @param maxDepth the largest number of levels of objects and arrays; `{"a": 1}` has one level
 */
export const findNonJson = (value: unknown, maxDepth: number): Violation | undefined =>
  findViolation(value, { maxDepth, checkValue: describeNonJson })

function describeNonJson(value: unknown): string | undefined {
  if (isJsonScalar(value)) return undefined
  if (typeof value !== 'object' || !(Array.isArray(value) || isPlainObject(value)))
    return `must be a JSON value, not ${quote(value)}${describeRemedy(value)}`
  const [symbol] = Object.getOwnPropertySymbols(value)
  return symbol && `must not have the key ${String(symbol)}`
}

const isJsonScalar = (value: unknown): value is string | number | boolean | null =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))

/** Describes the replacement of a value that JSON can't express. */
function describeRemedy(value: unknown): string {
  if (value === undefined) return '; leave it out'
  if (value instanceof Date) return '; write its toISOString()'
  if (value instanceof RegExp) return `; as a condition of a query it is ${toCondition(value)}`
  return ''
}

function toCondition({ source, flags }: RegExp): string {
  const options = flags.replace(/[^ims]/g, '')
  return JSON.stringify({ $regex: source, ...(options && { $options: options }) })
}
