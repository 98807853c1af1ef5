import { touch } from '@materials-mock/api'
import { isJsonObject } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { compileSelector } from '@materials-mock/query'
import type { Work } from '@materials-mock/work'
import { listMemberships } from '../../resources/entity-sets.js'
import type { RelatedItems } from '../../jobs/complete-job.js'
import { ItemNotFound } from '../../errors.js'
import type { Collection } from '../collection.js'
import { areSeenTogether, ownerIdOf } from '../entry.js'
import type { Entry, VisibilityFilter } from '../entry.js'
import type { WriteContext } from './owner.js'

/** Items are validated before: a write fails only for full memory. No read sees a part of it. */
export class CollectionWriter {
  readonly context: WriteContext
  readonly #collection: Collection
  readonly #isVisible: VisibilityFilter

  constructor(collection: Collection, context: WriteContext, isVisible: VisibilityFilter) {
    this.context = context
    this.#collection = collection
    this.#isVisible = isVisible
  }

  /** @throws ItemNotFound if the account sees no such item */
  find(id: string): Entry {
    const entry = this.#collection.findById(id, this.#isVisible)
    if (entry === undefined) throw new ItemNotFound(this.#collection.resource, id)
    return entry
  }

  /** One more than the largest that the account sees, or 0. No write comes before its result. */
  *findNextIndex(setId: string): Work<number> {
    const selector = compileSelector({ 'inSet._id': setId })
    const options = { selector, sort: undefined, skip: 0, limit: Infinity }
    for (;;) {
      const { version } = this.#collection
      const members = yield* this.#collection.find(options, this.#isVisible)
      if (this.#collection.version === version)
        return members.reduce((next, { item }) => Math.max(next, indexAfter(item, setId)), 0)
    }
  }

  /**
   * At the end.
   * @throws BoundExceeded if the memory is full
   */
  insert(item: JsonObject): Entry {
    this.context.checkHeap()
    if (item.isDefault === true) this.#clearDefaults(ownerIdOf(item))
    return this.#collection.insert(item)
  }

  /**
   * Writes nothing for the same object.
   * @throws BoundExceeded if the memory is full
   */
  replace(former: Entry, item: JsonObject): Entry {
    if (item === former.item) return former
    this.context.checkHeap()
    const ownerId = ownerIdOf(item)
    const isNewDefault = former.item.isDefault !== true || former.ownerId !== ownerId
    if (item.isDefault === true && isNewDefault) this.#clearDefaults(ownerId, former)
    return this.#collection.replace(former, item)
  }

  /** Returns an item as changed now by the account. */
  touch(item: JsonObject): JsonObject {
    return touch(item, this.context.account._id, this.context.now())
  }

  /** Makes an item the default in place of the former default. */
  setDefault(entry: Entry): Entry {
    this.#clearDefaults(entry.ownerId, entry)
    if (entry.item.isDefault === true) return entry
    return this.#collection.replace(entry, this.touch({ ...entry.item, isDefault: true }))
  }

  /** Removes an item. If it was the default, there is no default afterwards. */
  remove(entry: Entry): void {
    this.#collection.remove(entry)
  }

  /** On every item that some account sees together with one of this owner. */
  #clearDefaults(ownerId: string | undefined, except?: Entry): void {
    const changes = this.touch({ isDefault: false })
    const isCleared = (entry: Entry): boolean =>
      entry !== except && areSeenTogether(entry.ownerId, ownerId, this.context.accountIds)
    this.#collection.replaceMany(this.#collection.listDefaults(isCleared), (item) => ({
      ...item,
      ...changes,
    }))
  }
}

const indexAfter = (item: JsonObject, setId: string): number =>
  listMemberships(item)
    .filter((set) => isJsonObject(set) && set._id === setId)
    .reduce<number>((next, set) => {
      const { index } = set as JsonObject
      return typeof index === 'number' ? Math.max(next, index + 1) : next
    }, 0)

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
    const defaults = collections.get(resource)?.listDefaults(isVisible) ?? []
    return (defaults.find(({ ownerId }) => ownerId === accountId) ?? defaults[0])?.item
  },
})
