import type { JsonObject } from '../json/json.js'
import type { Fields } from '../query/projection/compile-fields.js'
import type { TextArena } from './text-arena.js'

/** A stored item and what is cached about it. An item never changes; a write stores a new entry. */
export interface Entry {
  readonly item: JsonObject
  /** The item's place in natural order: larger than that of every earlier one, with gaps. */
  readonly ordinal: number
  /** `owner._id`. All entries of an owner share one string, so that a comparison reads no item. */
  readonly ownerId: string | undefined
  /** Where the item's JSON text is stored. */
  readonly texts: TextArena
  /** The item's JSON text in UTF-8; undefined until it is first sent. */
  text: Buffer | undefined
  /** The JSON text of the fields that were last asked for. */
  projected: { readonly fields: Fields; readonly text: Buffer } | undefined
}
