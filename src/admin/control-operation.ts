import type { TSchema } from '@sinclair/typebox'

import type { CatalogueError } from '../errors.js'
import { controlResponses } from '../http/openapi/control-responses.js'
import type { OperationSchema } from '../http/openapi/operation-schema.js'

type Requests = Pick<OperationSchema, 'params' | 'querystring' | 'body'> & {
  readonly description: string
}

/** Describes a control for the OpenAPI document. */
export const operation = (
  operationId: string,
  summary: string,
  success: TSchema,
  { errors = [], ...requests }: Requests & { readonly errors?: Iterable<CatalogueError> },
): OperationSchema => ({
  operationId,
  tags: ['controls'],
  summary,
  security: [],
  ...requests,
  responses: () => controlResponses(success, errors),
})
