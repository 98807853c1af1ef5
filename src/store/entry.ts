import type { JsonObject } from '../json/json.js'
import type { CompiledFields } from '../query/projection/compile-fields.js'

/** A stored item and its caches. An item never changes; a write stores a new entry. */
export interface Entry {
  readonly item: JsonObject
  /** The item's place in natural order. It is larger than the place of every earlier item; there are gaps. */
  readonly ordinal: number
  /** `owner._id`. All entries of an owner share one string, so that a comparison reads no item. */
  readonly ownerId: string | undefined
  /** The item's JSON text in UTF-8; undefined until it is first sent. */
  text: Buffer | undefined
  /** The JSON text of the most recently requested fields. */
  projected: { readonly fields: CompiledFields; readonly text: Buffer } | undefined
}

/** Creates the entry of an item, with nothing cached. */
export const createEntry = (
  item: JsonObject,
  ordinal: number,
  ownerId: string | undefined,
): Entry => ({ item, ordinal, ownerId, text: undefined, projected: undefined })
