import type { Lists } from '@materials-mock/api'
import { toNewestPlace } from '@materials-mock/client'
import type { ListPlace } from '@materials-mock/client'
import { toUrlTexts } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { Lack } from './outcome.js'

export type { Lists }

/**
 * In the form that the deployment reads. Migrated lists return whole items, whatever the fields.
 * @throws Lack for a sort by several fields, which migrated lists do not have
 */
export function listPath(
  resource: string,
  query?: JsonObject,
  projection?: JsonObject,
  lists: Lists = 'documented',
): string {
  const given = lists === 'migrated' ? toFlat(query, projection) : { query, projection }
  const parameters = new URLSearchParams(toUrlTexts(given))
  return parameters.size === 0 ? `/${resource}` : `/${resource}?${parameters}`
}

/** Returns the parameters that the platform's newest client sends for a query and a projection. */
function toFlat(query: JsonObject = {}, place: ListPlace = {}): object {
  if (Object.keys(place.sort ?? {}).length > 1)
    throw new Lack('a sort by several fields', 'lists that sort by one')
  const isWhole = Object.keys(query).length === 0
  return { advancedSearches: isWhole ? undefined : [query], ...toNewestPlace(place) }
}

/**
 * Requests items that can't exist. Undefined without items, or if lists ignore all conditions.
 * @param list returns undefined if the answer is not a list
 */
export async function findLists(
  resource: string,
  list: (path: string) => Promise<readonly unknown[] | undefined>,
): Promise<Lists | undefined> {
  const none = { _id: 'no item has this _id', name: 'no item has this name' }
  const limit = { limit: 1 }
  const heeds = async (path: string): Promise<boolean> => (await list(path))?.length === 0
  if (await heeds(listPath(resource, undefined, limit))) {
    // Migrated lists have only items that are in no set, unless the request asks for all items.
    const all = await list(listPath(resource, undefined, limit, 'migrated'))
    return all !== undefined && all.length > 0 ? 'migrated' : undefined
  }
  const readsQuery = await heeds(listPath(resource, none, limit))
  if (await heeds(listPath(resource, none, limit, 'migrated')))
    return readsQuery ? 'both' : 'migrated'
  return readsQuery ? 'documented' : undefined
}
