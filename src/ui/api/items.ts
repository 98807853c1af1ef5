import { hasControls, session } from '../session/session-state.js'
import { send } from '../http/send.js'
import { call, withParameters } from './call.js'
import type { Item } from './item.js'

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
  /** Whether the item matches the query. */
  readonly matches: boolean
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
