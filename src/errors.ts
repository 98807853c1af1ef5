import createError from '@fastify/error'

/** One thing that is wrong with an input: where (a JSON Pointer, RFC 6901) and what. */
export interface ErrorDetail {
  readonly path: string
  readonly message: string
}

/** What every error of this catalogue is. Its `code` is stable; its message is for a person. */
export class CatalogueError extends Error {
  declare readonly code: string
  declare readonly statusCode: number
  /** Each thing that is wrong, where there are several. */
  declare details?: readonly ErrorDetail[]
}

const define = <Words extends unknown[] = []>(code: string, message: string, status = 500) =>
  createError(code, message, status, CatalogueError as unknown as ErrorConstructor) as unknown as {
    new (...words: Words): CatalogueError
  }

export const RequestMalformed = define<[string]>('REQUEST_MALFORMED', '%s', 400)
export const ParameterInvalid = define<[string]>('PARAMETER_INVALID', '%s', 400)
export const QueryInvalid = define<[string]>('QUERY_INVALID', '%s', 400)
export const ProjectionInvalid = define<[string]>('PROJECTION_INVALID', '%s', 400)
export const BodyInvalid = define<[string]>('BODY_INVALID', '%s', 400)

export const PreferenceInvalid = define<[string]>('PREFERENCE_INVALID', '%s', 400)

/** A bound on the text, depth, lists or patterns of a parameter was passed; the message names it. */
export const BoundExceeded = define<[string]>('BOUND_EXCEEDED', '%s', 400)

/** A job is submitted that was submitted before, or is none; the status is JSON. */
export const JobNotSubmittable = define<[id: string, status: string]>(
  'JOB_NOT_SUBMITTABLE',
  'the job "%s" must have the status "pre-submission" to be submitted, not %s',
  400,
)

/** One evaluation took longer than `--query-budget` allows. */
export const BudgetExceeded = define<[number]>(
  'BUDGET_EXCEEDED',
  'the evaluation of query and projection took longer than the budget of %s ms (--query-budget)',
  400,
)

/** One message for a wrong password and an unknown user, so that neither can be told apart. */
export const LoginRejected = define(
  'LOGIN_REJECTED',
  'no account has this username and password',
  401,
)
export const CredentialsRejected = define(
  'CREDENTIALS_REJECTED',
  'X-Account-Id and X-Auth-Token must be those of an open session or of a preferences token',
  401,
)
export const OwnerForbidden = define<[string]>(
  'OWNER_FORBIDDEN',
  'owner._id must be your own account, not the other account "%s"',
  403,
)

/** `/__admin` is asked from elsewhere: by a name or from a page that is not this computer's. */
export const AdminForbidden = define<[string]>('ADMIN_FORBIDDEN', '%s', 403)

export const RouteNotFound = define<[string]>('ROUTE_NOT_FOUND', 'there is nothing at %s', 404)
export const ItemNotFound = define<[resource: string, id: string]>(
  'ITEM_NOT_FOUND',
  '%s has no item with _id "%s"',
  404,
)
export const FaultNotFound = define<[id: string]>(
  'FAULT_NOT_FOUND',
  'there is no fault with _id "%s"',
  404,
)
export const SnapshotNotFound = define<[name: string]>(
  'SNAPSHOT_NOT_FOUND',
  'there is no snapshot with the name "%s"',
  404,
)
export const MethodNotAllowed = define<[method: string, path: string, allow: string]>(
  'METHOD_NOT_ALLOWED',
  '%s is not a method of %s, which has %s',
  405,
)
export const RequestTimeout = define('REQUEST_TIMEOUT', 'the request did not arrive in time', 408)
export const BodyTooLarge = define<[number]>(
  'BODY_TOO_LARGE',
  'the body must have at most %s bytes',
  413,
)
export const ContentTypeUnsupported = define<[given: string, wanted: string]>(
  'CONTENT_TYPE_UNSUPPORTED',
  'Content-Type "%s" is not taken here; send %s',
  415,
)
export const ExpectationFailed = define<[string]>(
  'EXPECTATION_FAILED',
  'Expect: %s is not met here; there is only 100-continue',
  417,
)
export const HeadersTooLarge = define<[number]>(
  'HEADERS_TOO_LARGE',
  'the request line and headers must have at most %s bytes',
  431,
)
export const InternalError = define(
  'INTERNAL_ERROR',
  'the server failed at this request; its log has the cause',
  500,
)

/** What a fault or `Prefer: code` asks for; each has the status that was asked for in place of 500. */
export const FaultInjected = define<[string]>('FAULT_INJECTED', '%s', 500)

/** Ends a start: the options are wrong. The message names the option and quotes its value. */
export const OptionsInvalid = define<[string]>('OPTIONS_INVALID', '%s')

/** Ends a start: the fixtures are wrong. The message names the file, the item and the path in it. */
export const FixturesInvalid = define<[string]>('FIXTURES_INVALID', '%s')
