import { defineError } from '@materials-mock/json'

export { DeploymentUnusable } from '@materials-mock/check'
export {
  BodyInvalid,
  BoundExceeded,
  CatalogueError,
  FixturesInvalid,
  OptionsInvalid,
  ParameterInvalid,
  ProjectionInvalid,
  QueryInvalid,
} from '@materials-mock/json'
export type { ErrorClass, ErrorDetail } from '@materials-mock/json'
export { PatternTooCostly } from '@materials-mock/query'
export { BudgetExceeded, StateReplaced } from '@materials-mock/work'

/** `mutate` can't run: the tests fail although no response is changed, or send no request to a mock. */
export const TestsUnusable = defineError<[string]>('TESTS_UNUSABLE', '%s')

/** The server can't start because of a folder that it writes. The message names the folder or a file. */
export const StateInvalid = defineError<[string]>('STATE_INVALID', '%s')

/** The request is not valid HTTP/1.1, its path can't be decoded, or it names two sandboxes. */
export const RequestMalformed = defineError<[string]>('REQUEST_MALFORMED', '%s')

/** The `Prefer` header can't be parsed, or its code or delay is out of range. */
export const PreferenceInvalid = defineError<[string]>('PREFERENCE_INVALID', '%s')

/** The submitted item is not a job in pre-submission. Its status is given as JSON. */
export const JobNotSubmittable = defineError<[id: string, status: string]>(
  'JOB_NOT_SUBMITTABLE',
  'the job "%s" must have the status "pre-submission" to be submitted, not %s',
)

/** The login failed. The message does not reveal whether the username or the password is wrong. */
export const LoginRejected = defineError(
  'LOGIN_REJECTED',
  'no account has this username and password',
)

/** The credential headers are missing, or belong to no open session. */
export const CredentialsRejected = defineError(
  'CREDENTIALS_REJECTED',
  'X-Account-Id and X-Auth-Token must be those of an open session, or of a preferences token; log in with POST /login, and send both headers that it returns',
)

/** A request to `/oidc` is refused. */
export class OidcRejected extends defineError<[string]>('OIDC_REJECTED', '%s') {
  /** The `error` of RFC 6749, section 5.2: `invalid_grant`. The message is the description. */
  readonly error: string

  constructor(error: string, description: string) {
    super(description)
    this.error = error
  }
}

/** A write names another account of this server as the owner of an item. */
export const OwnerForbidden = defineError<[id: string]>(
  'OWNER_FORBIDDEN',
  'the owner must be your own account, not the other account "%s"',
)

/** This server has not signed the URL for this method. */
export const SignatureRejected = defineError<[operation: string]>(
  'SIGNATURE_REJECTED',
  'the URL must be signed by this server for %s; request a new one',
)

/** A request has the Host of another server, or comes from a page that may not call this one. */
export const CallerForbidden = defineError<[string]>('CALLER_FORBIDDEN', '%s')

/** No route has this path. */
export const RouteNotFound = defineError<[path: string]>(
  'ROUTE_NOT_FOUND',
  'there is nothing at %s',
)

/** No item that the account sees has this `_id`. */
export const ItemNotFound = defineError<[resource: string, id: string]>(
  'ITEM_NOT_FOUND',
  '%s has no item with _id "%s"',
)

/** No stored file has the key of a signed URL. */
export const FileNotFound = defineError<[key: string]>(
  'FILE_NOT_FOUND',
  'there is no file with the key "%s"; upload it first',
)

/** No fault rule has this `_id`. */
export const FaultNotFound = defineError<[id: string]>(
  'FAULT_NOT_FOUND',
  'there is no fault with _id "%s"; GET /__admin/faults lists them',
)

/** No snapshot has this name. */
export const SnapshotNotFound = defineError<[name: string]>(
  'SNAPSHOT_NOT_FOUND',
  'there is no snapshot with the name "%s"; GET /__admin/snapshots lists them',
)

/** No scenario has this name. The scenarios that there are come after it. */
export const ScenarioNotFound = defineError<[name: string, known: string]>(
  'SCENARIO_NOT_FOUND',
  'there is no scenario with the name "%s"; %s',
)

/** No sandbox has this name. */
export const SandboxNotFound = defineError<[name: string]>(
  'SANDBOX_NOT_FOUND',
  'there is no sandbox with the name "%s"; PUT /__admin/sandboxes/{name} makes one',
)

/** The path exists, but not with this method. */
export const MethodNotAllowed = defineError<[method: string, path: string, allow: string]>(
  'METHOD_NOT_ALLOWED',
  '%s is not allowed at %s; use %s',
)

/** The client did not send the whole request in time. */
export const RequestTimeout = defineError(
  'REQUEST_TIMEOUT',
  'the headers must arrive within one minute, and the body within two',
)

/** The body has more bytes than the route accepts. */
export const BodyTooLarge = defineError<[bytes: number]>(
  'BODY_TOO_LARGE',
  'the body must have at most %s bytes',
)

/** The route does not accept bodies of this content type. */
export const ContentTypeUnsupported = defineError<[actual: string, supported: string]>(
  'CONTENT_TYPE_UNSUPPORTED',
  'Content-Type "%s" is not supported here; send %s',
)

/** The `Expect` header is not `100-continue`. */
export const ExpectationFailed = defineError<[expect: string]>(
  'EXPECTATION_FAILED',
  'Expect: %s is not supported; only 100-continue is',
)

/** The request line and headers have more bytes than the server accepts. */
export const HeadersTooLarge = defineError<[bytes: number]>(
  'HEADERS_TOO_LARGE',
  'the request line and headers must have at most %s bytes',
)

/** A defect of this server. The message does not reveal the cause, which is logged. */
export const InternalError = defineError(
  'INTERNAL_ERROR',
  'the server failed to handle this request; its log has the cause',
)

/** Thrown at `/` if the page has not been bundled. */
export const PageNotBuilt = defineError(
  'PAGE_NOT_BUILT',
  'the page is not built; npm run bundle builds it, and npm start does so first',
)

/** The deployment that a request was passed on to did not answer. */
export const UpstreamFailed = defineError<[upstream: string, reason: string]>(
  'UPSTREAM_FAILED',
  'the upstream %s did not answer: %s',
)

/** A failure that a fault rule or `Prefer: code` injects, with the status that they name. */
export class FaultInjected extends defineError<[string]>('FAULT_INJECTED', '%s') {
  /** The status code of the response. */
  readonly statusCode: number

  constructor(message: string, statusCode = 500) {
    super(message)
    this.statusCode = statusCode
  }
}

/** A fault rule can't be applied: its `match` does not suit the request, or its `patch` the response. */
export const FaultFailed = defineError<[id: string, reason: string]>(
  'FAULT_FAILED',
  'the fault "%s" can\'t be applied: %s',
)
