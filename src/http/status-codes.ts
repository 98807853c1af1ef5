import { FaultInjected } from '../errors.js'
import type { CatalogueError } from '../errors.js'

/** The status codes of responses by the codes of the errors. Any other error is a 500. */
const STATUS_CODES: Readonly<Record<string, number>> = {
  BODY_INVALID: 400,
  BOUND_EXCEEDED: 400,
  BUDGET_EXCEEDED: 400,
  FIXTURES_INVALID: 400,
  JOB_NOT_SUBMITTABLE: 400,
  OIDC_REJECTED: 400,
  PARAMETER_INVALID: 400,
  PATTERN_TOO_COSTLY: 400,
  PREFERENCE_INVALID: 400,
  PROJECTION_INVALID: 400,
  QUERY_INVALID: 400,
  REQUEST_MALFORMED: 400,
  CREDENTIALS_REJECTED: 401,
  LOGIN_REJECTED: 401,
  CALLER_FORBIDDEN: 403,
  OWNER_FORBIDDEN: 403,
  SIGNATURE_REJECTED: 403,
  FAULT_NOT_FOUND: 404,
  FILE_NOT_FOUND: 404,
  ITEM_NOT_FOUND: 404,
  ROUTE_NOT_FOUND: 404,
  SANDBOX_NOT_FOUND: 404,
  SCENARIO_NOT_FOUND: 404,
  SNAPSHOT_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  STATE_REPLACED: 409,
  BODY_TOO_LARGE: 413,
  CONTENT_TYPE_UNSUPPORTED: 415,
  EXPECTATION_FAILED: 417,
  HEADERS_TOO_LARGE: 431,
  UPSTREAM_FAILED: 502,
  PAGE_NOT_BUILT: 503,
}

/** Returns the status code of the response to a request that fails with an error. */
export const getStatusCode = (error: CatalogueError): number =>
  error instanceof FaultInjected ? error.statusCode : (STATUS_CODES[error.code] ?? 500)
