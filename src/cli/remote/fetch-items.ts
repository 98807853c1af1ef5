import { compareStrings } from '@materials-mock/check'
import { quote } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { MAX_LIMIT } from '@materials-mock/query'
import { DeploymentUnusable } from '../../errors.js'
import type { RemoteSession } from './session.js'

/**
 * In pages sorted by `_id`, each after the last `_id` of the one before, not at a position: writes
 * in between neither skip nor double an item.
 * @throws DeploymentUnusable
 */
export async function* fetchItems(
  session: RemoteSession,
  resource: string,
  { query, limit }: { readonly query: JsonObject; readonly limit: number },
): AsyncGenerator<JsonObject[]> {
  let last: string | undefined
  let left = limit
  while (left > 0) {
    const projection = { sort: { _id: 1 }, limit: Math.min(left, MAX_LIMIT) }
    const page = await session.list(resource, queryAfter(query, last), projection)
    if (page === undefined) throw createNotFound(resource)
    if (page.length === 0) return
    for (const { _id } of page) last = checkOrder(resource, last, String(_id))
    yield page.slice(0, left)
    left -= page.length
  }
}

/**
 * Without a sort. Undefined for an unknown resource.
 * @throws DeploymentUnusable
 */
export async function fetchOrder(
  session: RemoteSession,
  resource: string,
  query: JsonObject,
): Promise<Set<string> | undefined> {
  const ids = new Set<string>()
  for (let skip = 0; ;) {
    const projection = { skip, limit: MAX_LIMIT, fields: { _id: 1 } }
    const page = await session.list(resource, query, projection)
    if (page === undefined && skip === 0) return undefined
    if (page === undefined) throw createNotFound(resource)
    const { size } = ids
    for (const { _id } of page) ids.add(String(_id))
    if (ids.size === size) return ids
    skip += page.length
  }
}

/** A 404 is never the end of a list. */
const createNotFound = (resource: string): Error =>
  new DeploymentUnusable(
    `${resource}: the server answers 404 to a page of the list; try again, or name the other resources with --resource`,
  )

function queryAfter(query: JsonObject, last: string | undefined): JsonObject {
  if (last === undefined) return query
  const after = { _id: { $gt: last } }
  return Object.keys(query).length === 0 ? after : { $and: [query, after] }
}

/** Returns the next `_id`, which must be larger in MongoDB's order: the order of the bytes. */
function checkOrder(resource: string, last: string | undefined, next: string): string {
  if (last === undefined || compareStrings(last, next) < 0) return next
  throw new DeploymentUnusable(
    `${resource}: the server returns ${quote(next)} after ${quote(last)}, but must return items sorted by _id that are larger than the last one`,
  )
}
