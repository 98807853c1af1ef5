import { prependKey, throwViolation, violation } from './find-violation.js'
import type { Violation } from './find-violation.js'
import type { InputPath } from './input-path.js'
import { isPlainObject, quote } from './quote.js'

/**
 * Finds the first value that JSON does not have: `undefined`, a number that is not finite, a
 * `BigInt`, a symbol, a function, an instance of a class other than arrays (a `Date`, a `Map`), or an
 * object that contains itself. `JSON.stringify` would drop or replace most of these silently.
 * @param maxDepth the number of nested objects and arrays allowed; `{"a": 1}` has one level
 */
export const findNonJson = (value: unknown, maxDepth: number): Violation | undefined =>
  find(value, maxDepth, [])

/**
 * Checks that a value of this process is JSON, before it is treated as the input of a request.
 * @throws the path's error for the first value that JSON does not have; its limitError for a value
 * with more than `maxDepth` levels
 */
export function checkIsJson(value: unknown, path: InputPath, maxDepth: number): void {
  const found = findNonJson(value, maxDepth)
  if (found !== undefined) throwViolation(found, path)
}

function find(value: unknown, maxDepth: number, ancestors: object[]): Violation | undefined {
  if (typeof value !== 'object' || value === null)
    return isJsonScalar(value) ? undefined : describeNonJson(value)
  if (ancestors.includes(value)) return violation('must not contain itself')
  if (ancestors.length === maxDepth)
    return violation(`must have at most ${maxDepth} levels of JSON`, 'depth')

  if (!Array.isArray(value) && !isPlainObject(value)) return describeNonJson(value)
  const [symbol] = Object.getOwnPropertySymbols(value)
  if (symbol !== undefined) return violation(`must not have the key ${String(symbol)}`)
  ancestors.push(value)
  // The keys of an array include those of its holes, which are undefined.
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const found = find(
      (value as Readonly<Record<string | number, unknown>>)[key],
      maxDepth,
      ancestors,
    )
    if (found !== undefined) return prependKey(key, found)
  }
  ancestors.pop()
  return undefined
}

const isJsonScalar = (value: unknown): boolean =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))

const describeNonJson = (value: unknown): Violation =>
  violation(`must be a JSON value, not ${quote(value)}${describeRemedy(value)}`)

/** Describes what to write in place of a value that JSON does not have. */
function describeRemedy(value: unknown): string {
  if (value === undefined) return '; leave it out'
  if (value instanceof Date) return '; write its toISOString()'
  if (value instanceof RegExp) return `; as a condition of a query it is ${toCondition(value)}`
  return ''
}

/** Returns the JSON of the condition that stands for a regular expression. */
function toCondition({ source, flags }: RegExp): string {
  const options = flags.replace(/[^ims]/g, '')
  return JSON.stringify({ $regex: source, ...(options && { $options: options }) })
}
