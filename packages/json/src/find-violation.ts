import type { InputPath } from './input-path.js'
import type { Json } from './json.js'

export interface JsonRules {
  /** The largest number of levels of objects and arrays; `{"a": 1}` has one level. */
  readonly maxDepth: number
  /** The largest number of entries of one array (default: no limit). */
  readonly maxEntries?: number
  /** The largest length of a text, or of each element of an array in it (default: no limit). */
  readonly maxLength?: number
  /** The largest number of keys of one object (default: no limit). */
  readonly maxKeys?: number
  /** Describes the error of a key of an object, or returns undefined (default: any key is allowed). */
  readonly checkKey?: (key: string) => string | undefined
  /** Describes the error of a value, or returns undefined (default: the value is JSON, and any is allowed). */
  readonly checkValue?: (value: unknown) => string | undefined
}

export interface Violation {
  /** The keys and array positions on the way to the wrong value. */
  readonly keys: readonly (string | number)[]
  /** The message, to be appended to the path: `must be …`. */
  readonly message: string
  /** The limit that is exceeded: the depth of the value, or the length of an array or an object; else `value`. */
  readonly kind: 'value' | 'depth' | 'length'
}

/** The keys of an object in a body: to copy 20,000 takes 30 ms, and a new item is copied up to ten times. */
export const MAX_KEYS = 20_000

/** Describes a violation: the path and the message. */
export const describeViolation = ({
  keys,
  message,
}: Pick<Violation, 'keys' | 'message'>): string =>
  keys.length === 0 ? message : `${keys.join('.')} ${message}`

/** Names that access JavaScript's prototypes, as a key or as a segment of a dotted path. */
export const FORBIDDEN_NAMES: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
])

/** The message for a number that `JSON.parse` parses as Infinity, which JSON can't represent. */
const NOT_A_DOUBLE = 'must be a number that a double can hold, below 1.8e308'

/** Finds the first violation. It allocates nothing as long as there is no violation. */
export function findViolation(value: unknown, rules: JsonRules, depth = 1): Violation | undefined {
  const message = rules.checkValue?.(value)
  if (message !== undefined) return violation(message)
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : violation(NOT_A_DOUBLE)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > rules.maxDepth)
    return violation(`must have at most ${rules.maxDepth} levels of JSON`, 'depth')
  return Array.isArray(value)
    ? findInArray(value, rules, depth)
    : findInObject(value as Readonly<Record<string, unknown>>, rules, depth)
}

/** @throws the path's error or limitError for the first violation */
export function checkJson(value: Json, path: InputPath, rules: JsonRules): void {
  const found = findViolation(value, rules)
  if (found !== undefined) throwViolation(found, path)
}

/** @throws the path's error, or the path's limitError for an exceeded limit */
export function throwViolation({ keys, message, kind }: Violation, path: InputPath): never {
  const foundPath = keys.reduce<InputPath>((parent, key) => parent.child(key), path)
  throw kind === 'value' ? foundPath.error(message) : foundPath.limitError(message)
}

function findInArray(
  array: readonly unknown[],
  rules: JsonRules,
  depth: number,
): Violation | undefined {
  const { maxEntries = Infinity } = rules
  if (array.length > maxEntries)
    return violation(`must have at most ${maxEntries} entries, not ${array.length}`, 'length')
  for (let index = 0; index < array.length; index += 1) {
    const found = findViolation(array[index], rules, depth + 1)
    if (found !== undefined) return prependKey(index, found)
  }
  return undefined
}

function findInObject(
  object: Readonly<Record<string, unknown>>,
  rules: JsonRules,
  depth: number,
): Violation | undefined {
  const { maxKeys = Infinity } = rules
  let count = 0
  for (const key in object) {
    count += 1
    if (count > maxKeys) return violation(`must have at most ${maxKeys} keys`, 'length')
    const message = rules.checkKey?.(key)
    if (message !== undefined) return violation(message)
    const found = findViolation(object[key], rules, depth + 1)
    if (found !== undefined) return prependKey(key, found)
  }
  return undefined
}

const violation = (message: string, kind: Violation['kind'] = 'value'): Violation => ({
  keys: [],
  message,
  kind,
})

/** Prepends a key to the path. A violation of the depth is about the whole value, so its path stays empty. */
const prependKey = (key: string | number, found: Violation): Violation =>
  found.kind === 'depth' ? found : { ...found, keys: [key, ...found.keys] }
