import { FailureStatus, MAX_DELAY } from '@materials-mock/api'
import { quote, withoutUndefined } from '@materials-mock/json'
import { PreferenceInvalid } from '../../errors.js'

export interface PreferDirectives {
  /** The name of a preset or of a rule. */
  readonly fault?: string
  readonly status?: number
  /** The delay in ms. */
  readonly delay?: number
  /** The value of the `Preference-Applied` header of the response. */
  readonly applied: string
}

const MAX_LENGTH = 1000

/**
 * Parses a `Prefer` header (RFC 7240, section 2): `code=503` requests a failure, `delay=1500` a delay
 * in ms, and `fault=gateway-timeout` the preset or the rule with this name. As the RFC says, the first
 * of several preferences with one name counts, and preferences with other names are ignored.
 * @returns undefined if the header has none of these preferences
 * @throws PreferenceInvalid
 */
export function parsePrefer(header: string): PreferDirectives | undefined {
  const preferences = parsePreferences(header)
  const { minimum = 0, maximum = 0 } = FailureStatus
  const status = findInteger(preferences, 'code', minimum, maximum)
  const delay = findInteger(preferences, 'delay', 0, MAX_DELAY)
  const fault = preferences.get('fault')
  if (fault !== undefined && status !== undefined)
    throw new PreferenceInvalid('Prefer must have a fault or a code, not both')
  const applied = Object.entries(withoutUndefined({ fault, code: status, delay }))
  if (applied.length === 0) return undefined
  return {
    ...withoutUndefined({ fault, status, delay }),
    applied: applied.map(([name, value]) => `${name}=${quoteWord(String(value))}`).join(', '),
  }
}

function findInteger(
  preferences: ReadonlyMap<string, string>,
  name: string,
  minimum: number,
  maximum: number,
): number | undefined {
  const text = preferences.get(name)
  if (text === undefined) return undefined
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN
  if (value >= minimum && value <= maximum) return value
  throw new PreferenceInvalid(
    `Prefer: ${name} must be an integer from ${minimum} to ${maximum}, not ${quote(text)}`,
  )
}

const TOKEN = "[\\w!#$%&'*+.^`|~-]+"
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"'

/** Matches one preference, or none, up to the next comma. Its parameters are not captured. */
const PREFERENCE = new RegExp(
  `\\s*(?:(${TOKEN})\\s*(?:=\\s*(?:(${TOKEN}|${QUOTED})\\s*)?)?(?:;(?:[^",]|${QUOTED})*)?)?(?:,|$)`,
  'gy',
)

const IS_TOKEN = new RegExp(`^${TOKEN}$`)

/** Returns a value as a token, or else as a quoted string (RFC 9110, section 5.6). */
const quoteWord = (word: string): string =>
  IS_TOKEN.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`

/** Parses the preferences into values by lower-case name. The value of a bare name is "". */
function parsePreferences(header: string): ReadonlyMap<string, string> {
  if (header.length > MAX_LENGTH)
    throw new PreferenceInvalid(`Prefer must have at most ${MAX_LENGTH} characters`)
  const preferences = new Map<string, string>()
  let end = 0
  for (const [text, name, value = ''] of header.matchAll(PREFERENCE)) {
    end += text.length
    const key = name?.toLowerCase()
    if (key !== undefined && !preferences.has(key)) preferences.set(key, unquote(value))
  }
  if (end < header.length) {
    throw new PreferenceInvalid(
      `Prefer must be a list such as "code=503, delay=1500", not ${quote(header)}`,
    )
  }
  return preferences
}

const unquote = (word: string): string =>
  word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/g, '$1') : word
