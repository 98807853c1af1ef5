import { type JsonObject } from '../../schemas/json.js'
import { MAX_PATTERN } from '../bounds.js'
import { type Place, quote } from '../place.js'
import { flagsOf } from './flags.js'
import { PatternRefused } from './part.js'
import { type Translation, translate } from './translate.js'

/** A checked `$regex`. */
export interface Pattern {
  readonly expression: RegExp
  /** Whether it can take long on one text, as it repeats or has many ways to match. */
  readonly isCostly: boolean
}

/** The ways to match at one place, up to which a pattern cannot take long. */
const CHEAP = 1000

/**
 * The pattern of `$regex` and the `$options` beside it
 * (https://www.mongodb.com/docs/manual/reference/operator/query/regex/). Throws for what MongoDB
 * refuses, for a pattern that JavaScript has no equal of, and for one of more than 1,000 characters.
 */
export function patternOf(condition: JsonObject, place: Place): Pattern {
  const { $regex: pattern, $options: options = '' } = condition
  if (typeof pattern !== 'string') {
    throw place.invalid(`must be a string, not ${quote(pattern ?? null)}`)
  }
  if (pattern.length > MAX_PATTERN) {
    throw place.exceeds(`must have at most ${MAX_PATTERN} characters, not ${pattern.length}`)
  }
  if (typeof options !== 'string' || !/^[imsxu]*$/.test(options)) {
    throw place.invalid(`must have $options of the letters i, m, s and x, not ${quote(options)}`)
  }
  if (pattern.includes('\0')) throw place.invalid('must not have a null character')
  try {
    return compile(translate(pattern, flagsOf(options)))
  } catch (error) {
    // JavaScript's own refusal would be of the translated pattern.
    const reason = error instanceof PatternRefused ? error.message : 'is no regular expression'
    throw place.invalid(`${reason}: ${quote(pattern)}`)
  }
}

const compile = ({ source, ignoresCase, paths }: Translation): Pattern => ({
  expression: new RegExp(source, ignoresCase ? 'iv' : 'v'),
  isCostly: !(paths <= CHEAP),
})
