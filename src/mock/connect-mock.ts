import { toControlRequest } from '@materials-mock/api'
import type { RecordedRequest, Verification } from '@materials-mock/api'
import { describeNetworkError, fetchThroughProxy } from '@materials-mock/network'
import { isJsonObject, parseIfJson, quote, toUrlTexts } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { MAX_LIMIT } from '@materials-mock/query'
import * as catalogue from '../errors.js'
import {
  BoundExceeded,
  DeploymentUnusable,
  ParameterInvalid,
  RouteNotFound,
  SandboxNotFound,
} from '../errors.js'
import type { CatalogueError, ErrorClass } from '../errors.js'
import { createMembers, findFetchGlobals, toRequest } from './members.js'
import type { CallOperation, ConnectedMock } from './members.js'

type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** The time until a mock must have answered the first request, in ms. */
const CONNECT_TIMEOUT = 9000

/**
 * Connects to the controls of a mock that runs in another process, or of one of its sandboxes. `close` ends the sandbox
 * of the URL, and never the server. Failures reject with the errors that the members of a mock in process throw.
 * @param url the URL before `/api` and `/__admin`: `http://127.0.0.1:4000`, or that of a sandbox
 * @throws ParameterInvalid for any other text
 * @throws DeploymentUnusable if nothing answers there within 9 s, if it is not a mock, or if it has no
 *   controls
 * @throws SandboxNotFound if the sandbox of the URL does not exist
 */
export async function connectMock(url: string): Promise<ConnectedMock> {
  const base = parseBase(url)
  // A test may replace the global `fetch` later, for example by the `fetch` of this mock.
  const { fetch: direct } = findFetchGlobals()
  const fetch: Fetch = async (input, init) => fetchThroughProxy(input, init, direct)
  const signal = AbortSignal.timeout(CONNECT_TIMEOUT)
  const quickFetch: Fetch = async (input, init) => fetch(input, { ...init, signal })
  await fetchResources(quickFetch, base).catch((error: unknown) => {
    if (!(error instanceof RouteNotFound)) throw error
    throw new DeploymentUnusable(
      `${base} has no controls (${error.message}); start the mock without --no-admin, or with --admin`,
    )
  })
  return createConnected(fetch, base)
}

/** @throws DeploymentUnusable if nothing answers there, or if it is not a mock */
async function fetchResources(fetch: Fetch, base: string): Promise<string[]> {
  const health = await send(fetch, base, 'GET', '/__admin/health')
  const resources = isJsonObject(health) ? health['resources'] : undefined
  if (!isJsonObject(resources)) throw new DeploymentUnusable(`${base} is not the URL of a mock`)
  return Object.keys(resources)
}

/** @throws ParameterInvalid */
function parseBase(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const { protocol = '', pathname = '', search, hash, username } = parsed ?? {}
  const isApi = /\/api\/\d{4}-\d\d-\d\d\/*$/.test(pathname)
  if (parsed === undefined || !/^https?:$/.test(protocol) || isApi || search || hash || username) {
    throw new ParameterInvalid(
      `the URL of a mock must be such as http://127.0.0.1:4000 or http://127.0.0.1:4000/sandboxes/ann, not ${quote(url)}`,
    )
  }
  return parsed.href.replace(/(?<!\/)\/+$/, '')
}

function createConnected(fetch: Fetch, base: string): ConnectedMock {
  const [root = '', sandboxName] = base.split(/\/sandboxes\/([^/]+)$/)

  const call = (async (request, toInput = () => ({}), toReturned = (result) => result as never) => {
    const { params, query = {}, body } = toInput()
    const { method, path } = toControlRequest(request, params)
    const search = new URLSearchParams(toUrlTexts(query))
    const url = search.size > 0 ? `${path}?${search}` : path
    return toReturned((await send(fetch, base, method, url, body)) as never)
  }) satisfies CallOperation

  const list = async (query: JsonObject, projection: JsonObject): Promise<RecordedRequest[]> =>
    call('GET /requests', () => ({ query: { query, projection } }))

  /** Lists all requests, page by page, without those that arrive meanwhile: they would move the pages. */
  const listAll = async (query: JsonObject, projection: JsonObject): Promise<RecordedRequest[]> => {
    const first = await list(query, { ...projection, limit: MAX_LIMIT })
    if (first.length < MAX_LIMIT) return first
    const [newest] = await list({}, { limit: 1 })
    const earlier = { $and: [query, { _id: { $lte: newest?._id ?? '' } }] }
    const all: RecordedRequest[] = []
    for (let page = first; page.length === MAX_LIMIT; all.push(...page)) {
      const skip = Number(projection['skip'] ?? 0) + all.length
      page = await list(earlier, { ...projection, skip, limit: MAX_LIMIT })
    }
    return all
  }

  const listVerified = async ({
    ids: all,
  }: Pick<Verification, 'ids'>): Promise<RecordedRequest[]> => {
    const found: RecordedRequest[] = []
    for (let from = 0; from < all.length; from += IDS_OF_PAGE) {
      const ids = all.slice(from, from + IDS_OF_PAGE)
      const page = await list({ _id: { $in: ids } }, { limit: MAX_LIMIT })
      const placeOf = ({ _id }: RecordedRequest): number => ids.indexOf(String(_id))
      found.push(...page.toSorted((a, b) => placeOf(a) - placeOf(b)))
    }
    return found
  }

  return {
    ...createMembers(call, {
      listResources: async () => fetchResources(fetch, base),
      listAll,
      listVerified,
      createSandbox: (name) => createConnected(fetch, `${root}/sandboxes/${name}`),
    }),
    url: base,
    fetch: async (input, init) => {
      const request = toRequest(root, sandboxName, input, init)
      const { pathname, search } = new URL(request.url)
      const { method, headers, signal } = request
      const body = request.body === null ? null : await request.arrayBuffer()
      return fetch(root + pathname + search, { method, headers, signal, redirect: 'manual', body })
    },
    close: async () => {
      if (sandboxName === undefined) return
      await send(fetch, root, 'DELETE', `/__admin/sandboxes/${sandboxName}`).catch(
        (error: unknown) => {
          if (!(error instanceof SandboxNotFound)) throw error
        },
      )
    },
  }
}

/** The number of `_id`s that a URL has room for. */
const IDS_OF_PAGE = 200

/** The length of the longest string of V8, which a text has if each of its bytes is a character. */
const MAX_TEXT_BYTES = 2 ** 29 - 24

async function send(
  fetch: Fetch,
  base: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Json> {
  const url = base + path
  const headers = { 'Content-Type': 'application/json' }
  const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
  const [response, bytes] = await fetch(url, init)
    .then(async (answer) => [answer, await answer.arrayBuffer()] as const)
    .catch((error: unknown) => {
      throw new DeploymentUnusable(`there is no mock at ${base}: ${describeNetworkError(error)}`)
    })
  if (bytes.byteLength > MAX_TEXT_BYTES) {
    throw new BoundExceeded(
      `the answer to ${method} ${url} must have at most ${MAX_TEXT_BYTES} bytes to be read as one text, not ${bytes.byteLength}`,
    )
  }
  const json = parseIfJson(new TextDecoder().decode(bytes))
  if (isJsonObject(json) && json['status'] === 'success' && response.ok) return json['data'] ?? null
  throw (
    toError(json) ??
    new DeploymentUnusable(`${base} is not a mock: ${method} ${url} answered ${response.status}`)
  )
}

/** Returns the error of the catalogue that a failure was, if it was one. */
function toError(failure: Json): CatalogueError | undefined {
  const data = isJsonObject(failure) ? failure['data'] : undefined
  if (!isJsonObject(data) || typeof data['message'] !== 'string') return undefined
  const { message, code, details } = data
  const classes: Readonly<Record<string, unknown>> = catalogue
  const name = String(code)
    .toLowerCase()
    .replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const Kind = classes[name] as ErrorClass<string[]> | undefined
  if (Kind === undefined) return undefined
  const error = new Kind(message, '', '')
  error.message = message
  Error.captureStackTrace(error, toError)
  return Object.assign(error, details !== undefined && { details })
}
