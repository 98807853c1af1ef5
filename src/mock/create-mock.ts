import type { FastifyInstance } from 'fastify'

import { changeClock, resetClock } from '../admin/clock.js'
import { explainItem } from '../admin/explain/explain-item.js'
import type { ItemExplanation } from '../admin/explain/explanation.js'
import { Fault } from '../admin/faults/fault.js'
import type { FaultRule } from '../admin/faults/fault.js'
import type { Footprint } from '../admin/footprint/footprint.js'
import type { JournalItem, JournalResponse } from '../admin/journal/journal-item.js'
import { keepRequest } from '../admin/journal/journal.js'
import { parseExpectation, verifyRequests } from '../admin/journal/verify-requests.js'
import type { RequestCount } from '../admin/journal/verify-requests.js'
import type { Sandbox } from '../admin/sandboxes/sandbox.js'
import type { Scenario } from '../admin/scenarios.js'
import { seedStore } from '../fixtures/seed/seed-store.js'
import type { SeedItems, SeededItems } from '../fixtures/seed/seed-input.js'
import { checkKnown } from '../json/describe-closest.js'
import type { Json, JsonObject } from '../json/json.js'
import { compileValidator } from '../json/validation/compile-validator.js'
import type { Validator } from '../json/validation/compile-validator.js'
import { parseSelectors } from '../query/list-parameters.js'
import { ListQueryCompiler } from '../query/list-query.js'
import type { CompiledListQuery } from '../query/list-query.js'
import { ListQuerystring } from '../query/list-querystring.js'
import type { Projection } from '../query/list-querystring.js'
import { parseParameter } from '../query/parse-parameter.js'
import type { ClockState } from '../store/clock.js'
import type { Collection } from '../store/collection.js'
import { Budget } from '../work/budget.js'
import type { Work } from '../work/work.js'
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
   * Returns the recorded requests that match a query, the newest first: `method`, `path`, `query`,
   * `headers`, `body`, `status`, `response` and so on, as docs/controls.md lists them. Without a
   * `limit`, which is at most 500, it returns all matching requests. Query and projection are JSON: a
   * value such as `undefined` or a RegExp is an error. Name the types of bodies yourself: `requests<{
   * name: string }>({ method: 'PUT' })`.
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
  /** Returns what requests have relied on since the start or the last reset, as `/__admin/footprint` does. */
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
  readonly count?: number | Partial<RequestCount>
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

/** Sends a request to a server without using the network, and returns the response as `fetch` would. */
export type SendRequest = (app: FastifyInstance, request: Request) => Promise<Response>

/**
 * Creates the mock of a server.
 * @param origin the URL of the server
 */
export function createMock(app: FastifyInstance, origin: string, send: SendRequest): Mock {
  const listQueries = new ListQueryCompiler()
  const validateListQuery = compileValidator(ListQuerystring, 'querystring')
  const validateFault = compileValidator(Fault, 'body')

  const create = (sandboxName?: string): Mock => {
    const { sandboxes, settings } = app
    const find = (): Sandbox =>
      sandboxName === undefined ? sandboxes.main : sandboxes.get(sandboxName)
    const runWork = async <Result>(work: Work<Result>): Promise<Result> =>
      find().store.scheduler.run(work, new Budget(settings.queryBudget))
    const run = async <Result>(
      query: JsonObject,
      projection: Projection,
      toWork: (compiled: CompiledListQuery, parsed: JsonObject) => Work<Result>,
    ): Promise<Result> => {
      const parsed = {
        query: parse('query', query),
        projection: parse('projection', projection as JsonObject),
      }
      const listQuery = validated(parsed, validateListQuery)
      return runWork(listQueries.run(listQuery, (compiled) => toWork(compiled, listQuery.query)))
    }
    return {
      url: origin + find().path,
      app,
      fetch: async (input, init) => send(app, toRequest(origin, sandboxName, input, init)),
      reset: () => find().reset(),
      snapshot: (name) => void find().store.snapshots.take(checkName(name)),
      restore: (name) => void find().store.snapshots.restore(name),
      scenario: (name) => app.scenarios.apply(name, find()),
      toScenario: async () => {
        await find().store.catchUp()
        return structuredClone(await runWork(app.scenarios.save(find()))) // its items are the stored ones
      },
      seed: (items, seedOptions = {}) => {
        checkMemberOptions('seed', seedOptions, ['seed'])
        return seedStore(find().store, items, seedOptions.seed)
      },
      faults: {
        add: (fault) => find().faults.add(validated(copyFault(fault), validateFault)),
        list: () => find().faults.list(),
        remove: (id) => find().faults.remove(id),
        clear: () => find().faults.clear(),
      },
      clock: {
        get now() {
          return find().store.clock.state.now
        },
        get offset() {
          return find().store.clock.state.offset
        },
        get frozen() {
          return find().store.clock.state.frozen
        },
        advance: async (advance) => changeClock(find().store, { advance }),
        set: async (time) => changeClock(find().store, { set: toTimeText(time) }),
        rewind: async (time) => changeClock(find().store, { rewind: toTimeText(time) }),
        freeze: async (freeze = true) => changeClock(find().store, { freeze }),
        reset: async () => resetClock(find().store),
      },
      requests: async (query = {}, projection = {}) => {
        const found = await run(query, projection, (compiled, parsed) => {
          const { limit = Infinity } = projection
          return find().journal.find({ ...compiled, query: parsed, limit }, keepRequest)
        })
        return found as unknown as RecordedRequest<never, never>[]
      },
      explain: async (resource, id, query = {}, memberOptions = {}) => {
        checkMemberOptions('explain', memberOptions, ['accountId', 'projection'])
        const { accountId, projection = {} } = memberOptions
        const { store } = find()
        checkKnown('resource', resource, [...store.collections.keys()])
        const collection = store.collections.get(resource) as Collection
        const found = await run(query, projection, (compiled) =>
          explainItem(store, collection, id, { compiled, accountId }),
        )
        return withToString(structuredClone(found)) // its values belong to the stored item
      },
      expectRequests: async (query, memberOptions = {}) => {
        checkMemberOptions('expectRequests', memberOptions, ['count'])
        const { count } = memberOptions
        const expectation = Array.isArray(query)
          ? parseExpectation(undefined, count, parseSelectors('order', toOrderText(query)))
          : parseExpectation(parse('query', query as JsonObject), count, undefined)
        const work = verifyRequests(find().journal, expectation)
        const verification = await runWork(work)
        assertVerified(verification)
        return verification.requests as unknown as RecordedRequest<never, never>[]
      },
      footprint: () => find().footprint.toJSON(),
      sandbox: (name) => {
        sandboxes.make(checkName(name))
        return create(name)
      },
      close: async () => {
        if (sandboxName === undefined) await app.close()
        else if (sandboxes.find(sandboxName) !== undefined) sandboxes.end(sandboxName)
      },
    }
  }
  return create()
}

/** Parses an object as the JSON of a URL parameter, with the same limits. */
const parse = (name: 'query' | 'projection', value: JsonObject): JsonObject =>
  parseParameter(name, JSON.stringify(toParameter(name, value)))

/**
 * Validates a value, and returns it.
 * @throws the validator's error for an invalid value
 */
function validated<Value>(value: Value, validate: Validator): Value {
  const error = validate(value)
  if (error !== undefined) throw error
  return value
}
