import type { RelatedItems } from '../../domain/jobs/complete-job.js'
import type { Collection } from '../collection.js'
import type { VisibilityFilter } from '../entry.js'

/** Creates functions that find items of all resources as an account sees them. */
export const createRelatedItems = (
  collections: ReadonlyMap<string, Collection>,
  accountId: string,
  isVisible: VisibilityFilter,
): RelatedItems => ({
  has: (resource) => collections.has(resource),
  find: (resource, id) => collections.get(resource)?.findById(id, isVisible)?.item,
  /** The default item that the account owns, or else the first default that it sees. */
  findDefault: (resource) => {
    const defaults = (collections.get(resource)?.entries ?? []).filter(
      (entry) => entry.item.isDefault === true && isVisible(entry),
    )
    const own = defaults.find(({ ownerId }) => ownerId === accountId)
    return (own ?? defaults[0])?.item
  },
})
