import { send } from '../http/send.js'
import { hasControls, session } from '../session/session-state.js'
import { call, withParameters } from './call.js'
import type { Item, JsonObject } from './item.js'

/** The two parameters of a list as JSON texts; undefined if not given. */
export interface ListParameters {
  readonly query: string | undefined
  readonly projection: string | undefined
}

/** Lists items. */
export const listItems = (
  resource: string,
  parameters: ListParameters,
  signal?: AbortSignal,
): Promise<Item[]> => call(listPath(resource, parameters), { signal })

/** Returns the path of a list below the API. */
export const listPath = (resource: string, { query, projection }: ListParameters): string =>
  withParameters(`/${resource}`, { query, projection })

/** Gets one whole item. */
export const getItem = (resource: string, id: string, signal?: AbortSignal): Promise<Item> =>
  call(`/${resource}/${encodeURIComponent(id)}`, { signal })

/** Why an item is in a list, or why not. */
export interface ItemExplanation {
  /** Whether the item matches the query; null for an item that the account does not see. */
  readonly matches: boolean | null
  /** Whether the account sees it. */
  readonly visible: boolean
  /** All of this as a tree of lines. */
  readonly text: string
}

/** Explains whether an item matches a query, and whether the account sees it. It needs the controls. */
export const explainItem = (
  resource: string,
  id: string,
  query: string | undefined,
  signal: AbortSignal,
): Promise<ItemExplanation> => {
  const accountId = session.value?.headers['X-Account-Id']
  const path = `/__admin/explain/${resource}/${encodeURIComponent(id)}`
  return send(withParameters(path, { query, accountId }), { signal })
}

/** A page behind all items: to reach it, the server counts all that match. */
const BEHIND_ALL = JSON.stringify({ skip: 1_000_000_000, limit: 1 })

/** A condition that every item meets. Without any, the server would skip the items uncounted. */
const EVERY_ITEM = JSON.stringify({ _id: { $exists: true } })

/**
 * Counts the items that match a query and that the account sees, which only the controls can.
 * @returns undefined without the controls
 */
export async function countItems(
  resource: string,
  query: string | undefined,
  signal?: AbortSignal,
): Promise<number | undefined> {
  if (!hasControls.value) return undefined
  const path = withParameters(`/__admin/explain/${resource}`, {
    query: query ?? EVERY_ITEM,
    projection: BEHIND_ALL,
    accountId: session.value?.headers['X-Account-Id'],
  })
  return (await send<{ readonly matched: number }>(path, { signal })).matched
}

const pathOf = (resource: string, id: string): string => `/${resource}/${encodeURIComponent(id)}`

/** Creates an item; the server gives it an `_id`. */
export const createItem = (resource: string, item: JsonObject): Promise<Item> =>
  call(`/${resource}/create`, { method: 'PUT', body: item })

/** Creates a material from the text of a POSCAR or a CIF. */
export const importMaterial = (
  name: string,
  content: string,
  format: 'poscar' | 'cif',
): Promise<Item> => call('/materials/import', { method: 'POST', body: { name, content, format } })

/** Changes an item by MongoDB's update operators. */
export const updateItem = (resource: string, id: string, update: JsonObject): Promise<Item> =>
  call(pathOf(resource, id), { method: 'PATCH', body: update })

/** Copies an item; a copy from a bank belongs to another resource. */
export const copyItem = (resource: string, id: string): Promise<Item> =>
  call(`${pathOf(resource, id)}/copy`, { method: 'POST' })

/** Submits a job. */
export const submitJob = (id: string): Promise<Item> =>
  call(`${pathOf('jobs', id)}/submit`, { method: 'POST' })

/** Puts a deleted item back. */
export type Restore = () => Promise<unknown>

/**
 * Deletes an item.
 * @returns what puts it back: through the controls with its `_id` and in its place, else as a new item
 */
export async function deleteItem(resource: string, item: Item): Promise<Restore> {
  const id = item._id ?? ''
  const index = hasControls.value
    ? (await readAll(resource)).findIndex(({ _id }) => _id === id)
    : -1
  await call(pathOf(resource, id), { method: 'DELETE' })
  return index === -1
    ? () => createItem(resource, item)
    : async () => {
        const items = await readAll(resource)
        const body = [...items.slice(0, index), item, ...items.slice(index)]
        await send(`/__admin/fixtures/${resource}`, { method: 'PUT', body })
      }
}

const readAll = (resource: string): Promise<Item[]> => send(`/__admin/fixtures/${resource}`)
