import { touch } from '../../domain/timestamps.js'
import { ItemNotFound } from '../../errors.js'
import type { JsonObject } from '../../json/json.js'
import type { Collection } from '../collection.js'
import type { Entry } from '../entry.js'
import type { VisibilityFilter } from '../visibility.js'
import type { WriteContext } from './write-context.js'

/**
 * Writes to one collection for one account. Items are validated before they get here: a write can't
 * fail, and it is synchronous, so that no read sees a half of it.
 */
export class CollectionWriter {
  readonly context: WriteContext
  readonly #collection: Collection
  readonly #isVisible: VisibilityFilter

  constructor(collection: Collection, context: WriteContext, isVisible: VisibilityFilter) {
    this.context = context
    this.#collection = collection
    this.#isVisible = isVisible
  }

  /**
   * Returns the entry with this `_id`.
   * @throws ItemNotFound if there is none that the account sees
   */
  find(id: string): Entry {
    const entry = this.#collection.findById(id, this.#isVisible)
    if (entry === undefined) throw new ItemNotFound(this.#collection.resource, id)
    return entry
  }

  /** Adds a new item at the end. */
  insert(item: JsonObject): Entry {
    if (item.isDefault === true) this.#clearDefaults()
    return this.#collection.insert(item)
  }

  /** Replaces the item of an entry. Writes nothing if the item is the same object. */
  replace(former: Entry, item: JsonObject): Entry {
    if (item === former.item) return former
    if (item.isDefault === true && former.item.isDefault !== true) this.#clearDefaults()
    return this.#collection.replace(former, item)
  }

  /** Makes an item the default in place of the former one. */
  setDefault(entry: Entry): Entry {
    this.#clearDefaults(entry)
    if (entry.item.isDefault === true) return entry
    return this.#collection.replace(entry, touch({ ...entry.item, isDefault: true }))
  }

  /** Removes an item. If it was the default, there is none afterwards. */
  remove(entry: Entry): void {
    this.#collection.remove(entry)
  }

  /** Clears `isDefault` on every item that the account sees, so that it has one default at most. */
  #clearDefaults(except?: Entry): void {
    for (const entry of this.#collection.entries) {
      if (entry !== except && entry.item.isDefault === true && this.#isVisible(entry))
        this.#collection.replace(entry, touch({ ...entry.item, isDefault: false }))
    }
  }
}
