import type { Json } from '../../json/json.js'
import { isWellFormed } from './sample.js'

/** The longest string that a query has. */
const MAX_LENGTH = 200

/** A date as JSON shows it. A deployment may store it as a date, which equals no string. */
const DATE = /^\d{4}-\d\d-\d\dT/

/** A value, or undefined where an item has none. */
export type Value = Json | undefined

/** Whether a value is a string that can be queried by. */
export const isText = (value: Value): value is string =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= MAX_LENGTH &&
  isWellFormed(value) &&
  !value.includes('\0') &&
  !DATE.test(value)

/**
 * Whether a value is a number that can be queried by. A deployment may hold integers of 64 bits,
 * which JavaScript rounds, and may round what is smaller or larger than any measured quantity.
 */
export const isQuantity = (value: Value): value is number =>
  typeof value === 'number' &&
  (value === 0 || (Math.abs(value) > 1e-12 && Math.abs(value) <= Number.MAX_SAFE_INTEGER))

/** Whether a value is a string, even one that can't be queried by. */
export const isString = (value: Value): value is string => typeof value === 'string'

/** Whether a value is no array and no object. */
export const isScalar = (value: Value): boolean => typeof value !== 'object' || value === null

/** Compares two strings by their code points, as MongoDB does; JavaScript compares UTF-16. */
export const compareStrings = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Returns the distinct values, in the order of their first occurrence. */
export const distinct = <T extends Json>(values: readonly T[]): T[] => [...new Set(values)]
