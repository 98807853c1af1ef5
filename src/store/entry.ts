import type { JsonObject } from '../json/json.js'
import type { CompiledFields } from '../query/projection/compile-fields.js'

/** A stored item and what is cached about it. An item never changes; a write stores a new entry. */
export interface Entry {
  readonly item: JsonObject
  /** The item's place in natural order. Larger than that of every earlier item, with gaps. */
  readonly ordinal: number
  /** `owner._id`. All entries of an owner share one string, so that a comparison reads no item. */
  readonly ownerId: string | undefined
  /** The item's JSON text in UTF-8; undefined until it is first sent. */
  text: Buffer | undefined
  /** The JSON text of the fields that were requested last. */
  projected: { readonly fields: CompiledFields; readonly text: Buffer } | undefined
}

/** Creates the entry of an item, with nothing cached. */
export const createEntry = (
  item: JsonObject,
  ordinal: number,
  ownerId: string | undefined,
): Entry => ({ item, ordinal, ownerId, text: undefined, projected: undefined })
