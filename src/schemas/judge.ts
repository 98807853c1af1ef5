import { TypeCompiler, ValueErrorType } from '@sinclair/typebox/compiler'
import type { ValueError } from '@sinclair/typebox/compiler'
import type { TSchema } from '@sinclair/typebox'

import { BodyInvalid, ParameterInvalid, ProjectionInvalid } from '../errors.js'
import type { CatalogueError, ErrorDetail } from '../errors.js'
import { expectation, quote } from './expectation.js'

/** How many things that are wrong with one input are told. */
const MAX_DETAILS = 20

/** The part of a request that is judged, as Fastify names it. */
export type Part = 'body' | 'querystring' | 'params' | 'headers'

/**
 * Makes what judges values by a schema, compiled when the first one comes: nothing is coerced,
 * dropped or filled in. It gives what is wrong, all of it, as an error of the catalogue: BodyInvalid,
 * ProjectionInvalid where nothing but a list's `projection` is wrong, else ParameterInvalid.
 */
export function judgeOf(
  schema: TSchema,
  part: Part,
): (value: unknown) => CatalogueError | undefined {
  let check: ReturnType<typeof TypeCompiler.Compile> | undefined
  return (value) => {
    check ??= TypeCompiler.Compile(schema)
    return check.Check(value) ? undefined : toError([...check.Errors(value)], part)
  }
}

function toError(errors: readonly ValueError[], part: Part): CatalogueError {
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
