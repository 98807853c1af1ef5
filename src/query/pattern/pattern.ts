import type { JsonObject } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import type { InputPath } from '../../json/input-path.js'
import { MAX_PATTERN } from '../limits.js'
import { END } from './escapes.js'
import { flagsOf } from './flags.js'
import { PatternRefused } from './part.js'
import { translate } from './translate.js'
import type { Translation } from './translate.js'

/** A checked `$regex`. */
export interface Pattern {
  readonly expression: RegExp
  /** Whether it can take long on one text, as it repeats or has many ways to match. */
  readonly needsTimeout: boolean
}

/** The most sets of Unicode in a pattern: V8 takes up to 0.1 s to compile one, uninterrupted. */
const MAX_UNICODE_SETS = 8

/** The ways to match at one place, up to which a pattern cannot take long. */
const CHEAP = 1000

/**
 * The pattern of `$regex` and the `$options` beside it
 * (https://www.mongodb.com/docs/manual/reference/operator/query/regex/). Throws for what MongoDB
 * refuses, for a pattern that JavaScript has no equal of, and for one of more than 1,000 characters.
 */
export function patternOf(condition: JsonObject, place: InputPath): Pattern {
  const { $regex: pattern, $options: options = '' } = condition
  if (typeof pattern !== 'string') {
    throw place.error(`must be a string, not ${quote(pattern ?? null)}`)
  }
  if (pattern.length > MAX_PATTERN) {
    throw place.limitError(`must have at most ${MAX_PATTERN} characters, not ${pattern.length}`)
  }
  if (typeof options !== 'string' || !/^[imsxu]*$/.test(options)) {
    throw place.error(`must have $options of the letters i, m, s and x, not ${quote(options)}`)
  }
  if (pattern.includes('\0')) throw place.error('must not have a null character')
  try {
    return compile(translate(pattern, flagsOf(options)))
  } catch (error) {
    // JavaScript's own refusal would be of the translated pattern.
    const reason = error instanceof PatternRefused ? error.message : 'is no regular expression'
    throw place.error(`${reason}: ${quote(pattern)}`)
  }
}

function compile({ source, ignoresCase, paths }: Translation): Pattern {
  const sets = source.match(/(?:\\p\{\w+\})+/g)?.length ?? 0
  if (sets > MAX_UNICODE_SETS) {
    throw new PatternRefused(`has ${sets} sets of Unicode, and may have ${MAX_UNICODE_SETS}`)
  }
  return {
    expression: new RegExp(withFastEnd(source), ignoresCase ? 'iu' : 'u'),
    needsTimeout: !(paths <= CHEAP),
  }
}

/**
 * At the end of a whole pattern a last newline may as well be taken as looked at, and V8 tests that
 * two to three times as fast (measured over 100,000 names).
 */
const withFastEnd = (source: string): string =>
  source.endsWith(END) ? `${source.slice(0, -END.length)}\\n?$` : source
