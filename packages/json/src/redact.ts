import { decodePart } from './json.js'
import type { Json, JsonObject } from './json.js'

export const HIDDEN = '***'

/** Words after which a text may have a secret. */
const TEXT_WORD =
  'pass(?:word|wd|phrase)|token|secret|authorization|cookie|api[-_]?key|bearer|(?:device|user)[-_]code|signature'

/** Words in the names of keys, parameters and headers whose values are secrets. */
export const SECRET_WORD = `${TEXT_WORD}|(?<!allow-)credential|(?:access|private)[-_]?key(?:id)?|jwt|[cx]srf`

/** Whole names of secrets. In JSON, `key` and `code` are names of something else, such as the code of an error. */
const SECRET_NAME = 'sid|sig'

/** Whole names of parameters that are secrets. */
export const SECRET_PARAMETER_NAME = `${SECRET_NAME}|key|code`

const SECRET = new RegExp(`${SECRET_WORD}|^(?:${SECRET_NAME})$`, 'i')

/** Everything after a secret word. */
const SECRET_TEXT = new RegExp(`(?<=${TEXT_WORD}).+`, 'is')

/** Everything after a secret word with `=`, `:` or a space behind it, or after the name of a secret parameter. */
const SECRET_ASSIGNMENT = new RegExp(
  `(?<=(?:${SECRET_WORD})[^=: ,;&/]{0,40}[=: ]|[?&;](?:${SECRET_PARAMETER_NAME})=).+`,
  'is',
)

/** Matches a key as programs write it. Any other text was parsed as the key of a form. */
const KEY = /^[\w.$[\]-]+$/

/** The largest number of levels that are copied, so that a sender can't make the recursion deeper. */
const MAX_DEPTH = 50

/** The user and the password before the host of a URL. The password may have an `@`. */
const USER_INFO = /(\/\/)[^/?#\s"']+@/g

/** Hides the user and the password of each URL in a text. */
export const hideUserInfo = (text: string): string => text.replace(USER_INFO, `$1${HIDDEN}@`)

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
export const isSecretName = (name: string): boolean => SECRET.test(decodePart(name))

const SECRET_PARAMETER = new RegExp(`^(?:${SECRET_PARAMETER_NAME})$`, 'i')

/** Returns the fields of a form with every password, token and code redacted. */
export function redactForm(form: string): Json {
  const fields = [...new URLSearchParams(form)].map(([name, value]): [string, Json] => [
    name,
    SECRET_PARAMETER.test(name) ? HIDDEN : value,
  ])
  return redactSecrets(Object.fromEntries(fields))
}

/** Returns a copy of the headers of a message with every token and cookie redacted. */
export function redactHeaders(
  headers: Readonly<Record<string, number | string | string[] | undefined>>,
): JsonObject {
  const redacted = Object.entries(headers).map(([name, value = '']): [string, Json] => [
    name,
    SECRET.test(name)
      ? HIDDEN
      : [value]
          .flat()
          .map((each) => redactUrl(String(each)))
          .join(', '),
  ])
  return Object.fromEntries(redacted)
}

/** Also a text in which the name of a secret is none by itself, such as `/reset-password`. */
export const redactUrl = (url: string): string => redactMatch(url, SECRET_ASSIGNMENT)

const redactText = (text: string): string => redactMatch(text, SECRET_TEXT)

/** Redacts a text from the first secret on. Returns a text without secrets unchanged, including its escapes. */
function redactMatch(text: string, pattern: RegExp): string {
  const visible = hideUserInfo(text)
  const decoded = decodePart(visible)
  return pattern.test(decoded) ? decoded.replace(pattern, HIDDEN) : visible
}
