import { PreferenceInvalid } from '../../errors.js'
import { quote } from '../../json/quote.js'
import { FailureStatus, MAX_DELAY } from '../../schemas/fault.js'

/** The failure or the delay that a `Prefer` header requests. */
export interface PreferDirectives {
  readonly status?: number
  /** In ms. */
  readonly delay?: number
  /** The value of the `Preference-Applied` header of the response. */
  readonly applied: string
}

/** The number of characters that a `Prefer` header may have. */
const MAX_LENGTH = 1000

/**
 * Parses a `Prefer` header (RFC 7240, section 2): `code=503` requests a failure, `delay=1500` a
 * delay in ms. As the RFC says, the first of several preferences with one name counts, and
 * preferences with other names are ignored.
 * @returns undefined if the header has neither
 * @throws PreferenceInvalid
 */
export function parsePrefer(header: string): PreferDirectives | undefined {
  const preferences = parsePreferences(header)
  const { minimum = 0, maximum = 0 } = FailureStatus
  const status = findInteger(preferences, 'code', minimum, maximum)
  const delay = findInteger(preferences, 'delay', 0, MAX_DELAY)
  const applied = Object.entries({ code: status, delay }).filter(([, value]) => value !== undefined)
  if (applied.length === 0) return undefined
  return {
    ...(status !== undefined && { status }),
    ...(delay !== undefined && { delay }),
    applied: applied.map(([name, value]) => `${name}=${value}`).join(', '),
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

/** One preference, or none, up to the next comma. Its parameters are matched but not captured. */
const PREFERENCE = new RegExp(
  `\\s*(?:(${TOKEN})(?:\\s*=\\s*(${TOKEN}|${QUOTED})?)?\\s*(?:;(?:[^",]|${QUOTED})*)?)?(?:,|$)`,
  'gy',
)

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
