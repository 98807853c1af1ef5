import { ItemNotFound } from '../../errors.js'
import { touch } from '../../domain/timestamps.js'
import type { JsonObject } from '../../json/json.js'
import type { VisibilityFilter } from '../visibility.js'
import type { WriteContext } from './write-context.js'
import type { Collection } from '../collection.js'
import type { Entry } from '../entry.js'

/**
 * What one account does to one collection. All that can be wrong with a write is found before it,
 * while its item is made; a write itself is done at once, and no read comes between.
 */
export class CollectionWriter {
  readonly context: WriteContext
  readonly #collection: Collection
  readonly #accepts: VisibilityFilter

  constructor(collection: Collection, context: WriteContext, accepts: VisibilityFilter) {
    this.context = context
    this.#collection = collection
    this.#accepts = accepts
  }

  /**
   * The item with this `_id` that the account sees.
   * @throws ItemNotFound
   */
  readonly find = (id: string): Entry => {
    const entry = this.#collection.findById(id, this.#accepts)
    if (entry === undefined) throw new ItemNotFound(this.#collection.resource, id)
    return entry
  }

  /** Puts a new item at the end. */
  insert(item: JsonObject): Entry {
    if (item.isDefault === true) this.#clearDefaults()
    return this.#collection.insert(item)
  }

  /** Puts another item in the place of one; where it is the same, nothing is written. */
  replace(former: Entry, item: JsonObject): Entry {
    if (item === former.item) return former
    if (item.isDefault === true && former.item.isDefault !== true) this.#clearDefaults()
    return this.#collection.replace(former, item)
  }

  /** Makes an item the default, and the former one none. */
  setDefault(entry: Entry): Entry {
    this.#clearDefaults(entry)
    if (entry.item.isDefault === true) return entry
    return this.#collection.replace(entry, touch({ ...entry.item, isDefault: true }))
  }

  /** Takes an item out. A default leaves none. */
  remove(entry: Entry): void {
    this.#collection.remove(entry)
  }

  /** There is one default at most among what an account sees. */
  #clearDefaults(kept?: Entry): void {
    for (const entry of this.#collection.save()) {
      if (entry !== kept && entry.item.isDefault === true && this.#accepts(entry))
        this.#collection.replace(entry, touch({ ...entry.item, isDefault: false }))
    }
  }
}
