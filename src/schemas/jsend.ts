import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'

import type { CatalogueError } from '../errors.js'

/** The envelope of every success but the login: JSend's, with what was asked for in `data`. */
export const Success = <T extends TSchema>(data: T) =>
  Type.Object({ status: Type.Literal('success'), data }, { description: 'Success' })

/**
 * The envelope of every failure, one shape for 4xx and 5xx. `data.message` repeats `message`, since
 * the platform's client reads it there; `data.details` is there where several things are wrong.
 */
export const Failure = Type.Object(
  {
    status: Type.Literal('error'),
    message: Type.String(),
    data: Type.Object({
      message: Type.String(),
      code: Type.String({ description: 'A stable name', examples: ['ITEM_NOT_FOUND'] }),
      details: Type.Optional(
        Type.Array(
          Type.Object({
            path: Type.String({ description: 'A JSON Pointer', examples: ['/limit'] }),
            message: Type.String(),
          }),
        ),
      ),
    }),
  },
  { $id: 'Failure', description: 'A failure' },
)

export type Failure = Static<typeof Failure>

/** The envelope of one error. */
export const failureOf = ({ message, code, details }: CatalogueError): Failure => ({
  status: 'error',
  message,
  data: { message, code, ...(details && { details: [...details] }) },
})

/** What stands around the JSON text of a success's `data`. */
export const SUCCESS = { open: '{"status":"success","data":', close: '}' } as const

/** The text of a success whose `data` is JSON text already. */
export const successText = (data: string): string => SUCCESS.open + data + SUCCESS.close
