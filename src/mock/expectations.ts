import { AssertionError } from 'node:assert'

import type { ItemExplanation } from '../admin/explain/explain-item.js'
import type { RequestCount } from '../admin/journal/verify-requests.js'
import type { Sandbox } from '../admin/sandboxes/sandbox.js'
import { ParameterInvalid } from '../errors.js'
import { describeClosest } from '../json/describe-closest.js'
import { isJsonObject } from '../json/json.js'
import type { Json, JsonObject } from '../json/json.js'
import { quote } from '../json/quote.js'
import type { CompiledListQuery } from '../query/list-query.js'
import type { Projection } from '../query/list-querystring.js'
import type { Work } from '../work/work.js'

/** The members of a mock that tell a test why something is not as expected. */
export interface MockExpectations {
  /**
   * Explains why an item is in a list, or why not. `String(explanation)` is a tree to read.
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
   * Checks how many recorded requests match a query, and returns them, the newest first.
   * @throws AssertionError if they are too few or too many; its message has the closest requests, and
   * why they do not match
   * @throws QueryInvalid (`QUERY_INVALID`), ParameterInvalid (`PARAMETER_INVALID`) for a wrong count
   */
  expectRequests(query: JsonObject, options?: ExpectOptions): Promise<JsonObject[]>
}

/** The list that an item is expected in. */
export interface ExplainOptions {
  /** The account that requests the list. Without it, every item is visible. */
  readonly accountId?: string
  readonly projection?: Projection
}

/** How many requests are expected. */
export interface ExpectOptions {
  /** A number, or a range (default: at least one). */
  readonly count?: number | Partial<RequestCount>
}

/** What the members need of the mock. */
export interface MockAccess {
  /** Returns the sandbox of the mock. */
  readonly find: () => Sandbox
  /** Compiles a query, and runs work with it. */
  readonly run: <Result>(
    query: JsonObject,
    projection: Projection,
    toWork: (compiled: CompiledListQuery, query: JsonObject) => Work<Result>,
  ) => Promise<Result>
}

/** Creates the members of a mock that explain. */
export const createMockExpectations = ({ find, run }: MockAccess): MockExpectations => ({
  explain: async (resource, id, query = {}, options = {}) => {
    checkMemberOptions('explain', options, ['accountId', 'projection'])
    const { accountId, projection = {} } = options
    const { explainItem } = await import('../admin/explain/explain-item.js')
    const { store } = find()
    const collection = store.collections.get(resource)
    if (collection === undefined) {
      const known = [...store.collections.keys()]
      throw new ParameterInvalid(
        `resource must be one of ${known.join(', ')}, not ${quote(resource)}${describeClosest(String(resource), known)}`,
      )
    }
    const found = await run(query, projection, (compiled) =>
      explainItem(store, collection, id, { compiled, accountId }),
    )
    const explanation = structuredClone(found) // its values are those of the stored item
    // Not enumerable, so that the explanation equals that of the control.
    return Object.defineProperty(explanation, 'toString', { value: () => explanation.text })
  },
  expectRequests: async (query, options = {}) => {
    checkMemberOptions('expectRequests', options, ['count'])
    const { count } = options
    const { describeCount, parseRequestCount, verifyRequests } =
      await import('../admin/journal/verify-requests.js')
    const expected = parseRequestCount(count)
    const { journal } = find().controls
    const { verified, requests, text } = await run(query, {}, ({ selector }, parsed) =>
      verifyRequests(journal, { query: parsed, selector }, expected),
    )
    if (!verified) {
      throw new AssertionError({
        message: text,
        actual: requests.length,
        expected: expected.min === expected.max ? expected.min : describeCount(expected),
      })
    }
    return requests
  },
})

/**
 * Checks the names of the options of a member of a mock: a test in JavaScript has no types, and an
 * option that is ignored would let it pass.
 * @throws ParameterInvalid for a value that is no object, and for an unknown option
 */
export function checkMemberOptions(
  member: string,
  options: unknown,
  names: readonly string[],
): void {
  if (!isJsonObject(options as Json)) {
    throw new ParameterInvalid(
      `the options of ${member} must be an object with ${names.join(', ')}, not ${quote(options)}`,
    )
  }
  const unknown = Object.keys(options as object).find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw new ParameterInvalid(
    `${quote(unknown)} is not an option of ${member}, which has ${names.join(', ')}${describeClosest(unknown, names)}`,
  )
}
