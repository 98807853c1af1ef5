/** One of several things that are wrong, with the place as a JSON Pointer. */
export interface ErrorDetail {
  readonly path: string
  readonly message: string
}

/** A failure that the server has answered. Its status is 0 if there was no answer. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code = '',
    readonly details: readonly ErrorDetail[] = [],
  ) {
    super(message)
    this.name = 'ApiError'
  }
}
