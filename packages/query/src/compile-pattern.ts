import { quote } from '@materials-mock/json'
import type { InputPath, Json, JsonObject } from '@materials-mock/json'
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

/**
 * The largest estimated size of all these patterns, in nodes. V8 compiles them at the first item, which
 * can't be interrupted.
 */
const MAX_PATTERNS_SIZE = 2 * MAX_PATTERN_SIZE

export interface CompiledPattern {
  readonly expression: RegExp
  /** An upper bound on the ways to match at one position; Infinity for an unbounded repetition. */
  readonly cost: number
  /** The estimated size, in nodes. */
  readonly size: number
}

/**
 * The purpose of a match: a test tells only whether there is a match; a search returns the matched text
 * and the captures of the groups `g1`, `g2`, ….
 */
export type MatchPurpose = 'test' | 'search'

/**
 * Compiles a PCRE2 pattern with options (`imsxu`).
 * @throws the path's error for a pattern that MongoDB rejects or that has no exact equivalent in
 * JavaScript; the path's limitError for a pattern that is too long or too expensive to compile
 */
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
    const { message } = error as Error
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

/**
 * Replaces a `$` at the end of a pattern by an expression that may consume the newline. V8 matches it
 * two to three times as fast as a lookahead (measured over 100,000 names).
 */
const withFastEnd = (source: string): string =>
  source.endsWith(END) ? `${source.slice(0, -END.length)}\\n?$` : source

/** Keeps V8 from matching the empty string within a surrogate pair, as it does `/\B/u`. */
const atCharacterBoundary = (source: string): string => `(?:${source})(?=[\\s\\S]|$)`

/**
 * Compiles the patterns of one query, one `fields` or one update, including patterns of expressions and
 * of schemas, within the limits of all together.
 */
export class PatternBudget {
  readonly #path: InputPath
  #length = 0
  #size = 0

  /**
   * @param path the path of the query, the fields or the update
   * @throws the path's limitError for too many characters of `$regex`
   */
  constructor(path: InputPath, input: Json) {
    this.#path = path
    this.#checkLength(sumLengths(input), path)
  }

  /**
   * Compiles a pattern.
   * @throws as compilePattern does; the limitError of the pattern's path for too many characters
   * together, and the limitError of the whole input for too many nodes
   */
  compile(
    pattern: string,
    options: string,
    path: InputPath,
    purpose?: MatchPurpose,
  ): CompiledPattern {
    this.#length += pattern.length
    this.#checkLength(this.#length, path)
    const compiled = compilePattern(pattern, options, path, purpose)
    this.#size += compiled.size
    if (this.#size > MAX_PATTERNS_SIZE) {
      throw this.#path.limitError(
        `must have regular expressions with a compiled size of at most ${MAX_PATTERNS_SIZE} nodes together`,
      )
    }
    return compiled
  }

  #checkLength(length: number, path: InputPath): void {
    if (length > MAX_PATTERNS_LENGTH) {
      throw path.limitError(
        `must have at most ${MAX_PATTERNS_LENGTH} characters of regular expressions together, not ${length}`,
      )
    }
  }
}

/** Returns the number of characters of all `$regex` in an input. */
function sumLengths(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  let sum = 0
  if (Array.isArray(value)) {
    for (const each of value) sum += sumLengths(each)
    return sum
  }
  for (const [key, each] of Object.entries(value as JsonObject))
    sum += key === '$regex' && typeof each === 'string' ? each.length : sumLengths(each)
  return sum
}
