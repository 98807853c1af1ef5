import { isJsonObject } from './json.js'
import type { Json, JsonObject } from './json.js'

/** The replacement of a secret. */
export const HIDDEN = '***'

/** Words in the names of keys, parameters and headers whose values are secrets. */
const COMMON_WORD = 'pass(?:word|wd|phrase)|token|secret|authorization|cookie|api[-_]?key'

/** Words in the names of secrets of a request or a response. */
const SECRET_WORD = `${COMMON_WORD}|bearer|(?:device|user)[-_]code|signature`

const SECRET = new RegExp(SECRET_WORD, 'i')

/** A secret word and everything after it. */
const SECRET_TEXT = new RegExp(`(${SECRET_WORD}).+`, 'is')

/** A secret word with `=`, `:` or a space after it, and everything after that. */
const SECRET_ASSIGNMENT = new RegExp(`((?:${SECRET_WORD})[^=: ,;&/]{0,40}[=: ]).+`, 'is')

/** Matches a key as programs write it. Any other text was parsed as the key of a form. */
const KEY = /^[\w.$[\]-]+$/

/** The largest number of levels that are copied, so that a sender can't make the recursion deeper. */
const MAX_DEPTH = 50

/** The user and the password before the host of a URL. The password may have an `@`. */
const USER_INFO = /(\/\/)[^/?#\s"']+@/g

/** Hides the user and the password of each URL in a text. */
const hideUserInfo = (text: string): string => text.replace(USER_INFO, `$1${HIDDEN}@`)

/**
 * Returns a copy of a value with every password and token redacted: the values of all keys that contain a
 * secret word, and in a text, which may be malformed JSON or a form, everything after the first secret word.
 */
export function redactSecrets(value: Json, depth = 0): Json {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return `deeper than ${MAX_DEPTH} levels`
  if (Array.isArray(value)) return value.map((each: Json) => redactSecrets(each, depth + 1))
  const fields = Object.entries(value).map(([key, each]): [string, Json] =>
    isSecretName(key)
      ? [KEY.test(key) ? key : redactText(key), HIDDEN]
      : [hideUserInfo(key), redactSecrets(each as Json, depth + 1)],
  )
  return Object.fromEntries(fields)
}

/** Whether the value of a key, a parameter or a header with this name is redacted. */
export const isSecretName = (name: string): boolean => SECRET.test(decode(name))

/** Returns a copy of a request's headers with every token and cookie redacted. */
export function redactHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): JsonObject {
  const redacted = Object.entries(headers).map(([name, value = '']): [string, Json] => [
    name,
    SECRET.test(name) ? HIDDEN : [value].flat().map(redactUrl).join(', '),
  ])
  return Object.fromEntries(redacted)
}

/**
 * Redacts a URL, or a text in which the name of a secret is not a secret by itself, such as
 * `/reset-password` or `X-Auth-Token` in a list of headers. A URL with a secret is decoded.
 */
export const redactUrl = (url: string): string => redactMatch(url, SECRET_ASSIGNMENT)

const redactText = (text: string): string => redactMatch(text, SECRET_TEXT)

/** Redacts a text from the first secret on. Returns a text without secrets unchanged, including its escapes. */
function redactMatch(text: string, pattern: RegExp): string {
  const visible = hideUserInfo(text)
  const decoded = decode(visible)
  return pattern.test(decoded) ? decoded.replace(pattern, `$1${HIDDEN}`) : visible
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Matches the name of a key of an item whose value is a secret. */
const SECRET_ITEM_KEY = new RegExp(`${COMMON_WORD}|credential|(?:access|private)[-_]?key`, 'i')

/** Matches a parameter of a URL that gives access, such as the signature of a signed URL. */
const SECRET_PARAMETER =
  /([?&](?:[^=?&#\s]*(?:signature|credential|token|secret|password|accesskeyid|api[-_]?key|[-_]key)|key|sig)=)[^&#\s"']+/gi

/** Matches the header of a token in a text, such as a command. */
const TOKEN_HEADER = /(x-auth-token["']?\s*[:=]\s*["']?)[^\s"',;]+/gi

/** Matches a text that may be a user and a password (RFC 7617). */
const BASIC = /(\bbasic\s+)([A-Za-z0-9+/]{4,}={0,2})/gi

/** Matches a bearer token in a text. */
const BEARER = /(bearer\s+)[\w.~+/=-]{8,}/gi

/**
 * Returns a function that removes secrets from items: the given secrets wherever they are, texts under
 * keys such as `token` or `apiKey`, passwords and signatures in URLs, and the values at the given
 * paths. The `_id` of an item stays.
 * @param paths dotted paths, which traverse arrays. Their values are emptied, and keep their type
 */
export function createRedactor(
  paths: readonly string[],
  secrets: readonly string[],
): (item: JsonObject) => JsonObject {
  const hide = createSecretFilter(secrets)
  const segments = paths.map((path) => path.split('.'))
  return (item) => {
    const emptied = segments.reduce<Json>((value, path) => emptyAt(value, path), item)
    return { ...(redactItem(emptied, hide) as JsonObject), _id: item._id as string }
  }
}

function redactItem(value: Json, hide: (text: string) => string, isSecret = false): Json {
  if (typeof value === 'string')
    return isSecret && value !== '' ? HIDDEN : redactItemText(hide(value))
  if (Array.isArray(value)) return value.map((each) => redactItem(each, hide, isSecret))
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).map(([key, each]) => [
    hide(key),
    redactItem(each, hide, isSecret || SECRET_ITEM_KEY.test(key)),
  ])
  return Object.fromEntries(fields)
}

const redactItemText = (text: string): string =>
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

/** Whether a value has the path that `createRedactor` empties. */
export function hasPath(value: Json, [segment, ...rest]: readonly string[]): boolean {
  if (segment === undefined) return true
  if (Array.isArray(value)) return value.some((each) => hasPath(each, [segment, ...rest]))
  if (!isJsonObject(value) || !Object.hasOwn(value, segment)) return false
  return hasPath(value[segment] as Json, rest)
}

/** Returns an empty value of the same type, so that an item stays valid. */
function toEmpty(value: Json): Json {
  if (typeof value === 'string') return HIDDEN
  if (typeof value === 'number') return 0
  if (typeof value === 'boolean') return false
  if (Array.isArray(value)) return []
  return value === null ? null : {}
}

/** The length from which a secret is replaced within a longer text. A shorter secret may be a word. */
const MIN_PART_LENGTH = 8

/** Returns a function that replaces secrets in texts, as they are and encoded for a URL. */
export function createSecretFilter(secrets: readonly string[]): (text: string) => string {
  const long = secrets.filter((secret) => secret.length >= MIN_PART_LENGTH)
  const forms = long.flatMap((secret) => [secret, encodeURIComponent(secret)])
  return (text) =>
    secrets.includes(text)
      ? HIDDEN
      : forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text)
}
