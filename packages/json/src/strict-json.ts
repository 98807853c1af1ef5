import { findStringEnd, hasDuplicateKey, locateDuplicateKey } from './duplicate-keys.js'
import { checkJson } from './find-violation.js'
import type { JsonRules } from './find-violation.js'
import type { InputPath } from './input-path.js'
import type { Json, JsonObject } from './json.js'
import { locateJsonError } from './locate-json-error.js'
import { quote } from './quote.js'

/** The largest length of a text in which the place of an error is searched, which takes another parse. */
const MAX_LOCATED = 100_000

const NOT_LOCATED = `the place is found only in up to ${MAX_LOCATED} characters`

/**
 * RFC 8259. Refuses two equal keys, of which `JSON.parse` silently drops the first.
 * @param hint the end of the message for text that is not JSON
 * @throws the path's error, also for what `rules` do not allow; its limitError for a limit of
 * `rules`
 */
export function parseStrictJson(text: string, path: InputPath, rules: JsonRules, hint = ''): Json {
  const value = parseText(text, path, hint)
  checkJson(value, path, rules)
  checkUniqueKeys(value, text, path)
  return value
}

/**
 * Yields after each of three steps, for some elements at a time, of up to 50 ms for 1 MB.
 * @throws as `parseStrictJson`, and the path's limitError for too long a value
 */
export function* parseStrictJsonInParts(
  text: string,
  path: InputPath,
  rules: JsonRules,
  isField = false,
): Generator<void, Json, void> {
  const { maxLength = Infinity } = rules
  const bound = `at most ${maxLength} characters of JSON`
  const isLong = text.length > maxLength
  const parsePart = (part: string, first: number): Generator<void, Json, void> => {
    if (part.length <= maxLength + PART_LENGTH) return parseInSteps(part, path.from(first), rules)
    throw path.limitError(`must have items of ${bound}; one from [${first}] on has more`)
  }
  const elements = yield* parseArrayInParts(text, parsePart, isLong)
  if (elements !== undefined) return elements
  if (text.length >= CUT_LENGTH && !isField && /^\s*\{/.test(text))
    return yield* parseFields(text.trim(), path, rules)
  if (isLong) throw path.limitError(`must have ${bound}, or be an array of items`)
  return yield* parseInSteps(text, path, rules)
}

function* parseInSteps(
  text: string,
  path: InputPath,
  rules: JsonRules,
): Generator<void, Json, void> {
  const value = parseText(text, path)
  yield
  checkJson(value, path, rules)
  yield
  checkUniqueKeys(value, text, path)
  return value
}

/** Parses the fields of a large object one after the other. Beyond `maxLength`, each is an array, or short. */
function* parseFields(
  text: string,
  path: InputPath,
  rules: JsonRules,
): Generator<void, Json, void> {
  const { maxDepth, maxKeys } = rules
  const inner = { ...rules, maxDepth: maxDepth - 1 }
  const fields = new Map<string, Json>()
  if (!text.endsWith('}')) throw path.error(`is not JSON; ${NOT_LOCATED}`)
  for (let start = 1, comma = 0; comma !== -1; start = comma + 1) {
    comma = findCut(text, start, 0)
    const field = text.slice(start, comma)
    const colon = field.indexOf(':', findStringEnd(field, field.indexOf('"')))
    const named = parseStrictJson(`{${field.slice(0, colon)}:0}`, path, rules) as JsonObject
    const [key = ''] = Object.keys(named)
    if (fields.has(key)) throw path.error(`has the key ${quote(key)} twice; name it once`)
    if (fields.size === maxKeys) throw path.limitError(`must have at most ${maxKeys} keys`)
    const value = field.slice(colon + 1)
    fields.set(key, yield* parseStrictJsonInParts(value, path.child(key), inner, true))
  }
  return Object.fromEntries(fields)
}

/**
 * @param parse parses an array of the elements from an index on, in steps
 * @param isThrowing whether what it throws is thrown, not ignored
 * @returns undefined for a wrong part, or a short text: it is to be parsed as a whole, for the
 * place of an error
 */
export function* parseArrayInParts(
  text: string,
  parse: (part: string, first: number) => Generator<void, Json, void>,
  isThrowing = false,
): Generator<void, Json[] | undefined, void> {
  const elements: Json[] = []
  for (const part of cutArray(text)) {
    let parsed: Json
    try {
      parsed = yield* parse(part, elements.length)
    } catch (error) {
      if (isThrowing) throw error
      return undefined
    }
    // Without elements, two commas follow each other.
    if (!Array.isArray(parsed) || parsed.length === 0) return undefined
    for (const element of parsed) elements.push(element)
    yield
  }
  return elements.length === 0 ? undefined : elements
}

/** The least length of a part of an array: more than `MAX_LOCATED`, so that no place is one within a part. */
const PART_LENGTH = 128 * 1024

/** The length from which an array or an object is cut. Parsing and checking a shorter one takes some 20 ms. */
const CUT_LENGTH = 512 * 1024

const [QUOTE, COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = Buffer.from('",[]{}')

/** A text that is not JSON has a part that is not. */
function* cutArray(text: string): Generator<string, void, void> {
  if (text.length < CUT_LENGTH || !/^[ \t\r\n]*\[/.test(text)) return
  let start = text.indexOf('[') + 1
  for (let comma; (comma = findCut(text, start, PART_LENGTH)) !== -1; start = comma + 1)
    yield `[${text.slice(start, comma)}]`
  yield `[${text.slice(start)}`
}

/** Returns the index of the comma at which a part ends that begins at an index, or -1. */
function findCut(text: string, start: number, least: number): number {
  let depth = 0
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      index = findStringEnd(text, index)
      if (index === -1) return -1
    } else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth += 1
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) {
      depth -= 1
    } else if (code === COMMA && depth === 0) {
      if (Math.min(index - start, text.length - index) >= least) return index
    }
  }
  return -1
}

/** @throws the path's error for text that is not JSON */
function parseText(text: string, path: InputPath, hint = ''): Json {
  try {
    return JSON.parse(text)
  } catch {
    throw path.error(
      `is not JSON${text.length > MAX_LOCATED ? `; ${NOT_LOCATED}` : `: ${locateJsonError(text)}`}${hint}`,
    )
  }
}

/**
 * @param value the parsed text, of at most 1,000 levels
 * @throws the path's error
 */
function checkUniqueKeys(value: Json, text: string, path: InputPath): void {
  if (!hasDuplicateKey(value, text)) return
  if (text.length > MAX_LOCATED) throw path.error(`has a key twice; ${NOT_LOCATED}`)
  const found = locateDuplicateKey(text)
  if (found === undefined) return
  const foundPath = found.path.reduce<InputPath>((parent, step) => parent.child(step), path)
  throw foundPath.error(`has the key ${quote(found.key)} twice; name it once`)
}
