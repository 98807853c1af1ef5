import type { JsonObject } from '../json/json.js'
import type { Entry } from './entry.js'
import type { FindOptions } from './find-options.js'
import { Indexes } from './index/indexes.js'
import { createPlan, evaluatePlan } from './index/query-plan.js'
import type { QueryPlan } from './index/query-plan.js'
import { findPosition, removeOrdered } from './natural-order.js'
import { TextArena } from './text-arena.js'
import { ownerIdOf } from './visibility.js'
import type { VisibilityFilter } from './visibility.js'

/** The items of one resource, in natural order: that of the fixtures, then of creation. */
export class Collection {
  readonly resource: string
  #entries: Entry[] = []
  /** Whether a running evaluation reads the array of entries. If so, copy it before writing. */
  #isShared = false
  #byId = new Map<string, Entry>()
  readonly #indexes = new Indexes()
  readonly #textArena: TextArena
  /** The owners of all items that are or were in the collection. */
  readonly #ownerIds = new Map<string, string>()
  #version = 0

  /** @param items each with a unique string `_id` */
  constructor(resource: string, items: Iterable<JsonObject>, textArena = new TextArena()) {
    this.resource = resource
    this.#textArena = textArena
    for (const item of items) this.insert(item)
  }

  /** The number of items of all accounts. */
  get size(): number {
    return this.#entries.length
  }

  /** A number that changes with every write. */
  get version(): number {
    return this.#version
  }

  /**
   * Returns the page of the visible items that match; a promise if the evaluation takes long.
   * @throws BudgetExceeded for an evaluation that takes longer than the options' budget
   */
  find(options: FindOptions, isVisible: VisibilityFilter): Entry[] | Promise<Entry[]> {
    const filter = this.visibilityFilter(isVisible)
    return evaluatePlan(this.plan(options), options, filter, this.#retain)
  }

  /** Returns the filter to apply to each entry, or undefined if every item is visible. */
  visibilityFilter(isVisible: VisibilityFilter): VisibilityFilter | undefined {
    if (this.#ownerIds.size > MAX_OWNERS || !isVisible({ ownerId: undefined })) return isVisible
    for (const ownerId of this.#ownerIds.keys()) if (!isVisible({ ownerId })) return isVisible
    return undefined
  }

  /** Returns the plan for a list. Creates the index that it uses, if there is none yet. */
  plan(options: Pick<FindOptions, 'selector' | 'sort'>): QueryPlan {
    return createPlan(options, this.#entries, this.#indexes)
  }

  /** Returns the entry with this `_id`, if it is visible. */
  findById(id: string, isVisible: VisibilityFilter): Entry | undefined {
    const entry = this.#byId.get(id)
    return entry !== undefined && isVisible(entry) ? entry : undefined
  }

  /** Adds an item at the end. Returns its entry. The `_id` must be unique. */
  insert(item: JsonObject): Entry {
    const ordinal = (this.#entries.at(-1)?.ordinal ?? -1) + 1
    const entry = this.toEntry(item, ordinal)
    this.#writableEntries().push(entry)
    this.#byId.set(idOf(item), entry)
    this.#indexes.add(entry)
    this.#version += 1
    return entry
  }

  /** Replaces the item of an entry. Returns the new entry. */
  replace(former: Entry, item: JsonObject): Entry {
    const entry = this.toEntry(item, former.ordinal)
    this.#writableEntries()[findPosition(this.#entries, former.ordinal)] = entry
    this.#byId.set(idOf(item), entry)
    this.#indexes.remove(former)
    this.#indexes.add(entry)
    this.#version += 1
    return entry
  }

  /** Removes an entry. */
  remove(entry: Entry): void {
    removeOrdered(this.#writableEntries(), entry.ordinal)
    this.#byId.delete(idOf(entry.item))
    this.#indexes.remove(entry)
    this.#version += 1
  }

  /** Returns all entries, to be restored. */
  save(): readonly Entry[] {
    return [...this.#entries]
  }

  /**
   * Restores saved entries.
   * @param _elapsed the time since they were saved, in ms, for items that change with time
   */
  restore(saved: readonly Entry[], _elapsed = 0): void {
    this.#entries = [...saved]
    this.#isShared = false
    this.#byId = new Map(saved.map((entry) => [idOf(entry.item), entry]))
    for (const { ownerId } of saved) if (ownerId !== undefined) this.#internOwnerId(ownerId)
    this.#indexes.clear()
    this.#version += 1
  }

  /** Returns a new entry for an item. */
  protected toEntry(item: JsonObject, ordinal: number): Entry {
    const ownerId = ownerIdOf(item)
    return {
      item,
      ordinal,
      ownerId: ownerId === undefined ? undefined : this.#internOwnerId(ownerId),
      textArena: this.#textArena,
      text: undefined,
      projected: undefined,
    }
  }

  /** Marks the array of entries as shared. Returns false for another array, such as an index's. */
  readonly #retain = (entries: readonly Entry[]): boolean => {
    if (entries !== this.#entries) return false
    this.#isShared = true
    return true
  }

  /** Returns the array of entries, copied first if a running evaluation reads it. */
  #writableEntries(): Entry[] {
    if (this.#isShared) this.#entries = [...this.#entries]
    this.#isShared = false
    return this.#entries
  }

  /** Returns the one string that all entries of an owner share. */
  #internOwnerId(ownerId: string): string {
    const interned = this.#ownerIds.get(ownerId)
    if (interned === undefined) this.#ownerIds.set(ownerId, ownerId)
    return interned ?? ownerId
  }
}

/** The number of owners above which the filter is always applied, and not tried for each owner. */
const MAX_OWNERS = 32

const idOf = (item: JsonObject): string => item._id as string
