import { format } from 'node:util'

/** One of several mistakes in an input. */
export interface ErrorDetail {
  /** A JSON Pointer to the wrong value (RFC 6901). */
  readonly path: string
  readonly message: string
}

/** The key of an error's code. The classes of another bundle or realm have it too: their errors are instances of ours. */
const CODE = Symbol.for('materials-mock error')

/** The base class of all errors of the catalogue. The `code` is stable; the message is for people. */
export class CatalogueError extends Error {
  declare readonly code: string
  declare readonly statusCode: number
  /** All mistakes, if there is more than one. */
  declare details?: readonly ErrorDetail[]
  declare readonly [CODE]?: string

  static override [Symbol.hasInstance](error: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this, error)) return true
    const code = (error as Partial<CatalogueError> | null | undefined)?.[CODE]
    if (code === undefined) return false
    return (
      this === CatalogueError ||
      (Object.hasOwn(this.prototype, CODE) && this.prototype[CODE] === code)
    )
  }

  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`
  }
}

/** A class of errors of the catalogue. */
export type ErrorClass<Values extends unknown[]> = new (...values: Values) => CatalogueError

/**
 * Defines a class of errors. `%s` in the message is replaced by the constructor's arguments. The `name`
 * of the class and of its errors follows from the code: `ItemNotFound` for `ITEM_NOT_FOUND`.
 */
function define<Values extends unknown[] = []>(
  code: string,
  message: string,
  statusCode = 500,
): ErrorClass<Values> {
  const name = code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase())
  class NamedError extends CatalogueError {
    constructor(...values: Values) {
      super(format(message, ...values))
      Object.assign(this, { name, code, statusCode })
      // The stack starts with the name, so it is captured again, now that the name is set.
      Error.captureStackTrace(this, new.target)
    }
  }
  Object.defineProperty(NamedError, 'name', { value: name })
  Object.defineProperty(NamedError.prototype, CODE, { value: code })
  return NamedError
}

/** The server can't start because an option is wrong. The message names the option and quotes its value. */
export const OptionsInvalid = define<[string]>('OPTIONS_INVALID', '%s')

/** The fixtures are wrong: at the start, or at a reload. The message names file, item and path. */
export const FixturesInvalid = define<[string]>('FIXTURES_INVALID', '%s', 400)

/**
 * A deployment can't be checked or recorded, or no mock can be connected to: nothing answers there, it
 * refuses the credentials, or it is not a mock.
 */
export const DeploymentUnusable = define<[string]>('DEPLOYMENT_UNUSABLE', '%s')

/** `mutate` can't run: the tests fail although no response is changed, or send no request to a mock. */
export const TestsUnusable = define<[string]>('TESTS_UNUSABLE', '%s')

/** The server can't start because of a folder that it writes. The message names the folder or a file. */
export const StateInvalid = define<[string]>('STATE_INVALID', '%s')

/** The request is not valid HTTP/1.1, its path can't be decoded, or it names two sandboxes. */
export const RequestMalformed = define<[string]>('REQUEST_MALFORMED', '%s', 400)

/** A parameter of the URL is unknown, empty, given twice or has a wrong value. */
export const ParameterInvalid = define<[string]>('PARAMETER_INVALID', '%s', 400)

/** `query` is not JSON, or not a query that MongoDB would accept. */
export const QueryInvalid = define<[string]>('QUERY_INVALID', '%s', 400)

/** `projection` is not JSON, or its sort, skip, limit or fields are wrong. */
export const ProjectionInvalid = define<[string]>('PROJECTION_INVALID', '%s', 400)

/** The body is not JSON or form data, or does not match the route's schema. */
export const BodyInvalid = define<[string]>('BODY_INVALID', '%s', 400)

/** The `Prefer` header can't be parsed, or its code or delay is out of range. */
export const PreferenceInvalid = define<[string]>('PREFERENCE_INVALID', '%s', 400)

/** An input exceeds a limit on its size, depth, arrays or patterns. The message names the limit. */
export const BoundExceeded = define<[string]>('BOUND_EXCEEDED', '%s', 400)

/** The submitted item is not a job in pre-submission. Its status is given as JSON. */
export const JobNotSubmittable = define<[id: string, status: string]>(
  'JOB_NOT_SUBMITTABLE',
  'the job "%s" must have the status "pre-submission" to be submitted, not %s',
  400,
)

/** The work of one request took longer than `--query-budget` allows. */
export const BudgetExceeded = define<[ms: number, spent: string]>(
  'BUDGET_EXCEEDED',
  'the request took longer than its budget of %s ms (--query-budget): %s',
  400,
)

/**
 * Regular expressions took too long on one item. One match can't be interrupted, and backtracking can
 * be exponential.
 */
export const PatternTooCostly = define<[ms: number]>(
  'PATTERN_TOO_COSTLY',
  'regular expressions took longer than %s ms on one item; simplify them, such as a repetition in a repetition, or have fewer',
  400,
)

/** All of the state was replaced while a request was in progress: what it would write belongs to the state before. */
export const StateReplaced = define(
  'STATE_REPLACED',
  'the server was reset, a snapshot was restored, or the sandbox ended while this request was in progress',
  409,
)

/** The login failed. The message does not reveal whether the username or the password is wrong. */
export const LoginRejected = define(
  'LOGIN_REJECTED',
  'no account has this username and password',
  401,
)

/** The credential headers are missing, or belong to no open session. */
export const CredentialsRejected = define(
  'CREDENTIALS_REJECTED',
  'X-Account-Id and X-Auth-Token, or the token of Authorization: Bearer, must belong to an open session or to a preferences token',
  401,
)

/** A request to `/oidc` is refused. */
export class OidcRejected extends define<[string]>('OIDC_REJECTED', '%s', 400) {
  /** The `error` of RFC 6749, section 5.2: `invalid_grant`. The message is the description. */
  readonly error: string

  constructor(error: string, description: string) {
    super(description)
    this.error = error
  }
}

/** A write names another account of this server as the owner of an item. */
export const OwnerForbidden = define<[id: string]>(
  'OWNER_FORBIDDEN',
  'the owner must be your own account, not the other account "%s"',
  403,
)

/** This server has not signed the URL for this method. */
export const SignatureRejected = define<[operation: string]>(
  'SIGNATURE_REJECTED',
  'the URL must be signed by this server for %s',
  403,
)

/** A request to `/__admin` or `/oidc` has a Host or an Origin of another computer. */
export const AdminForbidden = define<[string]>('ADMIN_FORBIDDEN', '%s', 403)

/** No route has this path. */
export const RouteNotFound = define<[path: string]>(
  'ROUTE_NOT_FOUND',
  'there is nothing at %s',
  404,
)

/** No item that the account sees has this `_id`. */
export const ItemNotFound = define<[resource: string, id: string]>(
  'ITEM_NOT_FOUND',
  '%s has no item with _id "%s"',
  404,
)

/** No stored file has the key of a signed URL. */
export const FileNotFound = define<[key: string]>(
  'FILE_NOT_FOUND',
  'there is no file with the key "%s"',
  404,
)

/** No fault rule has this `_id`. */
export const FaultNotFound = define<[id: string]>(
  'FAULT_NOT_FOUND',
  'there is no fault with _id "%s"',
  404,
)

/** No snapshot has this name. */
export const SnapshotNotFound = define<[name: string]>(
  'SNAPSHOT_NOT_FOUND',
  'there is no snapshot with the name "%s"',
  404,
)

/** No scenario has this name. The scenarios that there are come after it. */
export const ScenarioNotFound = define<[name: string, known: string]>(
  'SCENARIO_NOT_FOUND',
  'there is no scenario with the name "%s"; %s',
  404,
)

/** No sandbox has this name. */
export const SandboxNotFound = define<[name: string]>(
  'SANDBOX_NOT_FOUND',
  'there is no sandbox with the name "%s"; PUT /__admin/sandboxes/{name} makes one',
  404,
)

/** The path exists, but not with this method. */
export const MethodNotAllowed = define<[method: string, path: string, allow: string]>(
  'METHOD_NOT_ALLOWED',
  '%s is not a method of %s, which has %s',
  405,
)

/** The client did not send the whole request in time. */
export const RequestTimeout = define('REQUEST_TIMEOUT', 'the request did not arrive in time', 408)

/** The body has more bytes than the route accepts. */
export const BodyTooLarge = define<[bytes: number]>(
  'BODY_TOO_LARGE',
  'the body must have at most %s bytes',
  413,
)

/** The route does not accept bodies of this content type. */
export const ContentTypeUnsupported = define<[actual: string, supported: string]>(
  'CONTENT_TYPE_UNSUPPORTED',
  'Content-Type "%s" is not supported here; send %s',
  415,
)

/** The `Expect` header is not `100-continue`. */
export const ExpectationFailed = define<[expect: string]>(
  'EXPECTATION_FAILED',
  'Expect: %s is not supported; only 100-continue is',
  417,
)

/** The request line and headers have more bytes than the server accepts. */
export const HeadersTooLarge = define<[bytes: number]>(
  'HEADERS_TOO_LARGE',
  'the request line and headers must have at most %s bytes',
  431,
)

/** A defect of this server. The message does not reveal the cause, which is logged. */
export const InternalError = define(
  'INTERNAL_ERROR',
  'the server failed to handle this request; its log has the cause',
  500,
)

/** Thrown at `/` if the page has not been bundled. */
export const PageNotBuilt = define(
  'PAGE_NOT_BUILT',
  'the page is not built; npm run bundle builds it, and npm start does so first',
  503,
)

/** The deployment that a request was passed on to did not answer. */
export const UpstreamFailed = define<[upstream: string, reason: string]>(
  'UPSTREAM_FAILED',
  'the upstream %s did not answer: %s',
  502,
)

/** A failure that a fault rule or `Prefer: code` injects, with the status that they name. */
export const FaultInjected = define<[string]>('FAULT_INJECTED', '%s', 500)

/** A fault rule can't be applied: its `match` does not suit the request, or its `patch` the response. */
export const FaultFailed = define<[id: string, reason: string]>(
  'FAULT_FAILED',
  'the fault "%s" can\'t be applied: %s',
  500,
)
