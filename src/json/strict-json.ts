import { hasDuplicateKey, locateDuplicateKey } from './duplicate-keys.js'
import { checkJson } from './find-violation.js'
import type { JsonRules } from './find-violation.js'
import type { InputPath } from './input-path.js'
import type { Json } from './json.js'
import { locateJsonError } from './locate-json-error.js'
import { quote } from './quote.js'

/** The largest length of a text in which the place of an error is searched, which takes another parse. */
const MAX_LOCATED = 100_000

const NOT_LOCATED = `the place is found only in up to ${MAX_LOCATED} characters`

/**
 * Parses JSON (RFC 8259) from a request. It rejects an object with two equal keys, of which
 * `JSON.parse` would silently drop the first.
 * @param hint the end of the message for text that is not JSON
 * @throws the path's error for text that is not JSON, a duplicate key, or a value that `rules` do not
 * allow; the path's limitError for a value that exceeds a limit of `rules`
 */
export function parseStrictJson(text: string, path: InputPath, rules: JsonRules, hint = ''): Json {
  const value = parseJson(text, path, hint)
  checkJson(value, path, rules)
  checkUniqueKeys(value, text, path)
  return value
}

/**
 * Parses JSON as `parseStrictJson` does, and yields after each part of the work. Each part takes up to
 * 50 ms for 1 MB.
 */
export function* parseStrictJsonInParts(
  text: string,
  path: InputPath,
  rules: JsonRules,
): Generator<void, Json, void> {
  const value = parseJson(text, path)
  yield
  checkJson(value, path, rules)
  yield
  checkUniqueKeys(value, text, path)
  return value
}

/** @throws the path's error for text that is not JSON */
function parseJson(text: string, path: InputPath, hint = ''): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw path.error(
      `is not JSON${text.length > MAX_LOCATED ? `; ${NOT_LOCATED}` : `: ${locateJsonError(text)}`}${hint}`,
    )
  }
}

/**
 * Checks that no object of a text has a key twice.
 * @param value the parsed text, of at most 1,000 levels
 * @throws the path's error for a duplicate key
 */
function checkUniqueKeys(value: Json, text: string, path: InputPath): void {
  if (!hasDuplicateKey(value, text)) return
  if (text.length > MAX_LOCATED) throw path.error(`has a key twice; ${NOT_LOCATED}`)
  const found = locateDuplicateKey(text)
  if (found === undefined) return
  const foundPath = found.path.reduce<InputPath>((parent, step) => parent.child(step), path)
  throw foundPath.error(`has the key ${quote(found.key)} twice; name it once`)
}
