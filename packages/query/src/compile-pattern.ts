import { asError, quote } from '@materials-mock/json'
import type { InputPath } from '@materials-mock/json'
import type { Fragment } from './pcre/fragment.js'
import { PatternLimitError, UnsupportedPatternError } from './pcre/pattern-reader.js'
import { END, translate } from './pcre/translate.js'

/** The largest number of characters of a pattern. */
export const MAX_PATTERN = 1000

/** The largest number of characters of a pattern's translation to JavaScript. */
export const MAX_TRANSLATION = 16_000

/** The largest estimated size of a compiled pattern, in nodes (see `Fragment.size`). */
const MAX_PATTERN_SIZE = 2000

/** The largest number of Unicode sets, such as `\p{L}`, in a translation. */
const MAX_UNICODE_SETS = 8

/** The largest number of characters of all patterns of a query, of `fields` or of an update. */
const MAX_PATTERNS_LENGTH = 4 * MAX_PATTERN

/** V8 compiles them at the first item, which can't be interrupted. */
const MAX_PATTERNS_SIZE = 2 * MAX_PATTERN_SIZE

export interface CompiledPattern {
  readonly expression: RegExp
  /** An upper bound on the ways to match at one position; Infinity for an unbounded repetition. */
  readonly cost: number
  readonly size: number
}

/** A search returns the matched text and the captures of the groups `g1`, `g2`, …. */
export type MatchPurpose = 'test' | 'search'

/** @throws the path's error for what MongoDB rejects or JavaScript can't express; its limitError */
export function compilePattern(
  pattern: string,
  options: string,
  path: InputPath,
  purpose: MatchPurpose = 'test',
): CompiledPattern {
  if (pattern.length > MAX_PATTERN)
    throw path.limitError(`must have at most ${MAX_PATTERN} characters, not ${pattern.length}`)
  if (pattern.includes('\0')) throw path.error('must not contain a null character')
  try {
    return compile(translate(pattern, options, purpose === 'search'), purpose)
  } catch (error) {
    const { message } = asError(error)
    if (error instanceof PatternLimitError) throw path.limitError(`${message}: ${quote(pattern)}`)
    // A SyntaxError would describe the translation, which the user has not written.
    const reason = error instanceof UnsupportedPatternError ? message : 'is not a valid pattern'
    throw path.error(`${reason}: ${quote(pattern)}`)
  }
}

function compile(
  { source, minLength, maxPaths, size, repeatsEmpty }: Fragment,
  purpose: MatchPurpose,
): CompiledPattern {
  // PCRE2 ends a loop at an empty iteration; JavaScript backtracks, and may match another text.
  if (purpose === 'search' && repeatsEmpty === true) {
    throw new UnsupportedPatternError(
      'repeats a possibly empty match, which is not supported where the match is returned',
    )
  }
  const sets = source.match(/(?:\\p\{[\w=]+\})+/g)?.length ?? 0
  if (sets > MAX_UNICODE_SETS)
    throw new PatternLimitError(`must have at most ${MAX_UNICODE_SETS} Unicode sets, not ${sets}`)
  if (size > MAX_PATTERN_SIZE)
    throw new PatternLimitError(`must have a compiled size of at most ${MAX_PATTERN_SIZE} nodes`)
  if (source.length > MAX_TRANSLATION) {
    throw new PatternLimitError(
      `must translate to at most ${MAX_TRANSLATION} characters, not ${source.length}`,
    )
  }
  const fast = purpose === 'test' ? withFastEnd(source) : source
  const exact = minLength === 0 ? atCharacterBoundary(fast) : fast
  return {
    // bounded: the checks above, and the time limit of each match
    expression: new RegExp(exact, 'u'),
    cost: maxPaths,
    size,
  }
}

/** V8 matches it two to three times as fast as a lookahead (measured over 100,000 names). */
const withFastEnd = (source: string): string =>
  source.endsWith(END) ? `${source.slice(0, -END.length)}\\n?$` : source

/** Keeps V8 from matching the empty string within a surrogate pair, as it does `/\B/u`. */
const atCharacterBoundary = (source: string): string => `(?:${source})(?=[\\s\\S]|$)`

/** The patterns of one query, `fields` or update, within the limits of all together. */
export class PatternBudget {
  readonly #path: InputPath
  #length = 0
  #size = 0

  constructor(path: InputPath) {
    this.#path = path
  }

  /** @throws as compilePattern, and the path's limitError for too much together */
  compile(
    pattern: string,
    options: string,
    path: InputPath,
    purpose?: MatchPurpose,
  ): CompiledPattern {
    this.#length += pattern.length
    if (this.#length > MAX_PATTERNS_LENGTH) {
      throw path.limitError(
        `must have at most ${MAX_PATTERNS_LENGTH} characters of regular expressions together, not ${this.#length}`,
      )
    }
    const compiled = compilePattern(pattern, options, path, purpose)
    this.#size += compiled.size
    if (this.#size > MAX_PATTERNS_SIZE) {
      throw this.#path.limitError(
        `must have regular expressions with a compiled size of at most ${MAX_PATTERNS_SIZE} nodes together`,
      )
    }
    return compiled
  }
}
