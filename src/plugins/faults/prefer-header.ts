import { PreferenceInvalid } from '../../errors.js'
import { quote } from '../../json/quote.js'
import { FailureStatus, MAX_DELAY } from '../../schemas/fault.js'

/** The failure or the delay that a request asks for itself. */
export interface PreferDirectives {
  readonly status?: number
  /** In ms. */
  readonly delay?: number
  /** What `Preference-Applied` says. */
  readonly applied: string
}

/** The most characters of a `Prefer` header. */
const MAX_LENGTH = 1000

/**
 * Reads a `Prefer` header (RFC 7240, section 2): `code=503` asks for a failure, `delay=1500` for a
 * delay in ms. The first of a name counts, and other preferences are ignored, as the RFC says.
 * @returns undefined where it asks for neither
 * @throws PreferenceInvalid
 */
export function parsePrefer(header: string): PreferDirectives | undefined {
  const preferences = parsePreferences(header)
  const { minimum = 0, maximum = 0 } = FailureStatus
  const status = integerOf(preferences, 'code', minimum, maximum)
  const delay = integerOf(preferences, 'delay', 0, MAX_DELAY)
  const asked = Object.entries({ code: status, delay }).filter(([, value]) => value !== undefined)
  if (asked.length === 0) return undefined
  return {
    ...(status !== undefined && { status }),
    ...(delay !== undefined && { delay }),
    applied: asked.map(([name, value]) => `${name}=${value}`).join(', '),
  }
}

function integerOf(
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

/** One preference, or none, up to the next comma; its parameters are passed over. */
const PREFERENCE = new RegExp(
  `\\s*(?:(${TOKEN})(?:\\s*=\\s*(${TOKEN}|${QUOTED})?)?\\s*(?:;(?:[^",]|${QUOTED})*)?)?(?:,|$)`,
  'gy',
)

/** The preferences by their names in lower case; one without a value has "". */
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
