import { type JsonObject } from '../schemas/json.js'
import { MAX_PATTERN } from './bounds.js'
import { type Place, quote } from './place.js'

/** The regular expression of `$regex` and the `$options` beside it. */
export function patternOf(condition: JsonObject, place: Place): RegExp {
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
  const flags = [...new Set(options.replace(/[xu]/g, ''))].join('')
  try {
    return new RegExp(pattern, `${flags}u`)
  } catch {
    throw place.invalid(`must be a regular expression, not ${quote(pattern)}`)
  }
}
