import type { ItemExplanation } from '@materials-mock/api'
import { toNewestPlace } from '@materials-mock/client'
import type { ListPlace } from '@materials-mock/client'
import { toObject, toUrlTexts, tryParseJson } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { callControl } from '../http/call-control.js'
import { isRefused, withParameters } from '../http/send.js'
import type { UrlParameters } from '../http/send.js'
import { call, hasControls, hasMigratedLists, session } from '../session/session.js'
import type { Item } from './item.js'

export interface ListParameters {
  readonly query: string | undefined
  readonly projection: string | undefined
}

export const listItems = (
  resource: string,
  parameters: ListParameters,
  signal?: AbortSignal,
): Promise<Item[]> => call(listPath(resource, parameters), { signal })

/** Lists items of a resource beside another one; none if the server does not have it. */
export const listServed: typeof listItems = (...request) =>
  listItems(...request).catch((error: unknown) => {
    if (isRefused(error)) return []
    throw error
  })

/** Returns the path of a list below the API. */
const listPath = (resource: string, parameters: ListParameters): string =>
  withParameters(`/${resource}`, toUrlParameters(parameters))

/** A server with migrated lists also gets them in the form of the platform's newest client. */
export function toUrlParameters({ query, projection }: ListParameters): UrlParameters {
  if (!hasMigratedLists.value) return { query, projection }
  const advancedSearches = query && `[${query}]`
  return {
    query,
    projection,
    advancedSearches,
    ...toUrlTexts(toNewestPlace(parsePlace(projection))),
  }
}

export const getItem = (resource: string, id: string, signal?: AbortSignal): Promise<Item> =>
  call(pathOf(resource, id), { signal })

/** Explains whether an item matches a query, and whether the account sees it. It needs the controls. */
export const explainItem = (
  resource: string,
  id: string,
  query: string | undefined,
  signal: AbortSignal,
): Promise<ItemExplanation> => {
  const accountId = session.value?.headers['X-Account-Id']
  const parameters = toUrlParameters({ query, projection: undefined })
  return callControl('GET /explain/:resource/:id', {
    params: { resource, id },
    query: { ...parameters, accountId },
    signal,
  })
}

interface ItemPage {
  readonly items: readonly Item[]
  /** The number of items on all pages; undefined if the server could not count them in time. */
  readonly total: number | undefined
}

/** The header with the number of all items, if the page does not reach the last of them. */
const TOTAL = 'X-Total-Count'

export async function listPage(
  resource: string,
  parameters: ListParameters,
  signal?: AbortSignal,
): Promise<ItemPage> {
  const { skip = 0, limit } = parsePlace(parameters.projection)
  let counted = null as string | null
  const items = await call<Item[]>(listPath(resource, parameters), {
    signal,
    onHeaders: (headers) => {
      counted = headers.get(TOTAL)
    },
  })
  if (counted !== null) return { items, total: Number(counted) }
  const isLast = items.length > 0 || skip === 0
  if (isLast && items.length !== limit) return { items, total: skip + items.length }
  // The page is after the last item, or it is full and the server does not tell whether it is the last.
  if (!isLast) return { items, total: await countItems(resource, parameters.query, signal) }
  const next = {
    ...parameters,
    projection: JSON.stringify({ skip: skip + items.length, limit: 1 }),
  }
  const isFollowed = (await listItems(resource, next, signal)).length > 0
  return { items, total: isFollowed ? undefined : skip + items.length }
}

/** Reads the place of a page. The server refuses a projection that is not JSON. */
const parsePlace = (projection = '{}'): ListPlace => toObject(tryParseJson(projection))

const ONE_ID = JSON.stringify({ limit: 1, fields: { _id: 1 } })

export const countItems = async (
  resource: string,
  query: string | undefined,
  signal?: AbortSignal,
): Promise<number | undefined> =>
  (await listPage(resource, { query, projection: ONE_ID }, signal)).total

const pathOf = (resource: string, id: string): string => `/${resource}/${encodeURIComponent(id)}`

/**
 * Creates an item; the server gives it an `_id`.
 * @param completed takes the paths of the fields that the server has completed
 */
export const createItem = (
  resource: string,
  item: JsonObject,
  completed = new Set<string>(),
): Promise<Item> =>
  call(`/${resource}/create`, {
    method: 'PUT',
    body: item,
    onHeaders: (headers) => {
      for (const path of headers.get('X-Mock-Completed')?.split(', ') ?? []) completed.add(path)
    },
  })

/** Creates a material from the text of a POSCAR or a CIF. */
export const importMaterial = (
  name: string,
  content: string,
  format: 'cif' | undefined,
): Promise<Item> => call('/materials/import', { method: 'POST', body: { name, content, format } })

/** Changes an item by MongoDB's update operators. */
export const updateItem = (resource: string, id: string, update: JsonObject): Promise<Item> =>
  call(pathOf(resource, id), { method: 'PATCH', body: update })

/** Copies an item; a copy from a bank belongs to another resource. */
export const copyItem = (resource: string, id: string): Promise<Item> =>
  call(`${pathOf(resource, id)}/copy`, { method: 'POST' })

export const submitJob = (id: string): Promise<Item> =>
  call(`${pathOf('jobs', id)}/submit`, { method: 'POST' })

export const deleteItem = (resource: string, id: string): Promise<unknown> =>
  call(pathOf(resource, id), { method: 'DELETE' })

/** Restores a deleted item: with the controls, with its `_id` and in its place; otherwise as a new item. */
export const restoreItem = (resource: string, item: Item): Promise<Item> =>
  hasControls.value
    ? callControl('POST /fixtures/:resource/:id/restore', {
        params: { resource, id: item._id ?? '' },
      })
    : createItem(resource, item)
