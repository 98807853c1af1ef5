import { Type } from '@sinclair/typebox'
import type { TObject, TSchema } from '@sinclair/typebox'

import { Text } from '@materials-mock/json'
import { MAX_MATCH_MS } from '@materials-mock/query'
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
  OwnerForbidden,
  ParameterInvalid,
  PatternTooCostly,
  PreferenceInvalid,
  ProjectionInvalid,
  QueryInvalid,
  RequestMalformed,
  SandboxNotFound,
  StateReplaced,
} from '../../errors.js'
import type { CatalogueError } from '../../errors.js'
import { Failure, toFailure, toFailureOf } from '../envelope-schema.js'
import { MAX_FORM_BYTES } from '../form-body.js'
import { getStatusCode } from '../status-codes.js'

export interface OperationSchema {
  readonly operationId: string
  /** The group of the operation. The group of a resource's routes is the resource's name. */
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  /** Empty for a route that needs no credentials. */
  readonly security?: readonly object[]
  readonly params?: TObject
  readonly querystring?: TObject
  readonly headers?: TObject
  readonly body?: TSchema
  readonly consumes?: readonly string[]
  readonly responses: () => Readonly<Record<string, ResponseObject>>
}

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

export const OpenApi = Type.Object(
  { openapi: Text('3.1.1') },
  { $id: 'OpenApi', description: 'An OpenAPI 3.1 document.' },
)

export const Collection = Type.Object(
  {
    info: Type.Object({ name: Text('materials-mock') }),
    item: Type.Array(Type.Object({}, { additionalProperties: true }), { examples: [[]] }),
  },
  { $id: 'Collection', description: 'A Postman collection (v2.1).' },
)

/** The number of bytes that a body may have: Fastify's default. */
const MAX_BODY = 1_048_576

export const AUTH_ERRORS = [new CredentialsRejected()]

/** An example of each error that a route with a JSON body may respond with. */
export const JSON_BODY_ERRORS = [
  new BodyInvalid('the body is not JSON'),
  new BodyTooLarge(MAX_BODY),
  new ContentTypeUnsupported('text/plain', 'application/json'),
  new BoundExceeded('the body must have at most 100 levels of JSON'),
  new BudgetExceeded(1000, '1000 ms parsing the body'),
]

export const OWNER_ERRORS = [new OwnerForbidden('another account')]

/** An example of each error that a route with a form-encoded body may respond with. */
export const FORM_BODY_ERRORS = [
  new BodyInvalid('password is missing'),
  new BodyTooLarge(MAX_FORM_BYTES),
  new ContentTypeUnsupported('text/plain', 'application/x-www-form-urlencoded'),
]

/** An example of each error that a list may respond with. */
export const LIST_ERRORS = [
  new QueryInvalid('query.formula.$gtx is not an operator on a field'),
  new ProjectionInvalid('projection.limit must be an integer from 1 to 500, not 501'),
  new ParameterInvalid('query is given 2 times; give it once'),
  new BoundExceeded('query must have at most 32768 bytes of JSON, not 40000'),
  new BudgetExceeded(1000, '990 ms scanning items, 10 ms writing the response'),
  new PatternTooCostly(MAX_MATCH_MS),
]

/** An example of each error that every route may respond with. */
const COMMON_ERRORS = [
  new RequestMalformed('a header has no name'),
  new PreferenceInvalid('Prefer: code must be an integer from 400 to 599, not "200"'),
  new InternalError(),
]

/**
 * For the document alone: Fastify does not serialize by them.
 * @param errors one of each code
 */
export function responses(
  success: TSchema,
  errors: Iterable<CatalogueError>,
  headers: ResponseObject['headers'] = {},
): Readonly<Record<string, ResponseObject>> {
  const examples: Record<string, Record<string, { readonly value: unknown }>> = {}
  for (const error of [...errors, ...COMMON_ERRORS])
    (examples[getStatusCode(error)] ??= {})[error.code] = { value: toFailure(error) }
  return {
    200: {
      description: 'Success',
      headers: { 'Preference-Applied': PREFERENCE_APPLIED, ...headers },
      content: { 'application/json': { schema: success } },
    },
    ...Object.fromEntries(
      Object.entries(examples).map(([status, each]) => [status, failureResponse(status, each)]),
    ),
    default: OTHER_FAILURE,
  }
}

const PREFERENCE_APPLIED = {
  description: 'The preferences that were applied (RFC 7240, section 3)',
  schema: Text('delay=1500'),
}

/** The errors that no route declares, and that may have the status of one that it declares. */
const UNDECLARED_ERRORS = [
  new SandboxNotFound('ann'),
  new FaultFailed('1', 'patch needs a response of JSON'),
  new StateReplaced(),
]

/** The code of an injected fault, which may have any status. */
const { code: FAULT_CODE } = new FaultInjected('a fault')

function failureResponse(status: string, examples: MediaType['examples'] & object): ResponseObject {
  const ownCodes = Object.keys(examples)
  const others = UNDECLARED_ERRORS.filter((error) => getStatusCode(error) === Number(status))
  const codes = new Set([...ownCodes, FAULT_CODE, ...others.map(({ code }) => code)])
  return {
    description: ownCodes.join(', '),
    headers: { 'Preference-Applied': PREFERENCE_APPLIED },
    content: {
      'application/json': { schema: toFailureOf([...codes]), examples },
    },
  }
}

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
