import type { TSchema } from '@sinclair/typebox'
import type { FastifyServerOptions } from 'fastify'

import { compileValidator } from '../validation/compile-validator.js'
import type { HttpPart } from '../validation/compile-validator.js'

/**
 * How Fastify makes functions of schemas. TypeBox's own compiler judges by those of requests. There
 * are none of responses, by which fast-json-stringify would drop unknown fields.
 */
export const schemaController = {
  compilersFactory: {
    buildValidator: () => compile as never,
    buildSerializer: () => () => JSON.stringify,
  },
} satisfies FastifyServerOptions['schemaController']

function compile({ schema, httpPart }: { schema: TSchema; httpPart: HttpPart }) {
  const judge = compileValidator(schema, httpPart)
  return (value: unknown) => {
    const error = judge(value)
    return error === undefined || { error }
  }
}
