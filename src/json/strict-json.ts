import { findStringEnd, hasDuplicateKey, locateDuplicateKey } from './duplicate-keys.js'
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
 * Parses JSON as `parseStrictJson` does, and yields after each part of the work: some elements of an
 * array, or one of the three steps for another value, which take up to 50 ms each for 1 MB.
 */
export function* parseStrictJsonInParts(
  text: string,
  path: InputPath,
  rules: JsonRules,
): Generator<void, Json, void> {
  const elements = yield* parseArrayInParts(text, (part) => parseStrictJson(part, path, rules))
  if (elements !== undefined) return elements
  const value = parseJson(text, path)
  yield
  checkJson(value, path, rules)
  yield
  checkUniqueKeys(value, text, path)
  return value
}

/**
 * Parses the text of an array in parts, and yields after each of them.
 * @param parse parses a part, which is an array of some of the elements; what it throws is ignored
 * @returns the elements; undefined if a part is wrong, or the text is short or no array: the text is
 *   to be parsed as a whole then, and has the place of an error
 */
export function* parseArrayInParts(
  text: string,
  parse: (part: string) => Json,
): Generator<void, Json[] | undefined, void> {
  const elements: Json[] = []
  for (const part of cutArray(text)) {
    let parsed: Json
    try {
      parsed = parse(part)
    } catch {
      return undefined
    }
    // Without elements, two commas follow each other.
    if (!Array.isArray(parsed) || parsed.length === 0) return undefined
    for (const element of parsed) elements.push(element)
    yield
  }
  return elements.length === 0 ? undefined : elements
}

/** The least length of a part of an array. Parsing and checking that takes a few ms. */
const PART_LENGTH = 64 * 1024

/** The length from which an array is cut. Parsing and checking a shorter one takes some 20 ms. */
const CUT_LENGTH = 512 * 1024

const [QUOTE, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Cuts the text of a large array into texts of arrays with some of its elements, behind elements that are
 * objects or arrays. A text that is not JSON has a part that is not.
 */
function* cutArray(text: string): Generator<string, void, void> {
  if (text.length < CUT_LENGTH || !/^[ \t\r\n]*\[/.test(text)) return
  let start = text.indexOf('[') + 1
  for (let comma; (comma = findCut(text, start)) !== -1; start = comma + 1)
    yield `[${text.slice(start, comma)}]`
  yield `[${text.slice(start)}`
}

/** Returns the index of the comma at which a part of an array ends that begins at an index, or -1. */
function findCut(text: string, start: number): number {
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
      if (depth === 0 && index - start >= PART_LENGTH) return text.indexOf(',', index)
    }
  }
  return -1
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
