import { AssertionError } from 'node:assert'
import { types } from 'node:util'
import { runInThisContext } from 'node:vm'

import type { FastifyInstance } from 'fastify'

import { EXPECTED_NAME, NAME_PATTERN } from '@materials-mock/api'
import type {
  AnswerOf,
  ClockChange,
  ClockState,
  CountRange,
  Fault,
  FaultRule,
  Footprint,
  ItemExplanation,
  JournalItem,
  JournalResponse,
  OperationName,
  RunDescription,
  Scenario,
  Verification,
} from '@materials-mock/api'
import {
  InputPath,
  checkKnown,
  copyInput,
  copyObjectInput,
  describeClosest,
  isJsonObject,
  quote,
  withoutUndefined,
} from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { MAX_DEPTH, MAX_ITEM_DEPTH } from '@materials-mock/query'
import type { Projection } from '@materials-mock/query'
import type { Input } from '../controls/control.js'
import { describeCount } from '../controls/journal/describe-count.js'
import {
  FaultNotFound,
  ItemNotFound,
  ParameterInvalid,
  ScenarioNotFound,
  SnapshotNotFound,
} from '../errors.js'
import type { CatalogueError } from '../errors.js'
import type { SeedItems, SeededItems } from '../fixtures/seed/seed-store.js'

/** A mock server in this process, for tests, or a sandbox of such a server. Two mocks share nothing. */
export interface Mock {
  /**
   * The URL before `/api` and `/__admin`: `http://127.0.0.1:<port>`, which it listens on, or
   * `http://127.0.0.1:<port>/sandboxes/<name>`.
   */
  readonly url: string
  /** The Fastify instance of the server, which all its sandboxes share. */
  readonly app: FastifyInstance
  /**
   * Sends a request to this mock without using the network, and returns the response as `fetch` would.
   * The host of the URL is ignored, and the URL may be only a path.
   * @throws the errors of `fetch` for a dropped connection or an aborted request
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>
  /** Restores the state right after the start: items, clock, sessions, faults, journal and footprint. */
  reset(): void
  /**
   * Takes a snapshot of the items and sessions. It replaces a snapshot with the same name.
   * @throws ParameterInvalid (`PARAMETER_INVALID`) for a name with characters that are not allowed
   */
  snapshot(name: string): void
  /**
   * Restores the items and sessions of a snapshot.
   * @throws SnapshotNotFound (`SNAPSHOT_NOT_FOUND`)
   */
  restore(name: string): void
  /**
   * Replaces the items of resources by partial items, which are completed with plausible fields. The
   * same seed completes them in the same way. Returns the complete items.
   * @throws BodyInvalid (`BODY_INVALID`) for fields that contradict each other; the message names them
   * @throws ParameterInvalid (`PARAMETER_INVALID`) for a seed that is not an integer
   */
  seed(items: SeedItems, options?: { readonly seed?: number }): SeededItems
  /**
   * Resets, and applies a scenario of `scenarios.json`. After an error, nothing has changed.
   * @throws ScenarioNotFound (`SCENARIO_NOT_FOUND`)
   */
  scenario(name: string): void
  /**
   * Returns how the state differs from the fixtures, as an entry of `scenarios.json`: items, jobs, faults
   * and the clock, without sessions and files.
   */
  toScenario(): Promise<Scenario>
  /** The rules by which requests under `/api` are delayed or fail. */
  readonly faults: MockFaults
  /** The time of items, jobs and sessions. */
  readonly clock: MockClock
  /**
   * Returns the life of a job with what is still to come: its times, and those of its units.
   * @throws ItemNotFound (`ITEM_NOT_FOUND`)
   */
  run(jobId: string): Promise<RunDescription>
  /**
   * Returns the recorded requests that match a query, the newest first: `method`, `path`, `query`, `headers`, `body`,
   * `status`, `response` and so on, as docs/journal.md lists them. Without a `limit`, which is at most 500, it
   * returns all matching requests. Query and projection are JSON: a value such as `undefined` or a RegExp is an
   * error. Name the types of bodies yourself: `requests<{ name: string }>({ method: 'PUT' })`.
   * @throws QueryInvalid (`QUERY_INVALID`), ProjectionInvalid (`PROJECTION_INVALID`)
   */
  requests<Body = Json, ResponseBody = Json>(
    query?: JsonObject,
    projection?: Projection,
  ): Promise<RecordedRequest<Body, ResponseBody>[]>
  /**
   * Explains why an item is in a list, or why not. `String(explanation)` is a readable tree.
   * @throws ItemNotFound (`ITEM_NOT_FOUND`), ParameterInvalid (`PARAMETER_INVALID`) for an unknown
   * resource or account, QueryInvalid (`QUERY_INVALID`), ProjectionInvalid (`PROJECTION_INVALID`)
   */
  explain(
    resource: string,
    id: string,
    query?: JsonObject,
    options?: ExplainOptions,
  ): Promise<ItemExplanation>
  /**
   * Checks the number of recorded requests that match a query, and returns these requests, the newest
   * first. With an array of queries, it checks that a request matches the first one, a later request the
   * second one, and so on, and returns these requests in that order.
   * @throws AssertionError if too few or too many requests match, or they did not come in order; the
   * message has the closest requests, and why they do not match
   * @throws QueryInvalid (`QUERY_INVALID`), ParameterInvalid (`PARAMETER_INVALID`) for a wrong count
   */
  expectRequests<Body = Json, ResponseBody = Json>(
    query: JsonObject | readonly JsonObject[],
    options?: ExpectOptions,
  ): Promise<RecordedRequest<Body, ResponseBody>[]>
  /**
   * Makes a sandbox of the server, or brings it back to the fixtures as loaded. Returns it as a mock,
   * whose methods throw SandboxNotFound (`SANDBOX_NOT_FOUND`) after the sandbox has ended.
   * @throws ParameterInvalid (`PARAMETER_INVALID`) for a name that can't be a segment of a path
   * @throws BoundExceeded (`BOUND_EXCEEDED`) for more than 1,000 sandboxes
   */
  sandbox(name: string): Mock
  /** Returns what requests have used since the start or the last reset, as `/__admin/footprint` does. */
  footprint(): Footprint
  /** Closes the server, or ends the sandbox. */
  close(): Promise<void>
}

/** A request in the form of the journal. With `fields`, it has only these fields. */
export type RecordedRequest<Body = Json, ResponseBody = Json> = Omit<
  JournalItem,
  'body' | 'response'
> & {
  /** The parsed body, or its text. */
  readonly body: Body
  /** Null until there is a response, and for a request without a response. */
  readonly response: (Omit<JournalResponse, 'body'> & { readonly body: ResponseBody }) | null
}

/** The list that an item is expected in. */
export interface ExplainOptions {
  /** The `_id` of the account that requests the list. Without it, every item is visible. */
  readonly accountId?: string
  readonly projection?: Projection
}

/** The expected number of requests. */
export interface ExpectOptions {
  /** A number, or a range (default: at least one). It is not for an array of queries. */
  readonly count?: number | Partial<CountRange>
}

/**
 * The clock of a mock: its time now, and what changes it. A promise resolves when all that becomes due
 * has happened: jobs have run and sessions have expired, in the order of their times.
 */
export interface MockClock extends ClockState {
  /**
   * Goes forward.
   * @throws BodyInvalid (`BODY_INVALID`) for a number of ms that is negative or no integer
   */
  advance(ms: number): Promise<ClockState>
  /**
   * Sets the time: a Date, or a text such as `2026-01-01T00:00:00Z`.
   * @throws BodyInvalid (`BODY_INVALID`) for a text without a zone, and for a time before 1970
   */
  set(time: Date | string): Promise<ClockState>
  /**
   * Sets the time as `set` does, and shows each job as it was then. When the clock goes forward, they follow.
   * @throws as `set` does
   */
  rewind(time: Date | string): Promise<ClockState>
  /** Lets time stand still, or with `false` go on from where it stands. */
  freeze(frozen?: boolean): Promise<ClockState>
  /** Returns to the clock of the system. */
  reset(): Promise<ClockState>
}

/** The fault rules of a mock. */
export interface MockFaults {
  /**
   * Adds a rule after all others. The first rule that matches a request applies.
   * @throws BodyInvalid (`BODY_INVALID`), also for a path without a route, unless the rule has `force:
   *   true`
   */
  add(fault: Fault): FaultRule
  /** Returns all rules in their order. */
  list(): FaultRule[]
  /**
   * Removes one rule.
   * @throws FaultNotFound (`FAULT_NOT_FOUND`)
   */
  remove(id: string): void
  /** Removes all rules. */
  clear(): void
}

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
      'url' | 'fetch' | 'run' | 'requests' | 'explain' | 'expectRequests' | 'toScenario' | 'close'
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

/**
 * @param toInput may throw
 * @param toReturned returns what the member returns (default: the result)
 */
export type CallOperation = <Name extends OperationName, Returned = AnswerOf<Name>>(
  request: Name,
  toInput?: () => Input,
  toReturned?: (result: AnswerOf<Name>) => Returned,
) => Returned | Promise<Returned>

/** What differs between a mock in this process and one in another, apart from the call of an operation. */
export interface MockParts {
  readonly listResources: () => readonly string[] | Promise<readonly string[]>
  readonly listAll: (query: JsonObject, projection: JsonObject) => Promise<readonly object[]>
  readonly listVerified: (verification: Verification) => Promise<readonly object[]>
  readonly createSandbox: (name: string) => ConnectedMock
}

/** Each names the operation, what it takes, and what of the result it returns. */
export function createMembers(
  call: CallOperation,
  { listResources, listAll, listVerified, createSandbox }: MockParts,
): Omit<ConnectedMock, 'url' | 'fetch' | 'close'> {
  const act = (request: OperationName, toInput?: () => Input) => call(request, toInput, toNothing)
  const changeClock = async (change: ClockChange) =>
    call('POST /clock', () => ({ body: withoutUndefined(change) }))
  const readClock = <Key extends keyof ClockState>(key: Key) =>
    call('GET /clock', undefined, (clock) => clock[key])
  return {
    reset: () => act('POST /reset'),
    snapshot: (name) => act('PUT /snapshots/:name', () => ({ params: { name: checkName(name) } })),
    restore: (name) =>
      act('POST /snapshots/:name/restore', toSegment({ name }, new SnapshotNotFound(name))),
    scenario: (name) =>
      act(
        'POST /scenarios/:name',
        toSegment({ name }, new ScenarioNotFound(name, 'no URL can have it')),
      ),
    toScenario: async () => call('GET /scenario'),
    seed: (items, options = {}) =>
      call(
        'POST /seed',
        () => {
          checkMemberOptions('seed', options, ['seed'])
          const body = copyInput(items, new InputPath('body', 'seed'), MAX_ITEM_DEPTH)
          return { query: { seed: options.seed }, body }
        },
        (seeded) => seeded as unknown as SeededItems,
      ),
    faults: {
      add: (fault) => call('POST /faults', () => ({ body: copyFault(fault) })),
      list: () => call('GET /faults'),
      remove: (id) => act('DELETE /faults/:id', toSegment({ id }, new FaultNotFound(id))),
      clear: () => act('DELETE /faults'),
    },
    clock: {
      get now() {
        return readClock('now')
      },
      get offset() {
        return readClock('offset')
      },
      get frozen() {
        return readClock('frozen')
      },
      advance: (advance) => changeClock({ advance }),
      set: (time) => changeClock({ set: toTimeText(time) }),
      rewind: (time) => changeClock({ rewind: toTimeText(time) }),
      freeze: (freeze = true) => changeClock({ freeze }),
      reset: async () => call('DELETE /clock'),
    },
    run: async (jobId) =>
      call('GET /runs/:jobId', toSegment({ jobId }, new ItemNotFound('jobs', jobId))),
    requests: async (query = {}, projection = {}) => {
      const input = {
        query: toParameter('query', query),
        projection: toParameter('projection', projection),
      }
      const found = await (input.projection['limit'] === undefined
        ? listAll(input.query, input.projection)
        : call('GET /requests', () => ({ query: input })))
      return toRecorded(found)
    },
    explain: async (resource, id, query = {}, options = {}) => {
      checkMemberOptions('explain', options, ['accountId', 'projection'])
      const { accountId, projection = {} } = options
      checkKnown('resource', resource, await listResources())
      const input = {
        ...toSegment({ resource, id }, new ItemNotFound(resource, id))(),
        query: {
          query: toParameter('query', query),
          projection: toParameter('projection', projection),
          accountId,
          lists: 'documented' as const, // migrated lists drop the query
        },
      }
      return call('GET /explain/:resource/:id', () => input, withToString)
    },
    expectRequests: async (query, options = {}) => {
      checkMemberOptions('expectRequests', options, ['count'])
      const expected = Array.isArray(query)
        ? { order: toOrderText(query) }
        : { query: toParameter('query', query) }
      const verification = await call('GET /requests/verify', () => ({
        query: { ...expected, count: options.count },
      }))
      assertVerified(verification)
      return toRecorded(await listVerified(verification))
    },
    footprint: () => call('GET /footprint'),
    sandbox: (name) =>
      call(
        'PUT /sandboxes/:name',
        () => ({ params: { name: checkName(name) } }),
        () => createSandbox(name),
      ),
  }
}

const toNothing = (): void => undefined

/** The caller names the types of the bodies. */
const toRecorded = (requests: readonly object[]) => requests as RecordedRequest<never, never>[]

/** @param error what it throws for a text that would name another path */
const toSegment =
  (params: Readonly<Record<string, string>>, error: CatalogueError) => (): Input => {
    const texts = Object.entries(params).map(([name, text]) => [name, String(text)] as const)
    if (texts.some(([, text]) => /^\.{0,2}$|\p{Cs}/u.test(text))) throw error
    return { params: Object.fromEntries(texts) }
  }

/**
 * A test in JavaScript has no types: an ignored option could let it pass.
 * @throws ParameterInvalid
 */
function checkMemberOptions(member: string, options: unknown, names: readonly string[]): void {
  if (!isJsonObject(options)) {
    throw new ParameterInvalid(
      `the options of ${member} must be an object with ${names.join(', ')}, not ${quote(options)}`,
    )
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw new ParameterInvalid(
    `${quote(unknown)} is not an option of ${member}, which has ${names.join(', ')}${describeClosest(unknown, names)}`,
  )
}

/** @throws ParameterInvalid for a name that no snapshot and no sandbox can have */
function checkName(name: string): string {
  // bounded: a constant with one class of characters, 100 at most
  if (typeof name === 'string' && new RegExp(NAME_PATTERN).test(name)) return name
  throw new ParameterInvalid(`name must be ${EXPECTED_NAME}, not ${quote(name)}`)
}

const copyFault = (fault: Fault): Fault =>
  copyObjectInput(fault, new InputPath('body', 'fault'), MAX_DEPTH) as Fault

const toParameter = (name: 'query' | 'projection', value: object): JsonObject =>
  copyObjectInput(value, new InputPath(name), MAX_DEPTH)

const toOrderText = (order: readonly unknown[]): string =>
  JSON.stringify(copyInput(order, new InputPath('query', 'order'), MAX_DEPTH))

/** Returns a time as the body of the control has it. One that is no time is an error there. */
const toTimeText = (time: Date | string): string =>
  types.isDate(time) && !Number.isNaN(time.getTime()) ? time.toISOString() : (time as string)

/**
 * Those of the test's runner, as a response must be an instance of its `Response`, or Node's, which
 * jsdom hides. Looked up at each use: Node takes 30 ms to load them.
 */
export const findFetchGlobals = (): Pick<
  typeof globalThis,
  'fetch' | 'Headers' | 'ReadableStream' | 'Request' | 'Response'
> =>
  globalThis.Response === undefined
    ? (runInThisContext('globalThis') as typeof globalThis)
    : globalThis

/** Creates a request as `fetch` does, but allows relative paths, and adds the sandbox if there is one. */
export function toRequest(
  origin: string,
  sandboxName: string | undefined,
  input: Request | URL | string,
  init?: RequestInit,
): Request {
  const { Request } = findFetchGlobals()
  const url = typeof input === 'string' ? new URL(input, origin) : input
  const isForm = Object.prototype.toString.call(init?.body) === '[object URLSearchParams]'
  const request = new Request(url, isForm ? { ...init, body: String(init?.body) } : init)
  // A `Request` gives a form this type, but not a form of another realm, such as jsdom's. Bun gives a text none.
  if (isForm && (request.headers.get('content-type') ?? 'text/plain').startsWith('text/plain'))
    request.headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8')
  if (sandboxName !== undefined) request.headers.set('x-mock-sandbox', sandboxName)
  return request
}

/** Adds `toString`, which is not enumerable, so that the explanation equals that of the control. */
const withToString = (explanation: ItemExplanation): ItemExplanation =>
  Object.defineProperty(explanation, 'toString', { value: () => explanation.text })

/** @throws AssertionError if the requests are not as expected */
function assertVerified({
  verified,
  text,
  count,
  expected,
}: Pick<Verification, 'verified' | 'text' | 'count' | 'expected'>): void {
  if (verified) return
  throw new AssertionError({
    message: text,
    actual: count,
    expected: expected.min === expected.max ? expected.min : describeCount(expected),
  })
}
