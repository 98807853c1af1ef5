import type { AddressInfo } from 'node:net'

import type { Test } from 'tap'

import { BASE, build, waitFor } from './build.js'
import { sendBytes } from './send-bytes.js'

/** JSON of a response. Its shape is what the tests check. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Item = any

/** The headers that the Python package `requests` sends with every request. */
const REQUESTS_HEADERS = [
  'Host: localhost',
  'User-Agent: python-requests/2.32.3',
  'Accept-Encoding: gzip, deflate',
  'Accept: */*',
  'Connection: close',
]

/** Sends the requests of the platform's Python client, byte for byte, as its notebooks do. */
export class NotebookClient {
  readonly #t: Test
  readonly #port: number
  /** The header lines of the credentials. */
  #credentials: readonly string[] = []

  constructor(t: Test, port: number) {
    this.#t = t
    this.#port = port
  }

  /** Signs in by the device flow, as `authenticate()` of the notebooks does. */
  async authenticate(): Promise<void> {
    const client = { client_id: 'cli-device-client' }
    const scope = 'openid profile email'
    const device = await this.#postForm('/oidc/device/auth', { ...client, scope })
    this.#t.type(device.verification_uri_complete, 'string')
    const token = await this.#postForm('/oidc/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device.device_code,
      ...client,
      token_endpoint_auth_method: 'none',
    })
    this.#credentials = [`Authorization: Bearer ${token.access_token}`]
  }

  /** Logs in with a username and a password, and sends the two headers from then on. */
  async logIn(username: string, password: string): Promise<Item> {
    const { data } = await this.#postForm(`${BASE}/login`, { username, password })
    this.#credentials = Object.entries(data).map(([name, value]) => `${name}: ${String(value)}`)
    return data
  }

  /** Sends a request below `/api/2018-10-01/`; returns the `data` of its success. */
  api(method: string, path: string, body?: unknown): Promise<Item> {
    return this.request(method, `${BASE}/${path}`, body)
  }

  /** Sends a request; returns the `data` of its success. */
  async request(method: string, path: string, body?: unknown): Promise<Item> {
    const response = await this.#send(method, path, body)
    this.#t.equal(response.status, 'success', `${method} ${path} ${response.message ?? ''}`)
    return response.data
  }

  /** Sends a request that fails; returns the whole failure. */
  async fail(method: string, path: string): Promise<Item> {
    const response = await this.#send(method, `${BASE}/${path}`, undefined)
    this.#t.equal(response.status, 'error')
    return response
  }

  /** Lists items. The client always sends both parameters. */
  list(resource: string, query: object, projection: object = {}): Promise<Item[]> {
    return this.api('GET', `${resource}?query=${encode(query)}&projection=${encode(projection)}`)
  }

  /** Creates a set; returns its `_id`. */
  async createSet(resource: string, config: object): Promise<string> {
    const set = await this.api('PUT', `${resource}/create-set`, config)
    this.#t.match(set, { isEntitySet: true, entitySetType: /ordered$/ })
    return set._id
  }

  /** Moves an item into a set. */
  move(resource: string, id: string, setId: string): Promise<Item> {
    return this.api('POST', `${resource}/${id}/move-to-set?oldSetId=&newSetId=${setId}`)
  }

  /** Polls jobs until all are finished. */
  waitForJobs(ids: readonly string[]): Promise<void> {
    return waitFor(async () => {
      const jobs = await this.list('jobs', { _id: { $in: ids } }, { fields: { status: 1 } })
      this.#t.equal(jobs.length, ids.length)
      return jobs.every(({ status }) => status === 'finished')
    })
  }

  /** Downloads a URL without credentials, as `urllib.request.urlopen` does. */
  async download(url: string): Promise<string> {
    const { host, pathname, search } = new URL(url)
    const head = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    const [responseHead = '', body = ''] = (await sendBytes(this.#port, head)).split(
      /\r\n\r\n(.*)/s,
    )
    this.#t.match(responseHead, /^HTTP\/1\.1 200 /)
    return body
  }

  #send(method: string, path: string, body: unknown): Promise<Item> {
    const text = body === undefined ? '' : JSON.stringify(body)
    return this.#exchange(method, path, text, [
      ...this.#credentials,
      'Content-Type: application/json',
    ])
  }

  #postForm(path: string, fields: Record<string, string>): Promise<Item> {
    const text = new URLSearchParams(fields).toString()
    return this.#exchange('POST', path, text, ['Content-Type: application/x-www-form-urlencoded'])
  }

  async #exchange(
    method: string,
    path: string,
    body: string,
    headers: readonly string[],
  ): Promise<Item> {
    // The package requests sends no Content-Length with a GET.
    const length = method === 'GET' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
    const lines = [`${method} ${path} HTTP/1.1`, ...REQUESTS_HEADERS, ...headers, ...length]
    const response = await sendBytes(this.#port, `${lines.join('\r\n')}\r\n\r\n${body}`)
    const [, text = ''] = response.split(/\r\n\r\n(.*)/s)
    return JSON.parse(text)
  }
}

/** Encodes JSON as the package requests does. */
const encode = (value: object): string =>
  encodeURIComponent(JSON.stringify(value)).replaceAll('%20', '+')

/** Starts a server as for the notebooks, and returns a client of it. */
export async function startNotebook(t: Test): Promise<NotebookClient> {
  const app = await build(t, { loginEnvelope: 'jsend', jobDuration: 20 })
  await app.listen({ port: 0 })
  return new NotebookClient(t, (app.server.address() as AddressInfo).port)
}
