import type { TSchema } from '@sinclair/typebox'

import {
  AdminForbidden,
  BodyInvalid,
  BoundExceeded,
  BudgetExceeded,
  ContentTypeUnsupported,
  ParameterInvalid,
  PatternTooCostly,
  ProjectionInvalid,
  QueryInvalid,
} from '../../errors.js'
import type { CatalogueError } from '../../errors.js'
import { Success } from '../envelope-schema.js'
import { JSON_BODY_ERRORS, responses } from './responses.js'
import type { ResponseObject } from './responses.js'

/** An example of each error that every control may respond with. */
const CONTROL_ERRORS = [
  new AdminForbidden(
    '/__admin must be requested by a loopback name or the --host option, not "evil.example"',
  ),
  new ParameterInvalid('"full" is not a parameter of GET /__admin/health, which has none'),
  new BodyInvalid('POST /__admin/reset takes no body'),
  new ContentTypeUnsupported('text/plain', 'application/json'),
]

/** The same for a control with the parameters of a list. */
export const LIST_ERRORS = [
  new QueryInvalid('query.$x is not an operator'),
  new ProjectionInvalid('projection.limit must be an integer from 1 to 500, not 0'),
  new BoundExceeded('query must have at most 32768 bytes of JSON'),
  new BudgetExceeded(1000, '1000 ms evaluating the query'),
  new PatternTooCostly(100),
]

/**
 * Creates the responses of a control by status.
 * @param data the schema of the `data` of a success
 * @param errors one error of each code that only this control may respond with
 */
export const controlResponses = (
  data: TSchema,
  errors: Iterable<CatalogueError> = [],
): Readonly<Record<string, ResponseObject>> =>
  responses(Success(data), [...CONTROL_ERRORS, ...JSON_BODY_ERRORS, ...errors])
