import { findDuplicateKey } from './find-duplicate-key.js'
import { checkJson } from './find-violation.js'
import type { JsonRules } from './find-violation.js'
import type { InputPath } from './input-path.js'
import type { Json } from './json.js'
import { locateJsonError } from './locate-json-error.js'
import { quote } from './quote.js'

/** The length up to which the place of an error is found: the search takes a parse of its own. */
const MAX_LOCATED = 100_000

/**
 * Parses JSON (RFC 8259) from a request. It rejects two equal keys of one object, of which
 * `JSON.parse` would silently drop the first.
 * @throws the path's error for text that is not JSON, a duplicate key, or a value that `rules` do
 * not allow; its limitError for a value that exceeds a limit of `rules`
 */
export function parseStrictJson(text: string, path: InputPath, rules: JsonRules): Json {
  const value = parse(text, path)
  checkJson(value, path, rules)
  // Text that JSON.stringify writes has no duplicate keys.
  if (JSON.stringify(value) !== text) checkUniqueKeys(text, path)
  return value
}

function parse(text: string, path: InputPath): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw path.error(
      text.length > MAX_LOCATED
        ? `is not JSON; the place is found only in up to ${MAX_LOCATED} characters`
        : `is not JSON: ${locateJsonError(text)}`,
    )
  }
}

/** @param text JSON whose depth is bounded: the search is recursive */
function checkUniqueKeys(text: string, root: InputPath): void {
  const found = findDuplicateKey(text)
  if (found === undefined) return
  const path = found.path.reduce<InputPath>((parent, step) => parent.child(step), root)
  throw path.error(`has the key ${quote(found.key)} twice; name it once`)
}
