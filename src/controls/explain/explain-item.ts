import type { ItemExplanation } from '@materials-mock/api'
import {
  Explainer,
  evaluate,
  formatExplanation,
  matchItem,
  waitForSort,
} from '@materials-mock/query'
import type { CompiledListQuery } from '@materials-mock/query'
import type { Work } from '@materials-mock/work'
import { BoundExceeded, ItemNotFound } from '../../errors.js'
import type { Collection } from '../../store/collection.js'
import type { Entry, VisibilityFilter } from '../../store/entry.js'

export interface ExplainedList {
  readonly collection: Collection
  readonly compiled: CompiledListQuery
  readonly isVisible: VisibilityFilter
  /** Undefined if every item is visible. */
  readonly accountId: string | undefined
}

/**
 * Does not evaluate the query for an item that the account does not see.
 * @throws ItemNotFound
 */
export function* explainItem(
  { collection, compiled, isVisible, accountId }: ExplainedList,
  id: string,
): Work<ItemExplanation> {
  const { resource } = collection
  const entry = collection.findById(id, () => true)
  if (entry === undefined) throw new ItemNotFound(resource, id)
  const view = yield* collection.view(isVisible)
  const entries = view.share()
  const { selector, skip, limit } = compiled
  const visible = isVisible(entry)
  const matches = visible ? yield* matchItem(selector, entry.item) : null
  const { place, total } =
    matches === true ? yield* findPlace(entry, entries, compiled) : { place: null, total: null }
  const explanation = {
    resource,
    _id: id,
    listed: place !== null && place > skip && place <= skip + limit,
    matches,
    visible,
    owner: entry.ownerId ?? null,
    place,
    total,
    skip,
    limit,
    clauses: visible ? (yield* new Explainer(selector).explain(entry.item)).clauses : [],
  }
  yield 'explaining the query'
  checkSize(explanation)
  yield 'writing the response'
  const headline = describeResult(explanation, accountId)
  return { ...explanation, text: formatExplanation(headline, explanation.clauses) }
}

/**
 * The place from 1 among the matching entries, and their number.
 * @throws as a list does
 */
function* findPlace(
  entry: Entry,
  entries: readonly Entry[],
  { selector, sort }: CompiledListQuery,
): Work<{ readonly place: number; readonly total: number }> {
  const whole = { selector, sort, skip: 0, limit: Infinity }
  yield* waitForSort(whole, entries.length)
  const listed = yield* evaluate(entries, whole)
  return { place: listed.indexOf(entry) + 1, total: listed.length }
}

/** The largest explanation, in characters of JSON. The conditions of a query may have many values. */
const MAX_LENGTH = 4 * 1024 * 1024

/** @throws BoundExceeded for an explanation that is too long to be sent at once */
function checkSize(explanation: object): void {
  const { length } = JSON.stringify(explanation)
  if (length <= MAX_LENGTH) return
  throw new BoundExceeded(
    `an explanation must have at most ${MAX_LENGTH} characters of JSON, not ${length}; have fewer conditions`,
  )
}

function describeResult(
  explanation: Omit<ItemExplanation, 'text'>,
  accountId: string | undefined,
): string {
  const { _id, listed, place, total, skip, limit } = explanation
  if (!explanation.visible)
    return `${_id} is hidden from ${accountId} by its owner ${explanation.owner}`
  if (explanation.matches !== true) return `${_id} does not match`
  const at = `at place ${place} of ${total}`
  if (listed) return `${_id} is in the list, ${at}`
  const side = (place ?? 0) <= skip ? 'before' : 'after'
  return `${_id} matches, but is ${at}, ${side} the page (skip ${skip}, limit ${limit})`
}
