import { toControlRequest } from '@materials-mock/api'
import type { AnswerOf, BodyOf, OperationName, ParamsOf, QueryOf } from '@materials-mock/api'
import { send, withParameters } from './send.js'
import type { UrlParameters } from './send.js'

interface Options {
  readonly signal?: AbortSignal | undefined
  /** The URL before the controls (default: that of the server or the sandbox that the page shows). */
  readonly base?: string | undefined
}

/** What an operation of the mock takes. The parameters of the URL are texts, and a body can be one. */
type ControlInput<Name extends OperationName> = Options & {
  readonly query?: { readonly [Key in keyof QueryOf<Name>]?: string | undefined }
} & (keyof ParamsOf<Name> extends never ? unknown : { readonly params: ParamsOf<Name> }) &
  (BodyOf<Name> extends undefined ? unknown : { readonly body: BodyOf<Name> | string })

/**
 * Calls an operation of the mock by its name.
 * @throws ApiError as `send` does
 */
export function callControl<Name extends OperationName>(
  name: Name,
  input: ControlInput<Name>,
): Promise<AnswerOf<Name>>
export function callControl(
  name: OperationName,
  input: Options & {
    readonly params?: object
    readonly query?: UrlParameters
    readonly body?: unknown
  },
): Promise<unknown> {
  const { params, query = {}, body, signal, base = '' } = input
  const { method, path } = toControlRequest(name, params)
  return send(base + withParameters(path, query), { method, body, signal })
}
