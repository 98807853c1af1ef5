import { throwViolation } from './find-violation.js'
import type { Violation } from './find-violation.js'
import type { InputPath } from './input-path.js'
import { isJsonObject } from './json.js'
import type { Json, JsonObject } from './json.js'
import { isPlainObject, quote } from './quote.js'

/** An error for a value of this process that JSON can't express. */
export class NonJsonError extends Error {
  readonly violation: Violation

  constructor(found: Violation) {
    super(found.message)
    this.violation = found
  }
}

/**
 * Copies a value of this process as JSON. Each part is read once, so that a getter or a Proxy can't
 * return another value after the check.
 * @param maxDepth the largest number of levels of objects and arrays; `{"a": 1}` has one level
 * @throws NonJsonError for the first value that JSON can't express: `undefined`, a number that is not
 * finite, a `BigInt`, a symbol, a function, an instance of a class other than arrays (a `Date`, a
 * `Map`), an object that contains itself, or a getter that throws. `JSON.stringify` would drop or
 * replace most of these silently
 */
export const copyJson = (value: unknown, maxDepth: number): Json =>
  new JsonCopier(maxDepth).copy(value)

/**
 * Copies a value of this process, before it is treated as the input of a request.
 * @throws the path's error for the first value that JSON can't express; the path's limitError for a
 * value with more than `maxDepth` levels
 */
export function copyInput(value: unknown, path: InputPath, maxDepth: number): Json {
  try {
    return copyJson(value, maxDepth)
  } catch (error) {
    return throwViolation((error as NonJsonError).violation, path)
  }
}

/**
 * Copies an object of this process, as `copyInput` does.
 * @throws as `copyInput` does, and the path's error for a value that is not an object
 */
export function copyObjectInput(value: unknown, path: InputPath, maxDepth: number): JsonObject {
  if (!isJsonObject(value)) throw path.error(`must be an object, not ${quote(value)}`)
  return copyInput(value, path, maxDepth) as JsonObject
}

class JsonCopier {
  readonly #maxDepth: number
  /** The objects and arrays around the value that is being read, and the keys on the way to it. */
  readonly #ancestors: object[] = []
  readonly #keys: (string | number)[] = []

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth
  }

  /** @throws NonJsonError */
  copy(value: unknown): Json {
    try {
      return this.#copyValue(value)
    } catch (error) {
      throw error instanceof NonJsonError ? error : this.#refuse(`can't be read: ${String(error)}`)
    }
  }

  #copyValue(value: unknown): Json {
    if (isJsonScalar(value)) return value
    if (typeof value !== 'object') throw this.#refuse(describeNonJson(value))
    if (this.#ancestors.includes(value)) throw this.#refuse('must not contain itself')
    if (this.#ancestors.length === this.#maxDepth)
      throw this.#refuse(`must have at most ${this.#maxDepth} levels of JSON`, 'depth')
    const isArray = Array.isArray(value)
    if (!isArray && !isPlainObject(value)) throw this.#refuse(describeNonJson(value))
    const [symbol] = Object.getOwnPropertySymbols(value)
    if (symbol !== undefined) throw this.#refuse(`must not have the key ${String(symbol)}`)
    this.#ancestors.push(value)
    // A hole of an array counts as `undefined`.
    const copy = isArray
      ? Array.from({ length: value.length }, (_, index) => this.#copyMember(value, index))
      : Object.fromEntries(Object.keys(value).map((key) => [key, this.#copyMember(value, key)]))
    this.#ancestors.pop()
    return copy
  }

  #copyMember(container: object, key: string | number): Json {
    this.#keys.push(key)
    const copy = this.#copyValue((container as Readonly<Record<string | number, unknown>>)[key])
    this.#keys.pop()
    return copy
  }

  /** Returns an error about the value that is being read. An error about the depth is about the whole value. */
  #refuse(message: string, kind: Violation['kind'] = 'value'): NonJsonError {
    return new NonJsonError({ keys: kind === 'depth' ? [] : this.#keys, message, kind })
  }
}

const isJsonScalar = (value: unknown): value is string | number | boolean | null =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))

const describeNonJson = (value: unknown): string =>
  `must be a JSON value, not ${quote(value)}${describeRemedy(value)}`

/** Describes the replacement of a value that JSON can't express. */
function describeRemedy(value: unknown): string {
  if (value === undefined) return '; leave it out'
  if (value instanceof Date) return '; write its toISOString()'
  if (value instanceof RegExp) return `; as a condition of a query it is ${toCondition(value)}`
  return ''
}

/** Returns the JSON of the condition for a regular expression. */
function toCondition({ source, flags }: RegExp): string {
  const options = flags.replace(/[^ims]/g, '')
  return JSON.stringify({ $regex: source, ...(options && { $options: options }) })
}
