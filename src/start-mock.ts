import type { FastifyInstance } from 'fastify'

import { buildApp } from './app.js'
import type { BuildOptions } from './app.js'
import { injectFetch } from './inject-fetch.js'
import { listen } from './listen.js'
import { ListQueryCompiler } from './query/list-query.js'
import type { ListQuery } from './query/list-query.js'
import { parseParameter } from './query/parse-parameter.js'
import { Fault } from './schemas/fault.js'
import { pageJson } from './store/entry-json.js'
import { compileValidator } from './validation/compile-validator.js'
import type { Validator } from './validation/compile-validator.js'
import type { JsonObject } from './json/json.js'
import { ListQuerystring } from './schemas/list-querystring.js'
import type { Projection } from './schemas/list-querystring.js'
import { SnapshotParameters } from './schemas/snapshot.js'
import type { FaultRule } from './controls/faults.js'

/** A mock that runs in this process, for tests. It shares nothing with another. */
export interface Mock {
  /** Where it listens: `http://127.0.0.1:<port>`, with no slash at the end. */
  readonly url: string
  /** The Fastify instance behind it. */
  readonly app: FastifyInstance
  /**
   * `fetch` without a port: answers with this mock whatever host the URL names; a path alone will
   * do. Rejects where `fetch` would.
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>
  /** All as at the start: items, sessions, faults, journal. */
  reset(): void
  /**
   * Takes a snapshot of items and sessions, in the place of one with the same name. Throws
   * PARAMETER_INVALID for a name that no path can have.
   */
  snapshot(name: string): void
  /** Goes back to a snapshot. Throws SNAPSHOT_NOT_FOUND. */
  restore(name: string): void
  /** The rules by which requests under `/api` are delayed or fail. */
  readonly faults: MockFaults
  /**
   * The requests that fit a query, the newest first, as the journal has them. Throws QUERY_INVALID
   * and PROJECTION_INVALID.
   */
  requests(query?: JsonObject, projection?: Projection): Promise<JsonObject[]>
  /** Ends it. */
  close(): Promise<void>
}

/** The fault rules of a mock. */
export interface MockFaults {
  /** Adds a rule after all others. Throws BODY_INVALID. */
  add(fault: Fault): FaultRule
  /** All rules in their order. */
  list(): FaultRule[]
  /** Takes one out. Throws FAULT_NOT_FOUND. */
  remove(id: string): void
  /** Takes all out. */
  clear(): void
}

/**
 * Starts a mock on a free port of this machine, or on the port that is given.
 * @throws OptionsInvalid, FixturesInvalid
 */
export async function startMock(options: BuildOptions = {}): Promise<Mock> {
  const app = await buildApp({ port: 0, ...options })
  const { store, controls, settings } = app
  const url = await listen(app)
  const listQueries = new ListQueryCompiler(settings.queryBudget)
  const validateListQuery = compileValidator(ListQuerystring, 'querystring')
  const validateName = compileValidator(SnapshotParameters, 'params')
  const validateFault = compileValidator(Fault, 'body')

  return {
    url,
    app,
    fetch: (input, init) => injectFetch(app, toRequest(url, input, init)),
    reset: () => controls.reset(),
    snapshot: (name) => void store.snapshots.take(checked({ name }, validateName).name),
    restore: (name) => void store.snapshots.restore(name),
    faults: {
      add: (fault) => controls.faults.add(checked(fault, validateFault)),
      list: () => controls.faults.list(),
      remove: (id) => controls.faults.remove(id),
      clear: () => controls.faults.clear(),
    },
    requests: async (query = {}, projection = {}) => {
      const listQuery = listQueries.compile(
        checked(toListQuery(query, projection), validateListQuery),
      )
      const limit = projection.limit ?? Math.max(1, controls.journal.size)
      const page = await controls.journal.read().find({ ...listQuery, limit }, () => true)
      return pageJson(page, listQuery).map((text) => JSON.parse(text.toString()) as JsonObject)
    },
    close: () => app.close(),
  }
}

/** A path alone is one of the mock's. */
function toRequest(url: string, input: Request | URL | string, init?: RequestInit): Request {
  return new Request(typeof input === 'string' ? new URL(input, url) : input, init)
}

/** A value that is as the schema of a request says. */
function checked<Value>(value: Value, validate: Validator): Value {
  const error = validate(value)
  if (error !== undefined) throw error
  return value
}

/** Parses objects as the JSON of URL parameters, with the same limits. */
const toListQuery = (query: JsonObject, projection: Projection): ListQuery => ({
  query: parseParameter('query', JSON.stringify(query)),
  projection: parseParameter('projection', JSON.stringify(projection)),
})
