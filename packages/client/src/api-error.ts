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

/** The JSON of a failure, or of a response that is not from this API. */
interface FailureLike {
  readonly message?: string
  readonly data?: {
    readonly message?: string
    readonly code?: string
    readonly details?: readonly ApiErrorDetail[]
  }
}

/**
 * Returns the error of a response that is not a success.
 * @param json the JSON of the response, or undefined
 * @param otherwise the message if the response has none
 */
export function toApiError(status: number, json: unknown, otherwise: string): ApiError {
  const { message, data }: FailureLike = (json ?? {}) as FailureLike
  return new ApiError(data?.message ?? message ?? otherwise, status, data?.code, data?.details)
}
