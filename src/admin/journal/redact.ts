import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { hideUserInfo } from '../../json/secrets/redact-item.js'

/** The replacement of a password or a token. */
const REDACTED = '***'

/** The number of levels that are copied. A sender can't make the recursion deeper. */
const MAX_DEPTH = 50

/** A word in the name of a key, a parameter or a header whose value is a secret. */
const SECRET_WORD =
  'pass(?:word|wd|phrase)|token|secret|authorization|bearer|cookie|api[-_]?key|(?:device|user)[-_]code|signature'

const SECRET = new RegExp(SECRET_WORD, 'i')

/** A secret word and everything after it. */
const SECRET_TEXT = new RegExp(`(${SECRET_WORD}).+`, 'is')

/** A secret word with `=`, `:` or a space after it, and everything after that. */
const SECRET_ASSIGNMENT = new RegExp(`((?:${SECRET_WORD})[^=: ,;&/]{0,40}[=: ]).+`, 'is')

/** A key as programs write it, as against a text that was parsed as the key of a form. */
const KEY = /^[\w.$[\]-]+$/

/**
 * An escaped character of ASCII: `\u0070` in any number of JSON strings within each other, `\x70`,
 * `%70` in any number of encodings, and `&#112;` or `&#x70;`. A null is in a text of UTF-16.
 */
const ESCAPE =
  /(?<!\\)\\+(?:u00|u\{0*|x)([2-7][\da-f])\}?|%(?:25)*([2-7][\da-f])|&#x0*([2-7][\da-f]);?|&#0*(\d{2,3});?|\0/gi

/** The number of kinds of escapes within each other that are decoded, such as `%5Cu0070`. */
const MAX_ESCAPES = 3

/**
 * Returns a copy of a value with every password and token redacted. An object loses the values of
 * all keys that contain a secret word, and the value of a pair such as
 * `{"name": "password", "value": "x"}` or `["password", "x"]`. A text, which may be malformed JSON or a form, loses
 * everything after the first secret word.
 */
export function redactSecrets(value: Json, depth = 0): Json {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return `deeper than ${MAX_DEPTH} levels`
  if (!isJsonObject(value)) return redactArray(value, depth)
  const isNamedSecret = Object.entries(value).some(
    ([key, name]) => NAME_KEY.test(key) && isSecretName(name),
  )
  const fields = Object.entries(value).map(([key, each]): [string, Json] =>
    isSecretName(key) || (isNamedSecret && VALUE_KEY.test(key))
      ? [KEY.test(key) ? key : redactText(key), REDACTED]
      : [hideUserInfo(key), redactSecrets(each, depth + 1)],
  )
  return Object.fromEntries(fields)
}

/** A pair such as `["password", "x"]` loses its second part, as those of headers are sent in lists. */
function redactArray(value: readonly Json[], depth: number): Json[] {
  const [name, ...others] = value
  if (others.length === 1 && typeof name === 'string' && KEY.test(name) && isSecretName(name))
    return [name, REDACTED]
  return value.map((each) => redactSecrets(each, depth + 1))
}

/** The keys of an object that may name the secret, and those that it may be under. */
const NAME_KEY = /^(?:name|key|id|field|header|param(?:eter)?|property|label)$/i
const VALUE_KEY = /^(?:values?|content|text|data)$/i

/** Whether the value of a key, a parameter or a header with this name is redacted. */
export const isSecretName = (name: Json | undefined): boolean =>
  typeof name === 'string' && SECRET.test(decodeEscapes(name))

/** Returns a copy of a request's headers with every token and cookie redacted. */
export function redactHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): JsonObject {
  const redacted = Object.entries(headers).map(([name, value = '']): [string, Json] => [
    name,
    SECRET.test(name) ? REDACTED : [value].flat().map(redactUrl).join(', '),
  ])
  return Object.fromEntries(redacted)
}

/**
 * Redacts a URL, or a text in which the name of a secret is none by itself, such as
 * `/reset-password` or `X-Auth-Token` in a list of headers. A URL with a secret is decoded.
 */
export const redactUrl = (url: string): string => redactMatch(url, SECRET_ASSIGNMENT)

const redactText = (text: string): string => redactMatch(text, SECRET_TEXT)

/** Redacts a text from a secret on. Returns a text without secrets as it is, escapes included. */
function redactMatch(text: string, pattern: RegExp): string {
  const visible = hideUserInfo(text)
  const decoded = decodeEscapes(visible)
  return SECRET.test(decoded) && pattern.test(decoded)
    ? decoded.replace(pattern, `$1${REDACTED}`)
    : visible
}

function decodeEscapes(text: string): string {
  let decoded = text
  for (let count = 0; count < MAX_ESCAPES && /[\\%&\0]/.test(decoded); count += 1)
    decoded = decoded.replace(ESCAPE, decodeEscape)
  return decoded
}

function decodeEscape(_match: string, ...groups: (string | undefined)[]): string {
  const [json, url, html, decimal] = groups
  const hex = json ?? url ?? html
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
  return decimal === undefined ? '' : String.fromCharCode(Number(decimal))
}
