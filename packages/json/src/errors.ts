import { format } from 'node:util'

/** One of several mistakes in an input. */
export interface ErrorDetail {
  /** A JSON Pointer to the wrong value (RFC 6901). */
  readonly path: string
  readonly message: string
}

/** The key of an error's code. The classes of another bundle or realm have it too: their errors are instances of ours. */
const CODE = Symbol.for('materials-mock error')

/** The base class of all errors of the catalogue. The `code` is stable; the message is for people. */
export class CatalogueError extends Error {
  declare readonly code: string
  /** All mistakes, if there is more than one. */
  declare details?: readonly ErrorDetail[]
  declare readonly [CODE]?: string

  static override [Symbol.hasInstance](error: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this, error)) return true
    const code = (error as Partial<CatalogueError> | null | undefined)?.[CODE]
    if (code === undefined) return false
    return (
      this === CatalogueError ||
      (Object.hasOwn(this.prototype, CODE) && this.prototype[CODE] === code)
    )
  }

  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`
  }
}

export type ErrorClass<Values extends unknown[]> = new (...values: Values) => CatalogueError

/**
 * Defines a class of errors. `%s` in the message is replaced by the constructor's arguments. The `name`
 * of the class and of its errors follows from the code: `ItemNotFound` for `ITEM_NOT_FOUND`.
 */
export function defineError<Values extends unknown[] = []>(
  code: string,
  message: string,
): ErrorClass<Values> {
  const name = code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase())
  class NamedError extends CatalogueError {
    constructor(...values: Values) {
      super(format(message, ...values))
      Object.assign(this, { name, code })
      // The stack starts with the name, so it is captured again, now that the name is set.
      Error.captureStackTrace(this, new.target)
    }
  }
  Object.defineProperty(NamedError, 'name', { value: name })
  Object.defineProperty(NamedError.prototype, CODE, { value: code })
  return NamedError
}

/** An option, or a variable of the environment, is wrong. The message names the option and quotes its value. */
export const OptionsInvalid = defineError<[string]>('OPTIONS_INVALID', '%s')

/** The fixtures are wrong: at the start, or at a reload. The message names file, item and path. */
export const FixturesInvalid = defineError<[string]>('FIXTURES_INVALID', '%s')

/** A parameter of the URL is unknown, empty, given twice or has a wrong value. */
export const ParameterInvalid = defineError<[string]>('PARAMETER_INVALID', '%s')

/** `query` is not JSON, or not a query that MongoDB would accept. */
export const QueryInvalid = defineError<[string]>('QUERY_INVALID', '%s')

/** `projection` is not JSON, or its sort, skip, limit or fields are wrong. */
export const ProjectionInvalid = defineError<[string]>('PROJECTION_INVALID', '%s')

/** The body is not JSON or form data, or does not match the route's schema. */
export const BodyInvalid = defineError<[string]>('BODY_INVALID', '%s')

/** An input exceeds a limit on its size, depth, arrays or patterns. The message names the limit. */
export const BoundExceeded = defineError<[string]>('BOUND_EXCEEDED', '%s')
