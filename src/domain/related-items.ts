import type { JsonObject } from '../json/json.js'

/** The items of other resources that a new item may refer to, as the account that writes sees them. */
export interface RelatedItems {
  /** Whether there is a resource with this name. */
  readonly has: (resource: string) => boolean
  /** Returns the item with this `_id`, if the account sees it. */
  readonly find: (resource: string, id: string) => JsonObject | undefined
  /** Returns the account's default item: its own, or else one that nobody owns. */
  readonly findDefault: (resource: string) => JsonObject | undefined
}
