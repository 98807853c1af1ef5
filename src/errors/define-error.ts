import createError from '@fastify/error'

/** One of several things that are wrong with an input. */
export interface ErrorDetail {
  /** The value that is wrong, as a JSON Pointer (RFC 6901). */
  readonly path: string
  readonly message: string
}

/** The base class of all errors of the catalogue. The `code` is stable; the message is for a person. */
export class CatalogueError extends Error {
  declare readonly code: string
  declare readonly statusCode: number
  /** All that is wrong, if it is more than one thing. */
  declare details?: readonly ErrorDetail[]
}

/** A class of errors of the catalogue. */
export type ErrorClass<Values extends unknown[]> = new (...values: Values) => CatalogueError

/**
 * Defines a class of errors. `%s` in the message is replaced by the constructor's arguments. Its
 * `name`, and that of its errors, follows from the code: `ItemNotFound` for `ITEM_NOT_FOUND`.
 */
export function defineError<Values extends unknown[] = []>(
  code: string,
  message: string,
  status = 500,
): ErrorClass<Values> {
  const Root = CatalogueError as unknown as ErrorConstructor
  // The stack starts with the name, so it is captured once the name is set.
  const Base = createError(code, message, status, Root, false) as unknown as ErrorClass<Values>
  const name = code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase())
  class NamedError extends Base {
    constructor(...values: Values) {
      super(...values)
      this.name = name
      Error.captureStackTrace(this, NamedError)
    }
  }
  Object.defineProperty(NamedError, 'name', { value: name })
  return NamedError
}
