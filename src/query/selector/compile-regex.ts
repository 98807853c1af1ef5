import type { InputPath } from '../../json/input-path.js'
import type { Json, JsonObject } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import { MAX_PATTERN } from '../limits.js'
import { END } from '../pcre/escapes.js'
import type { Fragment } from '../pcre/fragment.js'
import { PatternLimitError, UnsupportedPatternError } from '../pcre/pattern-errors.js'
import { translate } from '../pcre/translate.js'
import { sumPatternSizes } from './ast.js'
import type { Expression } from './ast.js'

/** A compiled `$regex`. */
export interface CompiledRegex {
  readonly expression: RegExp
  /** An upper bound on the ways to match at one position; Infinity for an unbounded repetition. */
  readonly cost: number
  /** The estimated size, in nodes. */
  readonly size: number
}

/** The number of characters of JavaScript that a pattern may translate to. */
export const MAX_TRANSLATION = 16_000

/** The estimated size of a compiled pattern that is allowed, in nodes (see `Fragment.size`). */
const MAX_SIZE = 2000

/** The number of characters of all patterns of a query together. */
const MAX_TOTAL_LENGTH = 4 * MAX_PATTERN

/**
 * The estimated size of all patterns of a query together, in nodes. V8 compiles them at the first
 * item, which nothing interrupts.
 */
const MAX_TOTAL_SIZE = 2 * MAX_SIZE

/** The number of Unicode sets, such as `\p{L}`, allowed in a translation. */
const MAX_UNICODE_SETS = 8

/**
 * Compiles the `$regex` and `$options` of a condition
 * (https://www.mongodb.com/docs/manual/reference/operator/query/regex/).
 * @throws the path's error for a pattern that MongoDB rejects or that has no exact equivalent in
 * JavaScript; its limitError for a pattern that is too long or too expensive to compile
 */
export function compileRegex(condition: JsonObject, path: InputPath): CompiledRegex {
  const { $regex: pattern, $options: options = '' } = condition
  if (typeof pattern !== 'string')
    throw path.error(`must be a string, not ${quote(pattern ?? null)}`)
  if (pattern.length > MAX_PATTERN)
    throw path.limitError(`must have at most ${MAX_PATTERN} characters, not ${pattern.length}`)
  if (typeof options !== 'string' || !/^[imsxu]*$/.test(options))
    throw path.error(`must have $options of the letters i, m, s and x, not ${quote(options)}`)
  if (pattern.includes('\0')) throw path.error('must not contain a null character')
  try {
    return compile(translate(pattern, options))
  } catch (error) {
    const { message } = error as Error
    if (error instanceof PatternLimitError) throw path.limitError(`${message}: ${quote(pattern)}`)
    // A SyntaxError would be about the translation, which the user has not written.
    const reason = error instanceof UnsupportedPatternError ? message : 'is not a valid pattern'
    throw path.error(`${reason}: ${quote(pattern)}`)
  }
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

function compile({ source, minLength, maxPaths, size }: Fragment): CompiledRegex {
  const sets = source.match(/(?:\\p\{[\w=]+\})+/g)?.length ?? 0
  if (sets > MAX_UNICODE_SETS)
    throw new PatternLimitError(`must have at most ${MAX_UNICODE_SETS} Unicode sets, not ${sets}`)
  if (size > MAX_SIZE)
    throw new PatternLimitError(`must have a compiled size of at most ${MAX_SIZE} nodes`)
  if (source.length > MAX_TRANSLATION) {
    throw new PatternLimitError(
      `must translate to at most ${MAX_TRANSLATION} characters, not ${source.length}`,
    )
  }
  const exact = minLength === 0 ? atCharacterBoundary(source) : withFastEnd(source)
  return {
    expression: new RegExp(exact, 'u'),
    cost: maxPaths,
    size,
  }
}

/**
 * Replaces a `$` at the end of a pattern, where it may consume the newline: V8 matches that two to
 * three times as fast as a lookahead (measured over 100,000 names).
 */
const withFastEnd = (source: string): string =>
  source.endsWith(END) ? `${source.slice(0, -END.length)}\\n?$` : source

/** Keeps V8 from matching the empty string within a surrogate pair, as it does `/\B/u`. */
const atCharacterBoundary = (source: string): string => `(?:${withFastEnd(source)})(?=[\\s\\S]|$)`
