import type { ClosestRequest, CountRange, JournalItem, Verification } from '@materials-mock/api'
import { InputPath, isJsonObject, quote } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import {
  Explainer,
  MATCH_ALL,
  compileSelector,
  formatExplanation,
  formatJson,
} from '@materials-mock/query'
import type { MatchExplanation, Selector } from '@materials-mock/query'
import type { Work } from '@materials-mock/work'
import { ParameterInvalid } from '../../errors.js'
import { describeCount } from './describe-count.js'
import { keepRequest } from './journal.js'
import type { Journal, JournalQuery } from './journal.js'
import { readsPath } from './request-conditions.js'

export type Expectation =
  | { readonly query: JsonObject; readonly count: CountRange }
  /** One query for each request. Each request comes after the request of the query before. */
  | { readonly order: readonly JsonObject[] }

export type VerifiedRequests = Omit<Verification, 'ids'> & { readonly requests: JsonObject[] }

type RequestQuery = FoundBy & { readonly query: JsonObject }
type FoundBy = Pick<JournalQuery, 'selector' | 'path'>

const MAX_CLOSEST = 3

const MAX_LISTED = 10

/** @throws as `compileSelector` and `Journal.find` do */
export function* verifyRequests(
  journal: Journal,
  expectation: Expectation,
): Work<VerifiedRequests> {
  if (!('order' in expectation))
    return yield* verifyCount(journal, compile(expectation.query), expectation.count)
  const path = new InputPath('query', 'order')
  const order = expectation.order.map((query, index) => ({
    ...compile(query),
    path: path.child(index),
  }))
  return yield* verifyOrder(journal, order)
}

const compile = (query: JsonObject): RequestQuery => ({ query, selector: compileSelector(query) })

/** Never verified by what the journal lacks: there may be more requests than a maximum. */
function* verifyCount(
  journal: Journal,
  { query, selector }: RequestQuery,
  expected: CountRange,
): Work<VerifiedRequests> {
  const matching = yield* findAll(journal, { selector }, keepRequest)
  const count = matching.length
  const isTooMany = expected.max !== null && count > expected.max
  const isTooFew = count < expected.min
  const lacking = yield* findLackingBodies(journal, { selector })
  const gaps = [...describeGaps(journal), ...describeLacking(lacking.size)]
  const certain = matching.filter(({ _id }) => !lacking.has(String(_id))).length
  const isUncertain = certain < expected.min || (expected.max !== null && gaps.length > 0)
  const verified = !isTooMany && !isTooFew && !isUncertain && journal.capacity > 0
  const ids = new Set(matching.map(({ _id }) => _id))
  const isOther = ({ _id }: JsonObject): boolean => !ids.has(_id)
  const closest = isTooFew ? yield* findClosest(journal, selector, isOther) : []
  const headline =
    `${count} ${count === 1 ? 'request matches' : 'requests match'} ${formatJson(query)}, ` +
    `expected: ${describeCount(expected)}`
  const text = [
    headline,
    ...gaps,
    ...(isTooMany ? matching.slice(0, MAX_LISTED).map(describeRequest) : []),
    ...closest.map((each) => each.text),
  ].join('\n')
  return { verified, count, expected, closest, text, requests: matching }
}

/**
 * Finds for each query the first request that matches it after that of the query before. Requests that the
 * journal has lost can't make an order fail that holds without them.
 */
function* verifyOrder(journal: Journal, order: readonly RequestQuery[]): Work<VerifiedRequests> {
  const held: JsonObject[] = []
  const lastId = (): string => String(held.at(-1)?._id ?? '')
  const expected = { min: order.length, max: order.length }
  const all: { readonly matching: readonly JsonObject[]; readonly lacking: number }[] = []
  for (const each of order) {
    const lacking = yield* findLackingBodies(journal, each)
    const found = yield* findAll(journal, each, keepRequest)
    const matching = found.filter(({ _id }) => !lacking.has(String(_id)))
    all.push({ matching, lacking: lacking.size })
  }
  for (const { matching } of all) {
    const next = matching.findLast(({ _id }) => String(_id) > lastId())
    if (next === undefined) break
    held.push(next)
  }
  const count = held.length
  const failed = order[count]
  const steps = held.map((request, index) => `${index + 1}. ${describeRequest(request)}`)
  const headline = `${count} of ${order.length} requests came in order`
  const result = { verified: failed === undefined, count, expected, requests: held }
  if (failed === undefined) return { ...result, closest: [], text: [headline, ...steps].join('\n') }
  const closest = yield* findClosest(journal, failed.selector, ({ _id }) => String(_id) > lastId())
  const inOrder = closest.toSorted((a, b) =>
    String(a.request._id) < String(b.request._id) ? -1 : 1,
  )
  const { matching = [], lacking = 0 } = all[count] ?? {}
  const after = held.length > 0 && matching.length > 0 ? ` after ${lastId()}` : ''
  const lines = [
    `${headline}; none${after} matches ${formatJson(failed.query)}`,
    ...steps,
    `${count + 1}. ${closest.length === 0 ? 'nothing came' : 'what came instead, the closest:'}`,
    ...inOrder.map(({ text }) => text),
    ...matching.slice(0, 1).map((each) => `${describeRequest(each)} matches, but came before`),
    ...describeGaps(journal),
    ...describeLacking(lacking),
  ]
  return { ...result, closest: inOrder, text: lines.join('\n') }
}

/** @throws ParameterInvalid for a wrong count, for no queries, and for both */
export function parseExpectation(
  query: JsonObject | undefined,
  count: unknown,
  order: readonly JsonObject[] | undefined,
): Expectation {
  if (order === undefined) return { query: query ?? {}, count: parseCountRange(count) }
  if (query !== undefined || count !== undefined)
    throw new ParameterInvalid('order has a query for each request; leave out query and count')
  if (order.length > 0) return { order }
  throw new ParameterInvalid('order must have at least one query, not []')
}

const AT_LEAST_ONE: CountRange = { min: 1, max: null }

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0

/**
 * The default is at least one request.
 * @throws ParameterInvalid
 */
function parseCountRange(count: unknown): CountRange {
  if (count === undefined) return AT_LEAST_ONE
  if (isCount(count)) return { min: count, max: count }
  if (isJsonObject(count)) {
    const { min = 0, max = null } = count
    const isKnown = Object.keys(count).every((key) => key === 'min' || key === 'max')
    const isRange = isCount(min) && (max === null || (isCount(max) && max >= min))
    if (isKnown && isRange && Object.keys(count).length > 0) return { min, max }
    if (isKnown && isCount(min) && isCount(max))
      throw new ParameterInvalid(`count.min must be at most count.max, ${max}, not ${min}`)
  }
  throw new ParameterInvalid(
    `count must be an integer from 0, or a range such as {"min": 1, "max": 3}, not ${quote(count)}`,
  )
}

export function describeGaps({ capacity, size, gaps }: Journal): string[] {
  if (capacity === 0) return ['The journal is off (--journal 0)']
  if (gaps.requests === 0) return []
  return gaps.isOverCapacity
    ? [`The journal has only the last ${size} requests (--journal)`]
    : [`The journal has only the last ${size} requests, for which it has memory`]
}

/** The bodies that a query may read, each with a function that tells whether an item lacks a part of it. */
const BODIES: readonly {
  readonly path: RegExp
  readonly isMissing: (item: Pick<JournalItem, 'body' | 'response'>, journal: Journal) => boolean
}[] = [
  {
    path: /^body(?:\.|$)/,
    isMissing: ({ body }, { tooLong }) => isJsonObject(body) && body['tooLong'] === tooLong.tooLong,
  },
  {
    path: /^response\.body(?:\.|$)/,
    isMissing: ({ response }) =>
      response !== null && ['truncated', 'stream', 'dropped'].includes(response.bodyState),
  },
]

/** The requests of which a read body is incomplete: nobody knows whether they match. */
function* findLackingBodies(journal: Journal, { selector, ...place }: FoundBy): Work<Set<string>> {
  const lacking = new Set<string>()
  const read = BODIES.filter(({ path }) => readsPath(selector.tree, path))
  if (read.length === 0) return lacking
  const others = selector.filter((each) => !read.some(({ path }) => readsPath([each], path)))
  yield* findAll(journal, { ...place, selector: others }, function* (item) {
    yield 'reading the journal'
    const request = item as JournalItem
    if (read.some((body) => body.isMissing(request, journal))) lacking.add(String(request._id))
  })
  return lacking
}

const describeLacking = (count: number): string[] =>
  count === 0
    ? []
    : [`The journal lacks a part of the bodies that the query reads, for ${count} of the requests`]

const findAll = <Result>(
  journal: Journal,
  query: FoundBy,
  convert: (request: JsonObject) => Work<Result>,
): Work<Result[]> =>
  journal.find({ ...query, sort: undefined, skip: 0, limit: Infinity, fields: undefined }, convert)

/** Finds the candidates that fail the fewest clauses; of these, the newest ones. */
function* findClosest(
  journal: Journal,
  selector: Selector,
  isCandidate: (request: JsonObject) => boolean,
): Work<ClosestRequest[]> {
  const explainer = new Explainer(selector)
  let closest: (MatchExplanation & { readonly request: JsonObject })[] = []
  yield* findAll(journal, { selector: MATCH_ALL }, function* (request) {
    if (!isCandidate(request)) return
    const explanation = yield* explainer.explain(request)
    closest = [...closest, { ...explanation, request }]
      .toSorted((a, b) => a.mismatches - b.mismatches)
      .slice(0, MAX_CLOSEST)
    yield 'explaining the query'
  })
  return closest.map(({ request, clauses }) => {
    const failed = clauses.filter(({ matches }) => matches !== true)
    return { request, clauses: failed, text: formatExplanation(describeRequest(request), failed) }
  })
}

/** Describes a request in a line: `000000000042 GET /api/2018-10-01/materials 200`. */
const describeRequest = ({ _id, method, path, status }: JsonObject): string =>
  `${String(_id)} ${String(method)} ${String(path)} ${status === null ? 'without a response' : String(status)}`
