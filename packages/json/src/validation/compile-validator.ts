import type { Static, TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Errors } from '@sinclair/typebox/errors'
import type { ValueError } from '@sinclair/typebox/errors'

import { BodyInvalid, ParameterInvalid, ProjectionInvalid } from '../errors.js'
import type { CatalogueError, ErrorDetail } from '../errors.js'
import { describeSchemaError } from './describe-schema.js'

/** The part of a request that a schema validates, by Fastify's name. */
export type HttpPart = 'body' | 'querystring' | 'params' | 'headers'

/** Returns an error of the catalogue that describes why a value is invalid, or undefined. */
export type Validator = (value: unknown) => CatalogueError | undefined

/** The largest number of errors that one response lists. */
const MAX_DETAILS = 20

/**
 * Compiles a schema, on first use, into a validator. The validator never changes the value. Its error is BodyInvalid
 * for a body, ProjectionInvalid if only a list's `projection` is wrong, else ParameterInvalid.
 * @param root the name of the whole value in messages
 */
export function compileValidator(schema: TSchema, part: HttpPart, root = 'the body'): Validator {
  let check: Check | undefined
  return (value) => {
    check ??= compileCheck(schema)
    return check(value)
      ? undefined
      : toCatalogueError(firstByPath(Errors(schema, value)), part, root)
  }
}

/** Compiles a schema into a function that returns a valid value, and throws the validator's error of another. */
export function compileParser<Schema extends TSchema>(
  schema: Schema,
  part: HttpPart,
  root?: string,
): (value: unknown) => Static<Schema> {
  const validate = compileValidator(schema, part, root)
  return (value) => {
    const error = validate(value)
    if (error !== undefined) throw error
    return value as Static<Schema>
  }
}

function toCatalogueError(
  errors: readonly ValueError[],
  part: HttpPart,
  root: string,
): CatalogueError {
  const isProjection =
    part === 'querystring' && errors.every(({ path }) => /^\/projection\b/.test(path))
  const prefix = isProjection ? '/projection' : ''
  const details = errors.map((error): ErrorDetail => ({
    path: error.path.slice(prefix.length),
    message: describeSchemaError(error, root),
  }))
  const Kind = isProjection ? ProjectionInvalid : part === 'body' ? BodyInvalid : ParameterInvalid
  const result = new Kind(details.map(({ message }) => message).join('; '))
  if (details.length > 1) result.details = details
  return result
}

/**
 * Keeps the first error at each path, because a missing field is also reported as a field of a wrong
 * type. It reads no more errors than a response lists, because a body may have 100,000 unknown keys.
 */
function firstByPath(errors: Iterable<ValueError>): ValueError[] {
  const first = new Map<string, ValueError>()
  for (const error of errors) {
    if (!first.has(error.path)) first.set(error.path, error)
    if (first.size === MAX_DETAILS) break
  }
  return [...first.values()]
}

export type Check = (value: unknown) => boolean

/** The compiled checks of schemas. Several resources have the same schema, and compiling a schema takes some ms. */
const CHECKS = new WeakMap<TSchema, Check>()

/** Compiles a schema, once, into a function that tells whether a value is valid. */
export function compileCheck(schema: TSchema): Check {
  const known = CHECKS.get(schema)
  if (known !== undefined) return known
  const compiled = TypeCompiler.Compile(schema)
  const check: Check = (value) => compiled.Check(value)
  CHECKS.set(schema, check)
  return check
}
