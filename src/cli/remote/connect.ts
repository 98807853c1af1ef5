import { ApiClient } from '../../contract/client/api-client.js'
import type { ApiClientOptions, ApiResponse } from '../../contract/client/api-client.js'
import { describeNetworkError } from '../../contract/client/describe-network-error.js'
import { listPath } from '../../contract/client/list-path.js'
import { readCredentials, toLoginRequest } from '../../contract/client/log-in.js'
import type { CredentialHeaders } from '../../contract/client/log-in.js'
import { DeploymentUnusable } from '../../errors.js'
import type { RemoteOptions } from './remote-options.js'

/** A connection to a deployment. */
export interface Connection {
  readonly client: ApiClient
  /** The credentials, or undefined if the login succeeded but its response has none. */
  readonly headers: CredentialHeaders | undefined
  /** Ends the session that was opened. Credentials that were given are never ended. */
  readonly end: () => Promise<void>
}

/** The time until the login, or the first list, must be complete, in ms. */
const CONNECT_TIMEOUT = 9000

/**
 * Logs in to a deployment, or tries the credentials that are given with a short list of a resource.
 * It takes at most 9 s.
 * @throws DeploymentUnusable if nothing answers, or if the credentials are wrong
 */
export async function connect(
  options: RemoteOptions,
  resource: string,
  clientOptions: ApiClientOptions = {},
): Promise<Connection> {
  const { url, token } = options
  const headers = await findCredentials(createQuickClient(url, clientOptions), options, resource)
  const end = async (): Promise<void> => {
    if (headers === undefined || token !== undefined) return
    const { signal: _, ...rest } = clientOptions
    const request = { path: '/logout', headers: { ...headers } }
    await createQuickClient(url, rest)
      .send(request)
      .catch(() => undefined) // the server is gone, and the session with it or soon
  }
  return { client: new ApiClient(url, clientOptions), headers, end }
}

/** Creates a client all of whose requests together take at most 9 s. */
function createQuickClient(url: string, options: ApiClientOptions): ApiClient {
  const deadline = AbortSignal.timeout(CONNECT_TIMEOUT)
  const { signal = deadline } = options
  return new ApiClient(url, { ...options, signal: AbortSignal.any([deadline, signal]) })
}

async function findCredentials(
  client: ApiClient,
  options: RemoteOptions,
  resource: string,
): Promise<CredentialHeaders | undefined> {
  const { accountId, token, username = '', password = '' } = options
  const isGiven = accountId !== undefined && token !== undefined
  const given = isGiven ? { 'X-Account-Id': accountId, 'X-Auth-Token': token } : undefined
  const path = listPath(resource, undefined, { limit: 1, fields: { _id: 1 } })
  const response = await (
    given === undefined
      ? client.send(toLoginRequest({ username, password }))
      : client.send({ path, headers: given })
  ).catch((error: unknown) => {
    throw new DeploymentUnusable(`no answer from ${client.root}: ${describeNetworkError(error)}`)
  })
  const problem = describeProblem(client.root, response, given === undefined)
  if (problem !== undefined) throw new DeploymentUnusable(problem)
  return given ?? readCredentials(response)
}

/** Describes why a first response says that the deployment can't be used, if it does. */
function describeProblem(
  root: string,
  { status, headers, request }: ApiResponse,
  isLogin: boolean,
): string | undefined {
  const tried = isLogin ? 'the login' : 'the first list'
  const target = headers.get('location')
  if (status >= 300 && status < 400 && target !== null)
    return `${root} redirects; give the URL that it redirects to: ${target.split(request.path)[0]}`
  if (status === 401 || status === 403)
    return `the credentials are wrong: ${tried} at ${root} answers ${status}`
  if (status === 404)
    return `${tried} at ${root} answers 404; give the versioned root, such as https://host/api/2018-10-01`
  if (status >= 500 || (isLogin && status >= 400)) return `${tried} at ${root} answers ${status}`
  return undefined
}
