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

/** Returns a validator, or undefined for path parameters without constraints, which are always valid. */
function compileFastifyValidator({ schema, httpPart }: { schema: TSchema; httpPart: HttpPart }) {
  if (httpPart === 'params' && Object.values<TSchema>(schema['properties']).every(isAnyText))
    return undefined
  const validate = compileValidator(schema, httpPart)
  return (value: unknown) => {
    const error = validate(value)
    return error === undefined || { error }
  }
}

const isAnyText = ({ type, ...rest }: TSchema): boolean =>
  type === 'string' && Object.keys(rest).every((key) => DOCUMENTING.has(key))

/** The keywords that constrain nothing. */
const DOCUMENTING: ReadonlySet<string> = new Set(['description', 'examples', 'title'])
