import type { JsonObject } from '../../json/json.js'
import type { Clause } from '../../query/explain/clause.js'
import { countMismatches, explainClauses } from '../../query/explain/explain-clauses.js'
import type { ClauseExplanation } from '../../query/explain/explanation.js'
import { formatExplanation } from '../../query/explain/format-explanation.js'
import { formatJson } from '../../query/explain/find-values.js'
import { parseClauses } from '../../query/explain/parse-clauses.js'
import { MATCH_ALL } from '../../query/selector/compile-selector.js'
import type { Selector } from '../../query/selector/compile-selector.js'
import type { Work } from '../../work/work.js'
import type { Journal } from './journal.js'
import { describeCount } from './request-count.js'
import type { RequestCount } from './request-count.js'

/** Whether as many recorded requests match a query as are expected, and if not, why. */
export interface Verification {
  readonly verified: boolean
  /** The number of recorded requests that match. */
  readonly count: number
  readonly expected: RequestCount
  /** If too few match: those of the others that fail the fewest clauses, the closest one first. */
  readonly closest: readonly ClosestRequest[]
  /** All of this as lines, for a person. */
  readonly text: string
}

/** A verification, with the requests that match. */
export interface VerifiedRequests extends Verification {
  /** The newest one first. */
  readonly requests: JsonObject[]
}

/** A request that does not match, and why not. */
export interface ClosestRequest {
  /** The request, as in the journal. */
  readonly request: JsonObject
  /** The clauses that do not match. */
  readonly clauses: readonly ClauseExplanation[]
  /** The same as a tree. */
  readonly text: string
}

/** A query, and the same query compiled. */
export interface RequestQuery {
  readonly query: JsonObject
  readonly selector: Selector
}

const ALL_REQUESTS: RequestQuery = { query: {}, selector: MATCH_ALL }

/** The number of closest requests. */
const MAX_CLOSEST = 3

/** The number of requests that are listed if too many match. */
const MAX_LISTED = 10

/**
 * Compares the number of recorded requests that match a query with the expected one.
 * @throws as `Journal.find` does
 */
export function* verifyRequests(
  journal: Journal,
  { query, selector }: RequestQuery,
  expected: RequestCount,
): Work<VerifiedRequests> {
  const matching = yield* findAll(journal, { query, selector })
  const count = matching.length
  const isTooMany = expected.max !== null && count > expected.max
  // A journal that is off can't tell that no request was sent.
  const verified = !isTooMany && count >= expected.min && journal.capacity > 0
  const closest = verified || isTooMany ? [] : yield* findClosest(journal, query, matching)
  const lines = isTooMany
    ? matching.slice(0, MAX_LISTED).map(describeRequest)
    : closest.map(({ text }) => text)
  const headline =
    `${count} ${count === 1 ? 'request matches' : 'requests match'} ${formatJson(query)}, ` +
    `expected: ${describeCount(expected)}`
  const text = [headline, ...describeGaps(journal), ...lines].join('\n')
  return { verified, count, expected, closest, text, requests: matching }
}

/** Says which requests the journal does not have. */
function describeGaps({ capacity, isIncomplete }: Journal): string[] {
  if (capacity === 0) return ['The journal is off (--journal 0)']
  return isIncomplete ? [`The journal has only the last ${capacity} requests (--journal)`] : []
}

const findAll = (journal: Journal, query: RequestQuery): Work<JsonObject[]> =>
  journal.find({
    ...query,
    sort: undefined,
    skip: 0,
    limit: Math.max(1, journal.capacity),
    fields: undefined,
  })

/** Finds the requests that fail the fewest clauses; of these, the newest ones. */
function* findClosest(
  journal: Journal,
  query: JsonObject,
  matching: readonly JsonObject[],
): Work<ClosestRequest[]> {
  const clauses = parseClauses(query)
  const matchingIds = new Set(matching.map(({ _id }) => _id))
  const others: { readonly request: JsonObject; readonly mismatches: number }[] = []
  for (const request of yield* findAll(journal, ALL_REQUESTS)) {
    if (matchingIds.has(request._id as string)) continue
    others.push({ request, mismatches: yield* countMismatches(clauses, request) })
    yield 'explaining the query'
  }
  const closest = others.toSorted((a, b) => a.mismatches - b.mismatches).slice(0, MAX_CLOSEST)
  const explained: ClosestRequest[] = []
  for (const { request } of closest) explained.push(yield* explainRequest(request, clauses))
  return explained
}

function* explainRequest(request: JsonObject, clauses: readonly Clause[]): Work<ClosestRequest> {
  const all = yield* explainClauses(clauses, request)
  const failed = all.filter(({ matches }) => matches !== true)
  return { request, clauses: failed, text: formatExplanation(describeRequest(request), failed) }
}

/** Describes a request in a line: `000000000042 GET /api/2018-10-01/materials 200`. */
const describeRequest = ({ _id, method, path, status }: JsonObject): string =>
  `${String(_id)} ${String(method)} ${String(path)} ${status === null ? 'without a response' : String(status)}`
