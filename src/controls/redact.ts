import { isJsonObject } from '../json/json.js'
import type { Json, JsonObject } from '../json/json.js'

/** The replacement of a password or a token. */
const REDACTED = '***'

/** The number of levels that are copied. A sender can't make the recursion deeper. */
const MAX_DEPTH = 50

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'x-auth-token',
  'authorization',
  'proxy-authorization',
  'cookie',
])

/**
 * Returns a copy of a value with every password replaced. In a string, which could not be parsed,
 * everything after the word is replaced.
 */
export function redactPasswords(value: Json, depth = 0): Json {
  if (typeof value === 'string')
    return depth === 0 ? value.replace(/(password).*/is, `$1${REDACTED}`) : value
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return `deeper than ${MAX_DEPTH} levels`
  if (!isJsonObject(value)) return value.map((each) => redactPasswords(each, depth + 1))
  const fields = Object.entries(value).map(([key, each]): [string, Json] => [
    key,
    key.toLowerCase() === 'password' ? REDACTED : redactPasswords(each, depth + 1),
  ])
  return Object.fromEntries(fields)
}

/** Returns a copy of a request's headers with every token and cookie replaced. */
export function redactHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): JsonObject {
  const redacted = Object.entries(headers).map(([name, value = '']): [string, Json] => [
    name,
    SECRET_HEADERS.has(name) ? REDACTED : value,
  ])
  return Object.fromEntries(redacted)
}
