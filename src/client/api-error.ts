/** One of several things that are wrong. */
export interface ApiErrorDetail {
  /** A JSON Pointer into the body or the parameters: `/limit`. */
  readonly path: string
  readonly message: string
}

/** A response that is not a success. A request without any response throws what `fetch` throws. */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  /**
   * An error of this module is an instance of the class of its CommonJS twin too: a program with both
   * kinds of modules has both.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === ApiError
      ? (value as Error | undefined)?.name === 'ApiError'
      : Function.prototype[Symbol.hasInstance].call(this, value)
  }

  /**
   * @param status the status of the response
   * @param code the name of the error, such as `ITEM_NOT_FOUND`; undefined if the response has none,
   * as those of a proxy
   * @param details what is wrong, if several things are
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
