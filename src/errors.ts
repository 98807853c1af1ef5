import createError from '@fastify/error'

/**
 * Every error that a request can be answered with, and the two that end a start. An error's `code`
 * is the stable name that a client may rely on; its message is for a person.
 */

export const RequestMalformed = createError<[string]>('REQUEST_MALFORMED', '%s', 400)
export const ParameterInvalid = createError<[string]>('PARAMETER_INVALID', '%s', 400)
export const QueryInvalid = createError<[string]>('QUERY_INVALID', '%s', 400)
export const ProjectionInvalid = createError<[string]>('PROJECTION_INVALID', '%s', 400)
export const BodyInvalid = createError<[string]>('BODY_INVALID', '%s', 400)

/** A bound on the text, depth, lists or patterns of a parameter was passed; the message names it. */
export const BoundExceeded = createError<[string]>('BOUND_EXCEEDED', '%s', 400)

/** One evaluation took longer than `--query-budget` allows. */
export const BudgetExceeded = createError<[number]>(
  'BUDGET_EXCEEDED',
  'the evaluation of query and projection took longer than the budget of %s ms (--query-budget)',
  400,
)

/** One message for a wrong password and an unknown user, so that neither can be told apart. */
export const LoginRejected = createError(
  'LOGIN_REJECTED',
  'no account has this username and password',
  401,
)
export const CredentialsRejected = createError(
  'CREDENTIALS_REJECTED',
  'X-Account-Id and X-Auth-Token must be those of an open session or of a preferences token',
  401,
)
export const OwnerForbidden = createError<[string]>(
  'OWNER_FORBIDDEN',
  'owner._id must be your own account, not the other account "%s"',
  403,
)

export const RouteNotFound = createError<[string]>('ROUTE_NOT_FOUND', 'there is nothing at %s', 404)
export const ItemNotFound = createError<[resource: string, id: string]>(
  'ITEM_NOT_FOUND',
  '%s has no item with _id "%s"',
  404,
)
export const MethodNotAllowed = createError<[method: string, path: string, allow: string]>(
  'METHOD_NOT_ALLOWED',
  '%s is not a method of %s, which has %s',
  405,
)
export const BodyTooLarge = createError<[number]>(
  'BODY_TOO_LARGE',
  'the body must have at most %s bytes',
  413,
)
export const ContentTypeUnsupported = createError<[given: string, wanted: string]>(
  'CONTENT_TYPE_UNSUPPORTED',
  'Content-Type "%s" is not taken here; send %s',
  415,
)
export const HeadersTooLarge = createError<[number]>(
  'HEADERS_TOO_LARGE',
  'the request line and headers must have at most %s bytes',
  431,
)
export const InternalError = createError(
  'INTERNAL_ERROR',
  'the server failed at this request; its log has the cause',
  500,
)

/** Ends a start: the options are wrong. The message names the option and quotes its value. */
export const OptionsInvalid = createError<[string]>('OPTIONS_INVALID', '%s')

/** Ends a start: the fixtures are wrong. The message names the file, the item and the path in it. */
export const FixturesInvalid = createError<[string]>('FIXTURES_INVALID', '%s')

/** One thing that is wrong with an input: where (a JSON Pointer, RFC 6901) and what. */
export interface ErrorDetail {
  readonly path: string
  readonly message: string
}
