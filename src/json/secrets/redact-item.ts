import { isJsonObject } from '../json.js'
import type { Json, JsonObject } from '../json.js'
import { HIDDEN, createSecretFilter } from './hide-secrets.js'

/** The name of a key whose value is a secret. */
const SECRET_KEY =
  /pass(?:word|wd|phrase)|token|secret|authorization|credential|cookie|(?:api|access|private)[-_]?key/i

/** The user and the password before the host of a URL. The password may have an `@`. */
const USER_INFO = /(\/\/)[^/?#\s"']+@/g

/** Hides the user and the password of each URL in a text. */
export const hideUserInfo = (text: string): string => text.replace(USER_INFO, `$1${HIDDEN}@`)

/** A parameter of a URL that gives access, such as the signature of a signed one. */
const SECRET_PARAMETER =
  /([?&](?:[^=?&#\s]*(?:signature|credential|token|secret|password|accesskeyid|api[-_]?key|[-_]key)|key|sig)=)[^&#\s"']+/gi

/** The header of a token in a text, such as a command. */
const TOKEN_HEADER = /(x-auth-token["']?\s*[:=]\s*["']?)[^\s"',;]+/gi

/** What may be a user and a password in a text (RFC 7617). */
const BASIC = /(\bbasic\s+)([A-Za-z0-9+/]{4,}={0,2})/gi

/** A bearer token in a text. */
const BEARER = /(bearer\s+)[\w.~+/=-]{8,}/gi

/**
 * Returns a function that removes secrets from items: the given ones wherever they stand, texts under
 * keys such as `token` or `apiKey`, passwords and signatures in URLs, and the values at the given
 * paths. The `_id` of an item stays.
 * @param paths dotted paths, which lead through arrays. Their values are emptied, and keep their type
 */
export function createRedactor(
  paths: readonly string[],
  secrets: readonly string[],
): (item: JsonObject) => JsonObject {
  const hide = createSecretFilter(secrets)
  const segments = paths.map((path) => path.split('.'))
  return (item) => {
    const emptied = segments.reduce<Json>((value, path) => emptyAt(value, path), item)
    return { ...(redact(emptied, hide) as JsonObject), _id: item._id as string }
  }
}

function redact(value: Json, hide: (text: string) => string, isSecret = false): Json {
  if (typeof value === 'string') return isSecret && value !== '' ? HIDDEN : redactText(hide(value))
  if (Array.isArray(value)) return value.map((each) => redact(each, hide, isSecret))
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).map(([key, each]) => [
    hide(key),
    redact(each, hide, isSecret || SECRET_KEY.test(key)),
  ])
  return Object.fromEntries(fields)
}

const redactText = (text: string): string =>
  hideUserInfo(text)
    .replace(BASIC, (credentials, scheme, base64) =>
      /^[ -~]*:[ -~]*$/.test(Buffer.from(base64, 'base64').toString())
        ? scheme + HIDDEN
        : credentials,
    )
    .replace(SECRET_PARAMETER, `$1${HIDDEN}`)
    .replace(TOKEN_HEADER, `$1${HIDDEN}`)
    .replace(BEARER, `$1${HIDDEN}`)

function emptyAt(value: Json, [segment, ...rest]: readonly string[]): Json {
  if (segment === undefined) return toEmpty(value)
  if (Array.isArray(value)) return value.map((each) => emptyAt(each, [segment, ...rest]))
  if (!isJsonObject(value) || !Object.hasOwn(value, segment)) return value
  return { ...value, [segment]: emptyAt(value[segment] as Json, rest) }
}

/** Returns the empty value of a type, so that an item stays valid. */
function toEmpty(value: Json): Json {
  if (typeof value === 'string') return HIDDEN
  if (typeof value === 'number') return 0
  if (typeof value === 'boolean') return false
  if (Array.isArray(value)) return []
  return value === null ? null : {}
}
