import type { Verification } from '../admin/journal/verify-requests.js'
import { describeNetworkError } from '../contract/api-client.js'
import * as catalogue from '../errors.js'
import {
  DeploymentUnusable,
  FaultNotFound,
  ItemNotFound,
  ParameterInvalid,
  RouteNotFound,
  SandboxNotFound,
  ScenarioNotFound,
  SnapshotNotFound,
} from '../errors.js'
import type { CatalogueError, ErrorClass } from '../errors.js'
import { createSeeded, parseSeed } from '../fixtures/seed/seed-input.js'
import type { SeededItems } from '../fixtures/seed/seed-input.js'
import { checkKnown } from '../json/describe-closest.js'
import { isJsonObject, parseIfJson } from '../json/json.js'
import type { Json, JsonObject } from '../json/json.js'
import { quote } from '../json/quote.js'
import { fetchThroughProxy } from '../proxies.js'
import { MAX_LIMIT } from '../query/limits.js'
import type { Mock, MockClock, MockFaults, RecordedRequest } from './create-mock.js'
import {
  assertVerified,
  checkMemberOptions,
  checkName,
  copyFault,
  toOrderText,
  toParameter,
  toRequest,
  toTimeText,
  withToString,
} from './mock-members.js'

/** The same members, each of which may return a promise of what it returns. */
type MaybeAsync<Members> = {
  readonly [Name in keyof Members]: Members[Name] extends (
    ...parameters: infer Parameters
  ) => infer Result
    ? (...parameters: Parameters) => Result | Promise<Awaited<Result>>
    : Members[Name] | Promise<Members[Name]>
}

/**
 * The controls of a mock that may run in another process. All members of `connectMock` return promises,
 * and a mock of `startMock` can be used in its place, so await every member.
 */
export interface ConnectedMock
  extends
    Pick<
      Mock,
      'url' | 'fetch' | 'requests' | 'explain' | 'expectRequests' | 'toScenario' | 'close'
    >,
    MaybeAsync<Pick<Mock, 'reset' | 'snapshot' | 'restore' | 'seed' | 'scenario' | 'footprint'>> {
  /** The rules by which requests under `/api` are delayed or fail. */
  readonly faults: MaybeAsync<MockFaults>
  /** The time of items, jobs and sessions. */
  readonly clock: MaybeAsync<MockClock>
  /**
   * Makes a sandbox of the server, or brings it back to the fixtures as loaded, and connects to it.
   * @throws as `Mock.sandbox` does
   */
  sandbox(name: string): ConnectedMock | Promise<ConnectedMock>
}

type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** The time until a mock must have answered the first request, in ms. */
const CONNECT_TIMEOUT = 9000

/**
 * Connects to the controls of a mock that runs in another process, or of one of its sandboxes. `close`
 * ends the sandbox of the URL, and never the server. Failures reject with the errors that the members of
 * a mock in process throw.
 * @param url the URL before `/api` and `/__admin`: `http://127.0.0.1:4000`, or that of a sandbox
 * @throws ParameterInvalid for any other text
 * @throws DeploymentUnusable if nothing answers there within 9 s, if it is not a mock, or if it has no
 *   controls
 * @throws SandboxNotFound if the sandbox of the URL does not exist
 */
export async function connectMock(url: string): Promise<ConnectedMock> {
  const base = parseBase(url)
  // A test may replace the global `fetch` later, for example by the `fetch` of this mock.
  const { fetch: direct } = globalThis
  const fetch: Fetch = async (input, init) => fetchThroughProxy(input, init, direct)
  const signal = AbortSignal.timeout(CONNECT_TIMEOUT)
  const quickFetch: Fetch = async (input, init) => fetch(input, { ...init, signal })
  const health = await send(quickFetch, base, 'GET', '/health').catch((error: unknown) => {
    if (!(error instanceof RouteNotFound)) throw error
    throw new DeploymentUnusable(
      `${base} has no controls (${error.message}); start the mock without --no-admin, or with --admin`,
    )
  })
  const resources = isJsonObject(health) ? health['resources'] : undefined
  if (!isJsonObject(resources)) throw new DeploymentUnusable(`${base} is not the URL of a mock`)
  return createConnected(fetch, base, Object.keys(resources))
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
  return parsed.href.replace(/\/+$/, '')
}

function createConnected(fetch: Fetch, base: string, resources: readonly string[]): ConnectedMock {
  const [root = '', sandboxName] = base.split(/\/sandboxes\/([^/]+)$/)
  const control = async <Data>(method: string, path: string, body?: unknown): Promise<Data> =>
    (await send(fetch, base, method, path, body)) as Data

  const list = async (query: JsonObject, projection: JsonObject): Promise<JsonObject[]> =>
    control('GET', `/requests?${toSearch({ query, projection })}`)

  /** Lists all requests, page by page, without those that arrive meanwhile: they would move the pages. */
  const listAll = async (query: JsonObject, projection: JsonObject): Promise<JsonObject[]> => {
    const first = await list(query, { ...projection, limit: MAX_LIMIT })
    if (first.length < MAX_LIMIT) return first
    const [newest] = await list({}, { limit: 1 })
    const earlier = { $and: [query, { _id: { $lte: newest?.['_id'] ?? '' } }] }
    const all: JsonObject[] = []
    for (let page = first; page.length === MAX_LIMIT; all.push(...page)) {
      const skip = Number(projection['skip'] ?? 0) + all.length
      page = await list(earlier, { ...projection, skip, limit: MAX_LIMIT })
    }
    return all
  }

  return {
    url: base,
    fetch: async (input, init) => {
      const request = toRequest(root, sandboxName, input, init)
      const { pathname, search } = new URL(request.url)
      const { method, headers, signal } = request
      const body = request.body === null ? null : await request.arrayBuffer()
      return fetch(root + pathname + search, { method, headers, signal, redirect: 'manual', body })
    },
    reset: async () => void (await control('POST', '/reset')),
    snapshot: async (name) => {
      await control('PUT', `/snapshots/${checkName(name)}`)
    },
    restore: async (name) => {
      const path = `/snapshots/${toSegment(name, new SnapshotNotFound(name))}/restore`
      await control('POST', path)
    },
    scenario: async (name) => {
      const missing = new ScenarioNotFound(name, 'no URL can have it')
      await control('POST', `/scenarios/${toSegment(name, missing)}`)
    },
    toScenario: async () => control('GET', '/scenario'),
    seed: async (items, options = {}) => {
      checkMemberOptions('seed', options, ['seed'])
      const { seed = 1 } = options
      const lists = parseSeed(items, seed, resources)
      const seeded = createSeeded()
      for (const [resource, partial] of lists) {
        const path = `/fixtures/${resource}`
        await control('PUT', `${path}?complete=true&seed=${seed}`, partial).catch(
          (error: Error) => {
            error.message = error.message.replace(/^body(?=\[)/, `seed.${resource}`)
            throw error
          },
        )
        seeded[resource] = await control('GET', path)
      }
      return seeded as unknown as SeededItems
    },
    faults: {
      add: async (fault) => control('POST', '/faults', copyFault(fault)),
      list: async () => control('GET', '/faults'),
      remove: async (id) =>
        void (await control('DELETE', `/faults/${toSegment(id, new FaultNotFound(id))}`)),
      clear: async () => void (await control('DELETE', '/faults')),
    },
    clock: {
      get now() {
        return control<MockClock>('GET', '/clock').then(({ now }) => now)
      },
      get offset() {
        return control<MockClock>('GET', '/clock').then(({ offset }) => offset)
      },
      get frozen() {
        return control<MockClock>('GET', '/clock').then(({ frozen }) => frozen)
      },
      advance: async (advance) => control('POST', '/clock', { advance }),
      set: async (time) => control('POST', '/clock', { set: toTimeText(time) }),
      rewind: async (time) => control('POST', '/clock', { rewind: toTimeText(time) }),
      freeze: async (freeze = true) => control('POST', '/clock', { freeze }),
      reset: async () => control('DELETE', '/clock'),
    },
    requests: async (query = {}, projection = {}) => {
      const options = toParameter('projection', projection)
      const find = options['limit'] === undefined ? listAll : list
      const found = await find(toParameter('query', query), options)
      return found as unknown as RecordedRequest<never, never>[]
    },
    explain: async (resource, id, query = {}, options = {}) => {
      checkMemberOptions('explain', options, ['accountId', 'projection'])
      const { accountId, projection = {} } = options
      checkKnown('resource', resource, resources)
      const search = toSearch({
        query: toParameter('query', query),
        projection: toParameter('projection', projection),
      })
      if (accountId !== undefined) search.set('accountId', accountId)
      const segment = toSegment(id, new ItemNotFound(resource, id))
      return withToString(await control('GET', `/explain/${resource}/${segment}?${search}`))
    },
    expectRequests: async (query, options = {}) => {
      checkMemberOptions('expectRequests', options, ['count'])
      const search = Array.isArray(query)
        ? new URLSearchParams({ order: toOrderText(query) })
        : toSearch({ query: toParameter('query', query as JsonObject) })
      if (options.count !== undefined) search.set('count', JSON.stringify(options.count))
      const verification = await control<Verification>('GET', `/requests/verify?${search}`)
      assertVerified(verification)
      const found: JsonObject[] = []
      for (let from = 0; from < verification.ids.length; from += IDS_OF_PAGE) {
        const ids = verification.ids.slice(from, from + IDS_OF_PAGE)
        const page = await list({ _id: { $in: ids } }, { limit: MAX_LIMIT })
        const placeOf = ({ _id }: JsonObject): number => ids.indexOf(String(_id))
        found.push(...page.toSorted((a, b) => placeOf(a) - placeOf(b)))
      }
      return found as unknown as RecordedRequest<never, never>[]
    },
    footprint: async () => control('GET', '/footprint'),
    sandbox: async (name) => {
      await control('PUT', `/sandboxes/${checkName(name)}`)
      return createConnected(fetch, `${root}/sandboxes/${name}`, resources)
    },
    close: async () => {
      if (sandboxName === undefined) return
      await send(fetch, root, 'DELETE', `/sandboxes/${sandboxName}`).catch((error: unknown) => {
        if (!(error instanceof SandboxNotFound)) throw error
      })
    },
  }
}

/** The number of `_id`s that a URL has room for. */
const IDS_OF_PAGE = 200

function toSearch(parameters: Readonly<Record<string, JsonObject>>): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) search.set(name, JSON.stringify(value))
  return search
}

/**
 * Encodes a text as one segment of a path.
 * @throws the error for a text that would name another path
 */
function toSegment(text: string, error: CatalogueError): string {
  if (/^\.{0,2}$/.test(text)) throw error
  return encodeURIComponent(text)
}

/**
 * Sends a request to a control, and returns the data of its response.
 * @throws the error of the catalogue that the response has
 * @throws DeploymentUnusable if there is no response, or not the response of a mock
 */
async function send(
  fetch: Fetch,
  base: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Json> {
  const url = `${base}/__admin${path}`
  const headers = { 'Content-Type': 'application/json' }
  const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
  const [response, text] = await fetch(url, init)
    .then(async (answer) => [answer, await answer.text()] as const)
    .catch((error: unknown) => {
      throw new DeploymentUnusable(`there is no mock at ${base}: ${describeNetworkError(error)}`)
    })
  const json = parseIfJson(text)
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
