import type { RelatedItems } from '../../domain/jobs/complete-job.js'
import type { Collection } from '../collection.js'
import type { Entry, VisibilityFilter } from '../entry.js'

/** Creates functions that find items of all resources as an account sees them. */
export const createRelatedItems = (
  collections: ReadonlyMap<string, Collection>,
  accountId: string,
  isVisible: VisibilityFilter,
): RelatedItems => ({
  has: (resource) => collections.has(resource),
  find: (resource, id) => collections.get(resource)?.findById(id, isVisible)?.item,
  findDefault: (resource) =>
    findDefaultEntry(collections.get(resource)?.entries ?? [], accountId, isVisible)?.item,
})

/** Returns the default item that an account owns, or else the default that it sees. */
function findDefaultEntry(
  entries: readonly Entry[],
  accountId: string,
  isVisible: VisibilityFilter,
): Entry | undefined {
  let shared: Entry | undefined
  for (const entry of entries) {
    if (!isVisible(entry) || entry.item.isDefault !== true) continue
    if (entry.ownerId === accountId) return entry
    shared ??= entry
  }
  return shared
}
