import type { TSchema } from '@sinclair/typebox'
import type { FastifyServerOptions } from 'fastify'

import { compileValidator } from '../json/validation/compile-validator.js'
import type { HttpPart } from '../json/validation/compile-validator.js'

/**
 * Fastify's schema controller. TypeBox's compiler validates requests. Responses have no schema, and
 * are serialized by `JSON.stringify`: fast-json-stringify would drop unknown fields.
 */
export const schemaController = {
  compilersFactory: {
    buildValidator: () => compileFastifyValidator as never,
    buildSerializer: () => () => JSON.stringify,
  },
} satisfies FastifyServerOptions['schemaController']

function compileFastifyValidator({ schema, httpPart }: { schema: TSchema; httpPart: HttpPart }) {
  const validate = compileValidator(schema, httpPart)
  return (value: unknown) => {
    const error = validate(value)
    return error === undefined || { error }
  }
}
