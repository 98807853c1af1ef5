import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'

import {
  BodyInvalid,
  BodyTooLarge,
  BoundExceeded,
  BudgetExceeded,
  ContentTypeUnsupported,
  CredentialsRejected,
  FaultFailed,
  FaultInjected,
  InternalError,
  PreferenceInvalid,
  RequestMalformed,
  SandboxNotFound,
} from '../../errors.js'
import type { CatalogueError } from '../../errors.js'
import { Failure, toFailure, toFailureOf } from '../envelope-schema.js'
import { MAX_FORM_BYTES } from '../max-form-bytes.js'

/** A response in OpenAPI 3.1 (section 4.8.17, Response Object). */
export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, { description: string; schema: TSchema }>>
  readonly content: Readonly<Record<string, MediaType>>
}

/** The schema of a body, and its examples by name (section 4.8.14, Media Type Object). */
export interface MediaType {
  readonly schema: TSchema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/** The number of bytes that a body may have: Fastify's default. */
const MAX_BODY = 1_048_576

/** An example of each error that any route behind the auth plugin may respond with. */
export const AUTH_ERRORS = [new CredentialsRejected()]

/** The same for a route with a JSON body. */
export const JSON_BODY_ERRORS = [
  new BodyInvalid('the body is not JSON'),
  new BodyTooLarge(MAX_BODY),
  new ContentTypeUnsupported('text/plain', 'application/json'),
  new BoundExceeded('the body must have at most 100 levels of JSON'),
  new BudgetExceeded(1000, '1000 ms parsing the body'),
]

/** The same for a route with a form-encoded body. */
export const FORM_BODY_ERRORS = [
  new BodyInvalid('password is missing'),
  new BodyTooLarge(MAX_FORM_BYTES),
  new ContentTypeUnsupported('text/plain', 'application/x-www-form-urlencoded'),
]

/** The same for every route. */
const COMMON_ERRORS = [
  new RequestMalformed('a header has no name'),
  new PreferenceInvalid('Prefer: code must be an integer from 400 to 599, not "200"'),
  new InternalError(),
]

/**
 * Creates the responses of a route by status: the success, and the failures with their errors as
 * examples. They are for the document only. Fastify does not serialize by them.
 * @param errors one error of each code that the route may respond with
 */
export function responses(
  success: TSchema,
  errors: Iterable<CatalogueError>,
): Readonly<Record<string, ResponseObject>> {
  const byStatus: Record<string, ResponseObject> = {
    200: {
      description: 'Success',
      headers: { 'Preference-Applied': PREFERENCE_APPLIED },
      content: { 'application/json': { schema: success } },
    },
  }
  for (const error of [...errors, ...COMMON_ERRORS]) {
    const { examples } = byStatus[error.statusCode]?.content['application/json'] ?? {}
    byStatus[error.statusCode] = failureResponse(error.statusCode, {
      ...examples,
      [error.code]: { value: toFailure(error) },
    })
  }
  return { ...byStatus, default: OTHER_FAILURE }
}

const PREFERENCE_APPLIED = {
  description: 'The preferences that were applied (RFC 7240, section 3)',
  schema: Type.String({ examples: ['delay=1500'] }),
}

function failureResponse(status: number, examples: MediaType['examples'] & object): ResponseObject {
  const ownCodes = Object.keys(examples)
  const codes = new Set([...ownCodes, ...findCommonCodes(status)])
  return {
    description: ownCodes.join(', '),
    headers: { 'Preference-Applied': PREFERENCE_APPLIED },
    content: {
      'application/json': { schema: toFailureOf([...codes]), examples },
    },
  }
}

/** Returns the codes that a failure of any route may have: that of an injected one has any status. */
const findCommonCodes = (status: number): string[] => [
  new FaultInjected('a fault').code,
  ...[new SandboxNotFound('ann'), new FaultFailed('1', 'patch needs a response of JSON')]
    .filter(({ statusCode }) => statusCode === status)
    .map(({ code }) => code),
]

/** The failures that no route declares. */
const OTHER_FAILURE: ResponseObject = {
  description: 'Any other failure: an injected fault, or a protocol error (408, 417, 431)',
  headers: {
    'Preference-Applied': PREFERENCE_APPLIED,
    'Retry-After': {
      description: 'The seconds to wait (RFC 9110, section 10.2.3), if a fault sets them',
      schema: Type.Integer({ minimum: 0, examples: [1] }),
    },
  },
  content: {
    'application/json': {
      schema: Failure,
      examples: {
        FAULT_INJECTED: {
          value: toFailure(new FaultInjected('an injected failure with status 503')),
        },
      },
    },
  },
}
