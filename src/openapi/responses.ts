import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'

import {
  BodyInvalid,
  BodyTooLarge,
  BoundExceeded,
  ContentTypeUnsupported,
  CredentialsRejected,
  FaultInjected,
  InternalError,
  PreferenceInvalid,
  RequestMalformed,
} from '../errors.js'
import type { CatalogueError } from '../errors.js'
import { Failure, failureOf } from '../schemas/jsend.js'

/** One answer as OpenAPI 3.1 has it (section 4.8.17, Response Object). */
export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, { description: string; schema: TSchema }>>
  readonly content: Readonly<Record<'application/json', MediaType>>
}

/** A body and examples of it, by name (section 4.8.14, Media Type Object). */
export interface MediaType {
  readonly schema: TSchema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/** How many bytes a body may have: Fastify's own bound. */
const MAX_BODY = 1_048_576

/** How any request may fail that is behind the auth plugin. */
export const BEHIND_AUTH: readonly CatalogueError[] = [new CredentialsRejected()]

/** How a request may fail whose body is JSON. */
export const WITH_JSON: readonly CatalogueError[] = [
  new BodyInvalid('the body is not JSON'),
  new BodyTooLarge(MAX_BODY),
  new ContentTypeUnsupported('text/plain', 'application/json'),
  new BoundExceeded('the body must have at most 100 levels of JSON'),
]

/** How a request may fail whose body is a form. */
export const WITH_FORM: readonly CatalogueError[] = [
  new BodyInvalid('password is missing'),
  new BodyTooLarge(MAX_BODY),
  new ContentTypeUnsupported('text/plain', 'application/x-www-form-urlencoded'),
]

/** How any request may fail. */
const ANYWHERE = [
  new RequestMalformed('a header has no name'),
  new PreferenceInvalid('Prefer: code must be an integer from 400 to 599, not "200"'),
  new InternalError(),
]

/**
 * All answers of a route: the success, and failures by status, each error an example under its code.
 * They are for the document alone, and Fastify does not know of them: nothing is serialised by them.
 * @param failures one error of each code that the route may answer with
 */
export function responses(
  success: TSchema,
  failures: readonly CatalogueError[],
): Readonly<Record<string, ResponseObject>> {
  const byStatus: Record<string, ResponseObject> = {
    200: {
      description: 'Success',
      headers: { 'Preference-Applied': PREFERENCE_APPLIED },
      content: { 'application/json': { schema: success } },
    },
  }
  for (const error of [...failures, ...ANYWHERE]) {
    const { examples } = byStatus[error.statusCode]?.content['application/json'] ?? {}
    byStatus[error.statusCode] = failureResponse({
      ...examples,
      [error.code]: { value: failureOf(error) },
    })
  }
  return { ...byStatus, default: OTHERWISE }
}

const PREFERENCE_APPLIED = {
  description: 'What of Prefer was done (RFC 7240, section 3)',
  schema: Type.String({ examples: ['delay=1500'] }),
}

const failureResponse = (examples: MediaType['examples'] & object): ResponseObject => ({
  description: Object.keys(examples).join(', '),
  headers: { 'Preference-Applied': PREFERENCE_APPLIED },
  content: { 'application/json': { schema: Failure, examples } },
})

/** What comes from no route. */
const OTHERWISE: ResponseObject = {
  description: 'Any other failure: an injected fault, or one of HTTP itself (408, 417, 431)',
  headers: {
    'Preference-Applied': PREFERENCE_APPLIED,
    'Retry-After': {
      description: 'Seconds to wait (RFC 9110, section 10.2.3), where a fault says so',
      schema: Type.Integer({ minimum: 0, examples: [1] }),
    },
  },
  content: {
    'application/json': {
      schema: Failure,
      examples: {
        FAULT_INJECTED: {
          value: failureOf(new FaultInjected('an injected failure with status 503')),
        },
      },
    },
  },
}
