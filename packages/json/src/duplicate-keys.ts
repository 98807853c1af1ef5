import { visit } from 'jsonc-parser'

/** A key that an object of a JSON text has for the second time. */
export interface DuplicateKey {
  readonly key: string
  /** The keys and array positions on the way to the object. */
  readonly path: readonly (string | number)[]
  /** The line of the second key, from 1. */
  readonly line: number
  /** The column of the second key, from 1. */
  readonly column: number
}

/** The largest number of levels in which keys are counted, because the count is recursive. */
const MAX_COUNTED_DEPTH = 1000

/**
 * Whether some object of a JSON text has a key twice. `JSON.parse` drops the first of them, so the text has more keys
 * than the value. The check takes half the time of `JSON.parse` (measured); `locateDuplicateKey` takes five times as
 * long as `JSON.parse`. False for a value of more than 1,000 levels.
 * @param value the result of `JSON.parse`
 * @param text valid JSON
 */
export function hasDuplicateKey(value: unknown, text: string): boolean {
  const count = countKeys(value)
  return !Number.isNaN(count) && count !== countStringsBeforeColon(text)
}

/** Returns the number of keys of all objects in a value; NaN if it has too many levels. */
function countKeys(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth > MAX_COUNTED_DEPTH) return NaN
  let count = 0
  if (Array.isArray(value)) {
    for (const element of value) count += countKeys(element, depth + 1)
    return count
  }
  for (const key in value)
    count += 1 + countKeys((value as Readonly<Record<string, unknown>>)[key], depth + 1)
  return count
}

/** Returns the number of strings in a JSON text that are keys: a colon follows. */
function countStringsBeforeColon(text: string): number {
  let count = 0
  let start = text.indexOf('"')
  while (start !== -1) {
    let next = findStringEnd(text, start) + 1
    while (text.charCodeAt(next) <= SPACE) next += 1
    if (text[next] === ':') count += 1
    start = text.indexOf('"', next)
  }
  return count
}

/** The code of the last of the characters that JSON has as whitespace. */
const SPACE = 32

/** Returns the index of the quote that ends the string from another quote on, or -1. */
export function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** Whether an odd number of backslashes is before an index, which then escape the character there. */
function isEscaped(text: string, index: number): boolean {
  let first = index
  while (text[first - 1] === '\\') first -= 1
  return (index - first) % 2 === 1
}

/** @param text JSON of limited depth, because the visitor is recursive */
export function locateDuplicateKey(text: string): DuplicateKey | undefined {
  const open: Set<string>[] = []
  let found: DuplicateKey | undefined
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key, _offset, _length, line, column, parentPath) => {
      const keys = open.at(-1)
      if (keys?.has(key) === true)
        found ??= { key, path: parentPath(), line: line + 1, column: column + 1 }
      keys?.add(key)
    },
  })
  return found
}
