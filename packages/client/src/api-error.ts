/** One of several mistakes in a request. */
export interface ApiErrorDetail {
  /** A JSON Pointer into the body or the parameters: `/limit`. */
  readonly path: string
  readonly message: string
}

/** A response that is not a success. A request without a response throws the error of `fetch`. */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  /**
   * @param status the status of the response
   * @param code the name of the error, such as `ITEM_NOT_FOUND`; undefined if the response has no code,
   * for example the response of a proxy
   * @param details all mistakes, if there are several
   */
  constructor(
    message: string,
    readonly status: number,
    readonly code?: string,
    readonly details: readonly ApiErrorDetail[] = [],
  ) {
    super(message)
  }
}

/*
 * An error of this module is also an instance of the class of the CommonJS module, because a program with
 * both kinds of modules has both classes. A class that names itself would be renamed by the bundler.
 */
Object.defineProperty(ApiError, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    return this === ApiError
      ? (value as Error | undefined)?.name === 'ApiError'
      : Function.prototype[Symbol.hasInstance].call(this as typeof ApiError, value)
  },
})
