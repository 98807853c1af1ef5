import { ApiClient, findLists, listPath, readLogin, toLoginRequest } from '@materials-mock/check'
import type { ApiClientOptions, ApiResponse, Lists } from '@materials-mock/check'
import type { Credentials } from '@materials-mock/client'
import { describeNetworkError, fetchThroughProxy } from '@materials-mock/network'
import { createSecretFilter, isJsonObject, quote } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { DeploymentUnusable } from '../../errors.js'
import { RESOURCES } from '../../resources/resources.js'
import type { RemoteOptions } from './options.js'

export interface Connection {
  readonly client: ApiClient
  /** The credentials, or undefined if the login succeeded but its response has none. */
  readonly headers: Credentials | undefined
  /** The form of the answer to the login; undefined without a login. */
  readonly loginEnvelope: 'flat' | 'jsend' | undefined
  /** Ends the session if this command has opened it. Given credentials stay valid. */
  readonly end: () => Promise<void>
}

/** The time until the login, or the first list, must be complete, in ms. */
const CONNECT_TIMEOUT = 9000

/** The time until the logout must be complete, in ms. After an interruption, the user waits for it. */
const END_TIMEOUT = 3000

/**
 * Tries given credentials with a short list. Takes at most 9 s.
 * @throws DeploymentUnusable
 */
export async function connect(
  options: RemoteOptions,
  resource: string,
  clientOptions: ApiClientOptions = {},
): Promise<Connection> {
  const { url, token } = options
  const { headers, loginEnvelope } = await findCredentials(
    createQuickClient(url, CONNECT_TIMEOUT, clientOptions),
    options,
    resource,
  )
  const end = async (): Promise<void> => {
    if (headers === undefined || token !== undefined) return
    const { signal: _, ...rest } = clientOptions
    const request = { path: '/logout', headers: { ...headers } }
    await createQuickClient(url, END_TIMEOUT, rest)
      .send(request)
      .catch(() => undefined) // the server is gone, and the session with it or soon
  }
  return { client: createClient(url, clientOptions), headers, loginEnvelope, end }
}

/** Creates a client whose requests together take at most a time in ms. */
function createQuickClient(url: string, ms: number, options: ApiClientOptions): ApiClient {
  const deadline = AbortSignal.timeout(ms)
  // Node 20 collects a timeout to which only `AbortSignal.any` refers. A listener keeps it.
  deadline.addEventListener('abort', () => undefined, { once: true })
  const { signal = deadline } = options
  return createClient(url, { ...options, signal: AbortSignal.any([deadline, signal]) })
}

/** Creates a client whose requests go through the proxy that the environment names. */
const createClient = (url: string, options: ApiClientOptions): ApiClient =>
  new ApiClient(url, { fetch: fetchThroughProxy, ...options })

async function findCredentials(
  client: ApiClient,
  options: RemoteOptions,
  resource: string,
): Promise<Pick<Connection, 'headers' | 'loginEnvelope'>> {
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
  const problem = describeRefusal(client.root, response, given === undefined)
  if (problem !== undefined) throw new DeploymentUnusable(problem)
  if (given !== undefined) return { headers: given, loginEnvelope: undefined }
  const isWrapped = isJsonObject(response.json) && response.json.data !== undefined
  return { headers: readLogin(response), loginEnvelope: isWrapped ? 'jsend' : 'flat' }
}

/** Describes why the deployment can't be used, if the first response says so. */
function describeRefusal(
  root: string,
  { status, headers, request }: ApiResponse,
  isLogin: boolean,
): string | undefined {
  const tried = isLogin ? 'the login' : 'the first list'
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location !== null) {
    const base = root + request.path
    const target = URL.canParse(location, base) ? new URL(location, base).href : location
    return `${root} redirects; give the URL that it redirects to: ${target.split(request.path)[0]}`
  }
  if (status === 401 || status === 403)
    return `the credentials are wrong: ${tried} at ${root} answers ${status}`
  const wrongRoot = 'give the versioned root, such as https://host/api/2018-10-01'
  if (status === 404 && isLogin) return `the login at ${root} answers 404; ${wrongRoot}`
  if (status === 404) {
    const [, resource] = /^\/([^?]*)/.exec(request.path) ?? []
    return `the first list at ${root}/${resource} answers 404; ${wrongRoot}, or another --resource than ${resource}`
  }
  if (status >= 500 || (isLogin && status >= 400)) return `${tried} at ${root} answers ${status}`
  return undefined
}

/** Reads lists. If it ends, it opens another if there is a password. No error quotes a secret. */
export class RemoteSession {
  readonly #options: RemoteOptions
  readonly #resource: string
  readonly #clientOptions: ApiClientOptions
  readonly #lists = new Map<string, Lists>()
  #connection: Connection

  private constructor(
    options: RemoteOptions,
    resource: string,
    clientOptions: ApiClientOptions,
    connection: Connection,
  ) {
    this.#options = options
    this.#resource = resource
    this.#clientOptions = clientOptions
    this.#connection = connection
  }

  /**
   * @param resource its list is tried with given credentials
   * @throws DeploymentUnusable
   */
  static async open(
    options: RemoteOptions,
    resource: string,
    clientOptions: ApiClientOptions = {},
  ): Promise<RemoteSession> {
    const connection = await connect(options, resource, clientOptions)
    const { loginEnvelope: found } = connection
    const expected = options.loginEnvelope ?? found
    if (found !== undefined && found !== expected) {
      await connection.end()
      throw new DeploymentUnusable(
        `the login at ${options.url} answers as --login-envelope ${found}, not as ${expected}`,
      )
    }
    return new RemoteSession(options, resource, clientOptions, connection)
  }

  get accountId(): string {
    return this.#headers['X-Account-Id']
  }

  /** The secrets, which must not be written anywhere. A password that equals the username is not a secret. */
  get secrets(): string[] {
    const { username, password } = this.#options
    const token = this.#headers['X-Auth-Token']
    return password === undefined || password === username ? [token] : [token, password]
  }

  /**
   * Undefined for an unknown resource.
   * @throws DeploymentUnusable for what is not a list
   */
  async list(
    resource: string,
    query: JsonObject,
    projection: JsonObject,
  ): Promise<JsonObject[] | undefined> {
    const path = listPath(resource, query, projection, await this.#findLists(resource))
    const response = await this.#send(resource, path)
    if (response.status === 404) return undefined
    const problem = describeOtherThanList(response)
    if (problem !== undefined) throw this.#createError(resource, problem)
    return (response.json as { data: JsonObject[] }).data
  }

  /** Finds out how the lists of a resource read their parameters, once it has items. */
  async #findLists(resource: string): Promise<Lists | undefined> {
    const lists =
      this.#lists.get(resource) ??
      (await findLists(resource, async (path) => {
        const { json } = await this.#send(resource, path)
        return isJsonObject(json) && Array.isArray(json.data) ? json.data : undefined
      }))
    if (lists !== undefined) this.#lists.set(resource, lists)
    return lists
  }

  /** Ends the session, unless its token was given. */
  end(): Promise<void> {
    return this.#connection.end()
  }

  get #headers() {
    const { headers } = this.#connection
    if (headers !== undefined) return headers
    throw new DeploymentUnusable(
      'the answer to the login has no X-Account-Id and X-Auth-Token, neither flat nor in data',
    )
  }

  #createError(resource: string, problem: string): Error {
    return new DeploymentUnusable(createSecretFilter(this.secrets)(`${resource}: ${problem}`))
  }

  /** Sends a request. If the session has ended, and there is a password, it is sent in another session. */
  async #send(resource: string, path: string): Promise<ApiResponse> {
    const response = await this.#sendOnce(resource, path)
    if (response.status !== 401 || this.#options.password === undefined) return response
    this.#connection = await connect(this.#options, this.#resource, this.#clientOptions)
    return this.#sendOnce(resource, path)
  }

  async #sendOnce(resource: string, path: string): Promise<ApiResponse> {
    try {
      return await this.#connection.client.send({ path, headers: { ...this.#headers } })
    } catch (error) {
      const isEnded = this.#clientOptions.signal?.aborted === true
      const reason = isEnded ? 'the command was interrupted' : describeNetworkError(error)
      throw this.#createError(resource, reason)
    }
  }
}

/** Names the platform's resources; a deployment of the mock may have others. */
export const createNoResource = (resource: string): Error =>
  new DeploymentUnusable(
    `${resource}: the server has no such resource (404); the platform has ${Object.keys(RESOURCES).join(', ')}`,
  )

function describeOtherThanList({ status, headers, json }: ApiResponse): string | undefined {
  if (status === 401)
    return 'the server answers 401: the session has ended, or the token is no longer valid'
  if (status !== 200) {
    const message = isJsonObject(json) ? json.message : undefined
    return `the server answers ${status}${typeof message === 'string' ? `: ${quote(message)}` : ''}`
  }
  if (json === undefined)
    return `the answer is not JSON, but ${headers.get('content-type') ?? 'of no content type'}`
  if (!isJsonObject(json) || json.status !== 'success' || !Array.isArray(json.data))
    return `the answer must be {"status": "success", "data": [items]}, not ${quote(json)}`
  const wrong = json.data.find((item) => !isJsonObject(item) || typeof item._id !== 'string')
  return wrong === undefined ? undefined : `an item must have a string _id, not ${quote(wrong)}`
}
