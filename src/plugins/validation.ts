import { TypeCompiler, ValueErrorType } from '@sinclair/typebox/compiler'
import type { ValueError } from '@sinclair/typebox/compiler'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyServerOptions } from 'fastify'

import { BodyInvalid, ParameterInvalid, ProjectionInvalid } from '../errors.js'
import type { CatalogueError, ErrorDetail } from '../errors.js'
import { expectation, quote } from '../schemas/expectation.js'

/** How many things that are wrong with one input are told. */
const MAX_DETAILS = 20

/**
 * How Fastify makes functions of schemas. TypeBox's own compiler judges by those of requests, each
 * compiled when it is first needed: nothing is coerced, dropped or filled in, and all that is wrong
 * is told. Those of responses write nothing: they are for the OpenAPI document alone, since
 * fast-json-stringify would drop unknown fields.
 */
export const schemaController = {
  compilersFactory: {
    buildValidator: () => compileLazily as never,
    buildSerializer: () => () => JSON.stringify,
  },
} satisfies FastifyServerOptions['schemaController']

function compileLazily({ schema, httpPart = '' }: { schema: TSchema; httpPart?: string }) {
  let check: ReturnType<typeof TypeCompiler.Compile> | undefined
  return (value: unknown) => {
    check ??= TypeCompiler.Compile(schema)
    return check.Check(value) || { error: toError([...check.Errors(value)], httpPart) }
  }
}

function toError(errors: readonly ValueError[], part: string): CatalogueError {
  const isProjection =
    part === 'querystring' && errors.every(({ path }) => /^\/projection\b/.test(path))
  const prefix = isProjection ? '/projection' : ''
  const found = [...onePerPlace(errors)].slice(0, MAX_DETAILS).map((error): ErrorDetail => ({
    path: error.path.slice(prefix.length),
    message: toMessage(error),
  }))
  const Kind = isProjection ? ProjectionInvalid : part === 'body' ? BodyInvalid : ParameterInvalid
  const result = new Kind(found.map(({ message }) => message).join('; '))
  if (found.length > 1) result.details = found
  return result
}

/** What is missing is of a wrong type too: the first error at a place tells all. */
function onePerPlace(errors: readonly ValueError[]): Iterable<ValueError> {
  const first = new Map<string, ValueError>()
  for (const error of errors) if (!first.has(error.path)) first.set(error.path, error)
  return first.values()
}

function toMessage({ type, path, schema, value }: ValueError): string {
  const names = path.slice(1).split('/').map(unescapePointer)
  const key = names.at(-1) ?? ''
  const parent = names.slice(0, -1).join('.')
  const within = parent === '' ? '' : ` in ${parent}`
  if (type === ValueErrorType.ObjectAdditionalProperties) {
    const known = Object.keys(schema.properties).join(', ')
    return `${quote(key)} is not known${within || ' here'}, which has ${known}`
  }
  if (type === ValueErrorType.ObjectRequiredProperty) return `${key} is missing${within}`
  return `${names.join('.') || 'the body'} must be ${expectation(schema)}, not ${quote(value)}`
}

/** A name of a JSON Pointer as it is (RFC 6901). */
const unescapePointer = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')
