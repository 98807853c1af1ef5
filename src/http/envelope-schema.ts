import { Type } from '@sinclair/typebox'
import type { ObjectOptions, Static, TLiteral, TObject, TSchema } from '@sinclair/typebox'

import { Text } from '@materials-mock/json'
import * as errors from '../errors.js'
import type { CatalogueError, ErrorClass } from '../errors.js'

/** The JSend envelope of every successful response except the login's. */
export const Success = <T extends TSchema>(
  data: T,
): TObject<{ status: TLiteral<'success'>; data: T }> =>
  Type.Object({ status: Type.Literal('success'), data }, { description: 'Success' })

const FailureDetails = Type.Array(
  Type.Object({
    path: Text('/limit', 'A JSON Pointer.'),
    message: Type.String(),
  }),
  { $id: 'FailureDetails' },
)

/** Generated clients have a type with each code, because the codes are an enumeration. */
const toFailureSchema = (codes: readonly string[], options: ObjectOptions) =>
  Type.Object(
    {
      status: Type.Literal('error'),
      message: Type.String(),
      data: Type.Object({
        message: Type.String(),
        code: Type.Unsafe<string>({ type: 'string', enum: codes }),
        details: Type.Optional(FailureDetails),
      }),
    },
    options,
  )

/** Failures, 4xx and 5xx. The platform's client reads `data.message`, which repeats `message`. */
export const Failure = toFailureSchema(
  Object.values(errors)
    .filter((Kind) => Kind !== errors.CatalogueError)
    .map((Kind) => new (Kind as ErrorClass<unknown[]>)().code),
  { $id: 'Failure', description: 'A failure' },
)
export type Failure = Static<typeof Failure>

export const toFailureOf = (codes: readonly string[]): TSchema =>
  toFailureSchema(codes, { description: codes.join(', ') })

export const toFailure = ({ message, code, details }: CatalogueError): Failure => ({
  status: 'error',
  message,
  data: { message, code, ...(details && { details: [...details] }) },
})

/** The texts before and after the JSON of a success's `data` (https://github.com/omniti-labs/jsend). */
export const SUCCESS_ENVELOPE = { open: '{"status":"success","data":', close: '}' } as const

/** Returns the JSON of a success. `data` is JSON too. */
export const toSuccessJson = (data: string): string =>
  SUCCESS_ENVELOPE.open + data + SUCCESS_ENVELOPE.close
