import { toObject, tryParseJson } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { formatReducedFormula, parseFormula } from '@materials-mock/structures'
import type { ErrorDetail } from '../http/send.js'
import type { JsonParameter } from '../json/completions.js'
import { findSpans } from '../json/json-text.js'
import type { TextError } from '../json/json-text.js'
import type { PageState } from '../state/page-state.js'

/** The offered numbers of items of a page. The server's default comes first. */
export const PAGE_SIZES = [50, 100, 500] as const

interface ListTexts extends Pick<PageState, 'search' | 'query' | 'sort' | 'fields'> {
  /** The `fields` of the shown columns, if no `fields` are typed. */
  readonly shownFields?: string | undefined
  readonly page: string
  readonly size: string
  /** The number of items on all pages, if the list is read from its end. */
  readonly end?: number | undefined
}

/** A parameter as JSON text, and the inputs from which it is made. */
interface ComposedParameter {
  readonly text: string
  readonly origins: readonly {
    readonly input: JsonParameter
    /** The offset of the text of the input. */
    readonly start: number
    readonly length: number
  }[]
}

export interface ComposedList {
  readonly query: ComposedParameter | undefined
  readonly projection: ComposedParameter
}

/** The texts are not changed, so that the server reports their errors with their places. */
export const composeList = (texts: ListTexts): ComposedList => ({
  query: composeQuery(texts),
  projection: composeProjection(texts),
})

function composeQuery({ search, query }: ListTexts): ComposedParameter | undefined {
  const condition = toSearchQuery(search)
  const searchText = condition === undefined ? '' : JSON.stringify(condition)
  if (query.trim() === '') return searchText === '' ? undefined : { text: searchText, origins: [] }
  const before = searchText === '' ? '' : `{"$and":[${searchText},`
  return {
    text: before + query + (searchText === '' ? '' : ']}'),
    origins: [{ input: 'query', start: before.length, length: query.length }],
  }
}

function composeProjection({
  sort,
  fields,
  shownFields,
  page,
  size,
  end,
}: ListTexts): ComposedParameter {
  const first = skipOf(pageNumber(page), pageSize(size))
  const last = first + pageSize(size)
  const skip = end === undefined ? first : Math.max(end - last, first >= end ? end : 0)
  const limit = end === undefined ? last - first : Math.max(Math.min(end, last) - first, 1)
  let text = `{"limit":${limit}${skip === 0 ? '' : `,"skip":${skip}`}`
  const origins: ComposedParameter['origins'][number][] = []
  for (const [input, typed] of [
    ['sort', sort],
    ['fields', fields],
  ] as const) {
    if (typed.trim() === '') continue
    text += `,"${input}":`
    origins.push({ input, start: text.length, length: typed.length })
    text += typed
  }
  if (fields.trim() === '' && shownFields !== undefined) text += `,"fields":${shownFields}`
  return { text: `${text}}`, origins }
}

/** Reads the number of a page, from 1. It has a fraction if the page begins in the middle of another one. */
export const pageNumber = (page: string): number =>
  /^[1-9]\d{0,6}(?:\.\d+)?$/.test(page) ? Number(page) : 1

/** Returns the number of a page as the address has it. */
export const formatPage = (page: number): string => (page <= 1 ? '' : String(page))

/** Reads the number of items of a page: up to 500. */
export const pageSize = (size: string): number =>
  /^[1-9]\d{0,2}$/.test(size) && Number(size) <= 500 ? Number(size) : PAGE_SIZES[0]

/** Returns the number of items of a page as the address has it. */
export const formatSize = (size: number): string => (size === PAGE_SIZES[0] ? '' : String(size))

/** Returns the number of items before a page. */
export const skipOf = (page: number, size: number): number => Math.round((page - 1) * size)

/** The fields in which a word is searched. */
const WORD_FIELDS = ['name', '_id', 'tags', 'formula', 'slug', 'data.name', 'status']

/**
 * Returns the query of a search: the items that contain the word in one of the usual text fields, or that have the
 * formula in any order of its elements. A formula counts as a word too, so that `Si` also finds an item of that name.
 * @returns undefined if there is nothing to search
 */
export function toSearchQuery(search: string): JsonObject | undefined {
  const word = search.trim()
  if (word === '') return undefined
  const formula = normalizeFormula(word)
  if (formula !== undefined)
    return { $or: [{ formula }, { name: { $regex: `\\b${escapePattern(word)}\\b` } }] }
  const pattern = { $regex: escapePattern(word), $options: 'i' }
  return { $or: WORD_FIELDS.map((field) => ({ [field]: pattern })) }
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Reduced, with the elements in the platform's order; undefined for no formula. */
export function normalizeFormula(text: string): string | undefined {
  const counts = parseFormula(text)
  return counts && formatReducedFormula(counts)
}

/** A message of the server at its place in an input. */
export interface LocatedError extends TextError {
  /** The wrong input; undefined if the message names no input. */
  readonly input: JsonParameter | undefined
}

/** The line and column of malformed JSON, a detail's JSON Pointer, or the path in the message. */
export const locateErrors = (details: readonly ErrorDetail[], list: ComposedList): LocatedError[] =>
  details.map((detail) => locate(detail, parameterOf(detail.message, list)))

/** An unknown name at the start of a message is about the projection, because `query` accepts every name. */
function parameterOf(
  message: string,
  { query, projection }: ComposedList,
): ComposedParameter | undefined {
  if (/^(?:"|projection\b)/.test(message)) return projection
  if (query === undefined || !message.startsWith('advancedSearches')) return query
  // A migrated list gets the query in brackets.
  const origins = query.origins.map((each) => ({ ...each, start: each.start + 1 }))
  return { text: `[${query.text}]`, origins }
}

function locate(
  { path, message }: ErrorDetail,
  parameter: ComposedParameter | undefined,
): LocatedError {
  const spans = parameter === undefined ? [] : findSpans(message, path, parameter.text)
  for (const span of spans) {
    const origin = parameter?.origins.find(
      ({ start, length }) => span.start >= start && span.start <= start + length,
    )
    if (origin === undefined) continue
    const end = Math.min(span.end - origin.start, origin.length)
    return { message, input: origin.input, start: span.start - origin.start, end }
  }
  const [only] = parameter?.origins.length === 1 ? parameter.origins : []
  return { message, input: only?.input, start: 0, end: 0 }
}

type SortState = Pick<PageState, 'sort' | 'order'>

/** Returns the direction in which a list is sorted by a path, if it is the first of the sort. */
export function readDirection({ sort, order }: SortState, path: string): 1 | -1 | undefined {
  const [first] = Object.entries(toObject(tryParseJson(sort)))
  if (first?.[0] !== path || (first[1] !== 1 && first[1] !== -1)) return undefined
  return (order === 'reversed') === (first[1] === 1) ? -1 : 1
}

/**
 * Upward, then downward, then none.
 * @param isDownward whether only a downward sort is right: an upward list is read from its end
 */
export function nextSort(state: SortState, path: string, isDownward: boolean): SortState {
  const direction = readDirection(state, path)
  if (direction === -1) return { sort: '', order: '' }
  const isUpward = direction === undefined
  if (isDownward) return { sort: JSON.stringify({ [path]: -1 }), order: isUpward ? 'reversed' : '' }
  return { sort: JSON.stringify({ [path]: isUpward ? 1 : -1 }), order: '' }
}
