import { FORBIDDEN_NAMES, checkJson } from '../json/find-violation.js'
import type { JsonRules } from '../json/find-violation.js'
import { InputPath } from '../json/input-path.js'
import { isJsonObject } from '../json/json.js'
import type { JsonObject } from '../json/json.js'
import { quote } from '../json/quote.js'
import { parseStrictJson } from '../json/strict-json.js'
import { MAX_BYTES, MAX_DEPTH, MAX_ENTRIES } from './limits.js'
import { describeRightForm } from './plain/describe-brackets.js'

const RULES: JsonRules = {
  maxDepth: MAX_DEPTH,
  maxEntries: MAX_ENTRIES,
  checkKey: (key) => {
    const forbidden = key.split('.').find((name) => FORBIDDEN_NAMES.has(name))
    return forbidden === undefined ? undefined : `must not have "${forbidden}" in a key`
  },
}

/**
 * Parses the JSON text of the URL parameter `query` or `projection`, which must be an object.
 * @throws QueryInvalid or ProjectionInvalid for text that is not a JSON object, a duplicate key, a
 * number beyond a double, and a name that reaches into JavaScript's prototypes
 * @throws BoundExceeded for more bytes, levels or entries than `limits.ts` allows
 */
export function parseParameter(name: 'query' | 'projection', text: string): JsonObject {
  const path = new InputPath(name)
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_BYTES)
    throw path.limitError(`must have at most ${MAX_BYTES} bytes of JSON, not ${bytes}`)
  const hint = /^\s*\{/.test(text) ? '' : `; send JSON: ${describeRightForm(name)}`
  const value = parseStrictJson(text, path, RULES, hint)
  if (!isJsonObject(value)) throw path.error(`must be a JSON object, not ${quote(value)}${hint}`)
  return value
}

/**
 * Checks a query that is part of a body by the same limits.
 * @throws the path's error for a name that reaches into JavaScript's prototypes, and its limitError
 * for more levels or entries than `limits.ts` allows
 */
export const checkQueryLimits = (query: JsonObject, path: InputPath): void =>
  checkJson(query, path, RULES)
