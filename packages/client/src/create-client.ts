import { ApiError } from './api-error.js'
import type { ItemTypes, SetTypes } from './item-types.js'
import { createResource } from './resource.js'
import type { AnyItem, Resource, ResourceActions } from './resource.js'
import { createTransport, readCredentials } from './transport.js'
import type { ClientOptions, Credentials, RequestOptions, RequestParts } from './transport.js'

/** The resources whose items have a type: `client.materials`. */
type TypedResources = {
  readonly [Name in keyof ItemTypes]: Resource<ItemTypes[Name], SetTypes[Name]> &
    (Name extends keyof ResourceActions ? ResourceActions[Name] : unknown)
}

/** A client of the platform's API, or of a mock. */
export interface Client extends TypedResources {
  /** Returns any other resource, or a resource whose items have fields of your own. */
  resource<Item extends AnyItem = AnyItem & { [field: string]: unknown }>(
    name: string,
  ): Resource<Item>
  /**
   * Opens a session for the later requests, and returns its credentials.
   * @throws ApiError `LOGIN_REJECTED`
   */
  login(username: string, password: string, options?: RequestOptions): Promise<Credentials>
  /** Ends the session. The later requests have no credentials. */
  logout(options?: RequestOptions): Promise<void>
  /** Sends any other request of the API, and returns `data`: `send('GET', '/jobs/j1/files')`. */
  send<Data = unknown>(method: string, path: string, parts?: RequestParts): Promise<Data>
}

/** Creates a client. It sends nothing yet. */
export function createClient(options: ClientOptions = {}): Client {
  const transport = createTransport(options)
  const resource = <Item extends AnyItem>(name: string): Resource<Item> =>
    createResource<Item>(transport, name)
  const client = {
    resource,
    async login(username, password, { signal } = {}) {
      const body = new URLSearchParams({ username, password })
      const { json } = await transport.exchange('POST', '/login', { body, signal }, () => true)
      const credentials = readCredentials(json)
      if (credentials === undefined)
        throw new ApiError('the login must return X-Account-Id and X-Auth-Token', 200)
      transport.headers = { ...credentials }
      return credentials
    },
    async logout(parts) {
      await transport.send('POST', '/logout', parts)
      transport.headers = {}
    },
    send: transport.send,
  } as Client
  // Only the types have the names of the resources, so the client needs no schemas. `then` is not a
  // resource: a promise that is resolved with a client reads it.
  return new Proxy(client, {
    get: (target, name) =>
      name in target ||
      typeof name !== 'string' ||
      name === 'then' ||
      !/^[a-z][a-z0-9-]*$/.test(name)
        ? Reflect.get(target, name)
        : resource(name),
  })
}

/*
 * An error of this module is also an instance of the class of the CommonJS module, because a program with
 * both kinds of modules has both classes. A class that names itself would be renamed by the bundler.
 */
Object.defineProperty(ApiError, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    return this === ApiError
      ? (value as Error | undefined)?.name === 'ApiError'
      : Function.prototype[Symbol.hasInstance].call(this as typeof ApiError, value)
  },
})
