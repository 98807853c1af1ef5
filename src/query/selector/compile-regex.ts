import type { InputPath } from '../../json/input-path.js'
import type { Json, JsonObject } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import { compilePattern, MAX_SIZE } from '../compile-pattern.js'
import type { CompiledPattern } from '../compile-pattern.js'
import { MAX_PATTERN } from '../limits.js'
import { sumPatternSizes } from './ast.js'
import type { Expression } from './ast.js'

/** The number of characters of all patterns of a query together. */
const MAX_TOTAL_LENGTH = 4 * MAX_PATTERN

/**
 * The estimated size of all patterns of a query together, in nodes. V8 compiles them at the first
 * item, which nothing interrupts.
 */
const MAX_TOTAL_SIZE = 2 * MAX_SIZE

/**
 * Compiles the `$regex` and `$options` of a condition
 * (https://www.mongodb.com/docs/manual/reference/operator/query/regex/).
 * @throws the path's error for a pattern that MongoDB rejects or that has no exact equivalent in
 * JavaScript; its limitError for a pattern that is too long or too expensive to compile
 */
export function compileRegex(condition: JsonObject, path: InputPath): CompiledPattern {
  const { $regex: pattern, $options: options = '' } = condition
  if (typeof pattern !== 'string')
    throw path.error(`must be a string, not ${quote(pattern ?? null)}`)
  if (typeof options !== 'string' || !/^[imsxu]*$/.test(options))
    throw path.error(`must have $options of the letters i, m, s and x, not ${quote(options)}`)
  return compilePattern(pattern, options, path)
}

/**
 * Checks the size of all regular expressions of a query or of an `$elemMatch` in `fields`.
 * @throws the path's limitError if they are too expensive to compile together
 */
export function checkPatternSizes(expressions: readonly Expression[], path: InputPath): void {
  if (sumPatternSizes(expressions) > MAX_TOTAL_SIZE) {
    throw path.limitError(
      `must have regular expressions with a compiled size of at most ${MAX_TOTAL_SIZE} nodes together`,
    )
  }
}

/**
 * Checks the length of all regular expressions in a query, `fields` or an update, before they are
 * translated.
 * @throws the path's limitError
 */
export function checkPatternLengths(input: Json, path: InputPath): void {
  const length = sumPatternLengths(input)
  if (length > MAX_TOTAL_LENGTH) {
    throw path.limitError(
      `must have at most ${MAX_TOTAL_LENGTH} characters of regular expressions together, not ${length}`,
    )
  }
}

function sumPatternLengths(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce((sum, [key, each]: [string, Json]) => {
    const length = key === '$regex' && typeof each === 'string' ? each.length : 0
    return sum + length + sumPatternLengths(each)
  }, 0)
}
