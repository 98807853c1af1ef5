import { toSearchQuery } from './search-query.js'

/** The numbers of items that a page can have. The server's own default comes first. */
export const PAGE_SIZES = [50, 100, 500] as const

/** The texts that a list is asked for with, as typed; an empty one is not given. */
export interface ListTexts {
  readonly search: string
  readonly query: string
  readonly sort: string
  readonly fields: string
  readonly page: string
  readonly size: string
  /** The number of items on all pages, if the list is read from its end. */
  readonly end?: number | undefined
}

/** The inputs that hold JSON. */
export type JsonInput = 'query' | 'sort' | 'fields'

/** A parameter as JSON text, and the inputs that it is made of. */
export interface ComposedParameter {
  readonly text: string
  readonly origins: readonly {
    readonly input: JsonInput
    /** The offset of the text of the input. */
    readonly start: number
    readonly length: number
  }[]
}

/** The two parameters of a list; `query` is undefined if every item matches. */
export interface ComposedList {
  readonly query: ComposedParameter | undefined
  readonly projection: ComposedParameter
}

/**
 * Composes the parameters of a list. The texts are taken as they are, so that the server says what is
 * wrong with them, and where.
 */
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

function composeProjection({ sort, fields, page, size, end }: ListTexts): ComposedParameter {
  const [first, last] = [(pageNumber(page) - 1) * pageSize(size), pageNumber(page) * pageSize(size)]
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
  return { text: `${text}}`, origins }
}

/** Returns the number of a page, from 1. */
export const pageNumber = (page: string): number => (/^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1)

/** Returns the number of items of a page. */
export const pageSize = (size: string): number =>
  PAGE_SIZES.find((each) => String(each) === size) ?? PAGE_SIZES[0]
