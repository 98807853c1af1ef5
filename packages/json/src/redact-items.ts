import { isJsonObject } from './json.js'
import type { Json, JsonObject } from './json.js'
import { HIDDEN, SECRET_PARAMETER_NAME, SECRET_WORD, hideUserInfo, isSecretName } from './redact.js'
import { MIN_PART_LENGTH, createSecretFilter } from './secret-filter.js'

/** Matches a parameter of a URL that gives access, such as the signature of a signed URL. */
const SECRET_PARAMETER = new RegExp(
  `([?&](?:[^=?&#\\s]*(?:${SECRET_WORD}|[-_]key)|${SECRET_PARAMETER_NAME})=)[^&#\\s"']+`,
  'gi',
)

const TOKEN_HEADER = /(x-auth-token["']?\s*[:=]\s*["']?)[^\s"',;]+/gi

/** Matches a text that may be a user and a password (RFC 7617). */
const BASIC = /(\bbasic\s+)([A-Za-z0-9+/]{4,}={0,2})/gi

const BEARER = /(bearer\s+)[\w.~+/=-]{8,}/gi

/** The number of values that are redacted in a step. They take some ms. */
const STEP_LENGTH = 1024

/**
 * Returns a function that removes secrets from items, in steps: the given secrets wherever they are, texts under keys such
 * as `token` or `apiKey`, passwords and signatures in URLs, and the values at the given paths. The `_id` of an item stays.
 * @param paths dotted paths, which traverse arrays. Their values are emptied, and keep their type
 */
export function createRedactor(
  paths: readonly string[],
  secrets: Iterable<string>,
): (item: JsonObject) => Generator<void, JsonObject, void> {
  const hide = createSecretFilter(secrets)
  const segments = paths.map((path) => path.split('.'))
  let visited = 0
  const isStepOver = (): boolean => {
    visited += 1
    return visited % STEP_LENGTH === 0
  }

  function redactLeaf(value: Json, isSecret: boolean): Json {
    if (typeof value !== 'string') return value
    return isSecret && value !== '' ? HIDDEN : redactItemText(hide(value))
  }

  // Most values are leaves, for which a generator takes more time than the rest.
  function* redact(value: Json, isSecret: boolean): Generator<void, Json, void> {
    if (Array.isArray(value)) {
      const elements: Json[] = []
      for (const each of value as readonly Json[]) {
        if (isStepOver()) yield
        elements.push(isNested(each) ? yield* redact(each, isSecret) : redactLeaf(each, isSecret))
      }
      return elements
    }
    const fields: [string, Json][] = []
    for (const [key, each] of Object.entries(value as JsonObject)) {
      if (isStepOver()) yield
      const isHidden = isSecret || isSecretName(key)
      const redacted = isNested(each) ? yield* redact(each, isHidden) : redactLeaf(each, isHidden)
      fields.push([hide(key), redacted])
    }
    return Object.fromEntries(fields)
  }

  return function* (item) {
    const emptied = segments.reduce<Json>((value, path) => emptyAt(value, path), item)
    return { ...((yield* redact(emptied, false)) as JsonObject), _id: item._id as string }
  }
}

const isNested = (value: Json): boolean => typeof value === 'object' && value !== null

const redactItemText = (text: string): string =>
  hideUserInfo(text)
    .replace(BASIC, (credentials, scheme, base64) =>
      /^[ -9;-~]*:[ -~]*$/.test(Buffer.from(base64, 'base64').toString())
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
  return { ...value, [segment]: emptyAt(value[segment]!, rest) }
}

/** Whether a value has the path that `createRedactor` empties. */
export function hasPath(value: Json, [segment, ...rest]: readonly string[]): boolean {
  if (segment === undefined) return true
  if (Array.isArray(value)) return value.some((each) => hasPath(each, [segment, ...rest]))
  if (!isJsonObject(value) || !Object.hasOwn(value, segment)) return false
  return hasPath(value[segment]!, rest)
}

/** Returns an empty value of the same type, so that an item stays valid. */
function toEmpty(value: Json): Json {
  if (typeof value === 'string') return HIDDEN
  if (typeof value === 'number') return 0
  if (typeof value === 'boolean') return false
  if (Array.isArray(value)) return []
  return value === null ? null : {}
}

/**
 * Lists the secrets in headers: tokens, the values of cookies (RFC 6265), and the credentials of `Basic`, with
 * the password in them (RFC 7617). A short value of a cookie may be a word, and is left out.
 */
export function listHeaderSecrets(headers: Iterable<readonly [string, unknown]>): string[] {
  return [...headers].flatMap(([name, given]) =>
    [given].flat().flatMap((each) => {
      const text = String(each)
      if (/^cookie$/i.test(name)) return readCookies(text, ';')
      if (/^set-cookie$/i.test(name)) return readCookies(text, '\n')
      if (!/^authorization$/i.test(name)) return isSecretName(name) ? [text] : []
      const credentials = text.replace(/^(?:bearer|basic) +/i, '')
      if (!/^basic /i.test(text)) return [credentials]
      const [, ...password] = Buffer.from(credentials, 'base64').toString().split(':')
      return [credentials, password.join(':')]
    }),
  )
}

/**
 * Returns the values of cookies, without their quotes and attributes, but for short values. A cookie that is shorter
 * than such a value is not parsed: a header may have thousands.
 */
const readCookies = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .filter(({ length }) => length >= MIN_PART_LENGTH)
    .map((cookie) => /^(?:[^=;]*=)?\s*"?([^;"]*)/.exec(cookie)?.[1]?.trim() ?? '')
    .filter(({ length }) => length >= MIN_PART_LENGTH)

/** Lists the texts under keys that name a secret, such as the tokens in the answer of a login. */
export function listNamedSecrets(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(listNamedSecrets)
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, each]) =>
    typeof each === 'string' && isSecretName(name) ? [each] : listNamedSecrets(each),
  )
}
