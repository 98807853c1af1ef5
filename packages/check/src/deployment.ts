import { isDeepStrictEqual } from 'node:util'

import type { Credentials } from '@materials-mock/client'
import { describeNetworkError } from '@materials-mock/network'
import { readLogin, toLoginRequest } from './api-client.js'
import type { ApiClient, ApiRequest, ApiResponse, Login } from './api-client.js'
import type { Lists } from './list-path.js'
import { Lack, NoAnswer } from './outcome.js'
import type { Sample } from './sample.js'
import { WrittenItems } from './written-items.js'

export interface DeploymentOptions {
  readonly client: ApiClient
  /** The credentials of the check, or undefined if the login returned no credentials. */
  readonly credentials: Credentials | undefined
  /** The login, or undefined if a token was given. Statements open sessions of their own with it. */
  readonly login?: Login | undefined
  readonly loginEnvelope?: 'flat' | 'jsend' | undefined
  readonly resource: string
  /** Whether statements may create, change and delete items of their own. */
  readonly write?: boolean | undefined
}

/** Sends the requests of a check, and tracks the sessions to end and the items to delete after it. */
export class Deployment {
  readonly client: ApiClient
  readonly credentials: Credentials | undefined
  readonly loginEnvelope: 'flat' | 'jsend'
  readonly resource: string
  /** How the lists read their parameters, if that is known. */
  lists: Lists | undefined
  /** The items that the check has created, or undefined if it must not write. */
  readonly written: WrittenItems | undefined
  readonly samples = new Map<string, Sample>()
  /** The numbers of responses to lists and items with the credentials, by status. */
  readonly statuses = new Map<number, number>()
  /** The username and the password, or undefined if a token was given in their place. */
  readonly loginIfGiven: Login | undefined
  /** The request of the last response: it was sent, or its response was used again. */
  lastRequest: ApiRequest | undefined
  readonly sessions: Credentials[] = []
  readonly #memo = new Map<string, Promise<ApiResponse>>()

  constructor({ client, credentials, login, resource, ...options }: DeploymentOptions) {
    this.client = client
    this.credentials = credentials
    this.resource = resource
    this.loginEnvelope = options.loginEnvelope ?? 'flat'
    this.written = options.write === true ? new WrittenItems(resource) : undefined
    this.loginIfGiven = login
  }

  /** @throws Lack if a token was given in place of username and password */
  get login(): Login {
    if (this.loginIfGiven === undefined)
      throw new Lack('a username and a password', 'an account id and a token')
    return this.loginIfGiven
  }

  /** @throws NoAnswer if there is no answer, or an incomplete one */
  async send(request: ApiRequest): Promise<ApiResponse> {
    this.lastRequest = request
    const response = await this.client.send(request).catch((cause: unknown) => {
      throw new NoAnswer(describeNetworkError(cause), { cause })
    })
    const isOurs = isDeepStrictEqual(request.headers, this.credentials)
    const isProtected = request.root === undefined && request.path.startsWith(`/${this.resource}`)
    const count = this.statuses.get(response.status) ?? 0
    if (isOurs && isProtected) this.statuses.set(response.status, count + 1)
    return response
  }

  /** Sends a request once for all statements that check the same response. */
  async sendOnce(key: string, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
    const sent = this.#memo.get(key) ?? send()
    this.#memo.set(key, sent)
    const response = await sent
    this.lastRequest = response.request
    return response
  }

  /** Forgets the responses, so that a statement can be checked again. */
  forget(): void {
    this.#memo.clear()
    this.samples.clear()
  }

  /** Logs in. The session is ended after the check. */
  async logIn(login: Login = this.login): Promise<ApiResponse> {
    const response = await this.send(toLoginRequest(login))
    const credentials = readLogin(response)
    if (credentials !== undefined) this.sessions.push(credentials)
    return response
  }

  /** Ends the sessions that statements have left open. */
  async endSessions(client: ApiClient): Promise<void> {
    const own = this.credentials?.['X-Auth-Token']
    for (const session of this.sessions.splice(0)) {
      if (session['X-Auth-Token'] === own) continue
      await client.send({ path: '/logout', headers: { ...session } }).catch(() => undefined)
    }
  }
}
