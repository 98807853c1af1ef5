import {
  FORBIDDEN_NAMES,
  InputPath,
  checkJson,
  isJsonObject,
  parseStrictJson,
  quote,
} from '@materials-mock/json'
import type { Json, JsonObject, JsonRules } from '@materials-mock/json'
import { MAX_BYTES, MAX_DEPTH, MAX_ENTRIES } from '@materials-mock/query'

/** The first forbidden name among those of a dotted path. */
// bounded: the names are constant
const FORBIDDEN_NAME = new RegExp(`(?:^|\\.)(${[...FORBIDDEN_NAMES].join('|')})(?=\\.|$)`)

const RULES: JsonRules = {
  maxDepth: MAX_DEPTH,
  maxEntries: MAX_ENTRIES,
  checkKey: (key) => {
    const forbidden = FORBIDDEN_NAME.exec(key)?.[1]
    return forbidden === undefined ? undefined : `must not have "${forbidden}" in a key`
  },
}

/** The URL parameters whose text is JSON. */
export type JsonParameter = 'query' | 'projection' | SelectorList

export type SelectorList = 'advancedSearches' | 'order'

/**
 * @throws QueryInvalid or ProjectionInvalid for what is no object, or list of objects, in strict
 * JSON; BoundExceeded for more bytes, levels or entries than `limits.ts` allows
 */
export function parseParameter(name: SelectorList, text: string): readonly JsonObject[]
export function parseParameter(name: 'query' | 'projection', text: string): JsonObject
export function parseParameter(name: JsonParameter, text: string): Json {
  const path = new InputPath(name === 'projection' ? name : 'query', name)
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_BYTES)
    throw path.limitError(`must have at most ${MAX_BYTES} bytes of JSON, not ${bytes}`)
  const isList = name !== 'query' && name !== 'projection'
  const isLikely = isList ? /^\s*\[/ : /^\s*\{/
  const hint = isLikely.test(text) ? '' : describeHint(name, text)
  const value = parseStrictJson(text, path, RULES, hint)
  const objects = isList && Array.isArray(value) ? value : [value]
  const wrong = objects.findIndex((each) => !isJsonObject(each))
  if (isList && !Array.isArray(value))
    throw path.error(`must be a list of JSON objects, not ${quote(value)}${hint}`)
  if (wrong !== -1) {
    const place = isList ? path.child(wrong) : path
    throw place.error(`must be a JSON object, not ${quote(objects[wrong])}${hint}`)
  }
  return value
}

export const describeEncoding = (name: string, value: unknown): string =>
  `${name}=${encodeURIComponent(JSON.stringify(value))}`

const EXAMPLES = {
  query: { formula: 'Si' },
  projection: { limit: 2 },
  advancedSearches: [{ formula: 'Si' }],
  order: [{ method: 'POST' }, { method: 'GET' }],
}

export const describeRightForm = (name: JsonParameter): string =>
  `${describeEncoding(name, EXAMPLES[name])}, which is ${name}=${JSON.stringify(EXAMPLES[name])} encoded`

function describeHint(name: JsonParameter, text: string): string {
  const encoding = text.startsWith('%') ? '; it is percent-encoded twice, or not in UTF-8' : ''
  return `${encoding}; send JSON: ${describeRightForm(name)}`
}

/**
 * @throws the path's errors for a name that reaches JavaScript's prototypes, and for exceeded
 * limits
 */
export const checkQueryLimits = (query: JsonObject, path: InputPath): void =>
  checkJson(query, path, RULES)
