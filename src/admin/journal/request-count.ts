import { ParameterInvalid } from '../../errors.js'
import { isJsonObject } from '../../json/json.js'
import { quote } from '../../json/quote.js'

/** The numbers of requests that are expected. */
export interface RequestCount {
  readonly min: number
  /** Null if there is no maximum. */
  readonly max: number | null
}

const AT_LEAST_ONE: RequestCount = { min: 1, max: null }

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0

/**
 * Parses an expected number of requests: a number, or an object with a `min`, a `max` or both. Without
 * one, at least one request is expected.
 * @throws ParameterInvalid for anything else
 */
export function parseRequestCount(count: unknown): RequestCount {
  if (count === undefined) return AT_LEAST_ONE
  if (isCount(count)) return { min: count, max: count }
  if (isJsonObject(count)) {
    const { min = 0, max = null } = count
    const isKnown = Object.keys(count).every((key) => key === 'min' || key === 'max')
    const isRange = isCount(min) && (max === null || (isCount(max) && max >= min))
    if (isKnown && isRange && Object.keys(count).length > 0) return { min, max }
    if (isKnown && isCount(min) && isCount(max))
      throw new ParameterInvalid(`count.min must be at most count.max, ${max}, not ${min}`)
  }
  throw new ParameterInvalid(
    `count must be an integer from 0, or a range such as {"min": 1, "max": 3}, not ${quote(count)}`,
  )
}

/** Describes the expected numbers: `2`, `at least 1`, `at most 3`, `1 to 3`. */
export function describeCount({ min, max }: RequestCount): string {
  if (min === max) return String(min)
  if (max === null) return `at least ${min}`
  return min === 0 ? `at most ${max}` : `${min} to ${max}`
}
