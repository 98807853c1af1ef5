import type { TSchema } from '@sinclair/typebox'
import type { FastifyServerOptions } from 'fastify'

import { judgeOf } from '../schemas/judge.js'
import type { Part } from '../schemas/judge.js'

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

function compile({ schema, httpPart }: { schema: TSchema; httpPart: Part }) {
  const judge = judgeOf(schema, httpPart)
  return (value: unknown) => {
    const error = judge(value)
    return error === undefined || { error }
  }
}
