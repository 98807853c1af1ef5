import type { FastifyInstance, FastifySchemaValidationError, FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'

import { BodyInvalid, ParameterInvalid, ProjectionInvalid } from '../errors.js'
import type { CatalogueError, ErrorDetail } from '../errors.js'
import { expectation, quote } from '../schemas/expectation.js'

/** How schemas judge: nothing is coerced, dropped or filled in, and all that is wrong is told. */
export const ajvOptions: FastifyServerOptions['ajv'] = {
  customOptions: {
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    allErrors: true,
    verbose: true,
    keywords: ['x-consume', 'expected'],
  },
}

/** What Ajv tells with `verbose`, beyond what Fastify's type names. */
interface VerboseError extends FastifySchemaValidationError {
  readonly data?: unknown
  readonly parentSchema?: Record<string, unknown>
}

/** Makes one error of the catalogue out of what a schema found wrong. */
async function validation(app: FastifyInstance): Promise<void> {
  app.setSchemaErrorFormatter((errors, part) => toError(errors as VerboseError[], part))
}

export default fp(validation, { name: 'validation' })

function toError(errors: readonly VerboseError[], part: string): CatalogueError {
  const isProjection =
    part === 'querystring' &&
    errors.every(({ instancePath }) => /^\/projection\b/.test(instancePath))
  const prefix = isProjection ? '/projection' : ''
  const found = [...onePerPlace(errors).values()].map((error): ErrorDetail => ({
    path: pointerOf(error).slice(prefix.length),
    message: toMessage(error),
  }))
  const Kind = isProjection ? ProjectionInvalid : part === 'body' ? BodyInvalid : ParameterInvalid
  const result = new Kind(found.map(({ message }) => message).join('; '))
  if (found.length > 1) result.details = found
  return result
}

/** A choice reports each of its branches at one place, and itself last: that one tells all. */
function onePerPlace(errors: readonly VerboseError[]): ReadonlyMap<string, VerboseError> {
  return new Map(errors.map((error) => [pointerOf(error), error]))
}

/** Where the error is; a key that is missing or too many is itself the place. */
function pointerOf({ instancePath, params }: VerboseError): string {
  const key = params.additionalProperty ?? params.missingProperty
  return key === undefined ? instancePath : `${instancePath}/${escapePointer(String(key))}`
}

function toMessage({
  instancePath,
  keyword,
  params,
  parentSchema = {},
  data,
}: VerboseError): string {
  const place = instancePath
    .slice(1)
    .replaceAll('/', '.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  const within = place === '' ? '' : ` in ${place}`
  if (keyword === 'additionalProperties') {
    const keys = Object.keys(parentSchema.properties ?? {}).join(', ')
    return `${quote(params.additionalProperty)} is not known${within || ' here'}, which has ${keys}`
  }
  if (keyword === 'required') return `${params.missingProperty} is missing${within}`
  return `${place || 'the body'} must be ${expectation(parentSchema as never)}, not ${quote(data)}`
}

const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
