import type { Budget } from '../query/budget.js'
import type { Fields } from '../query/fields.js'
import type { Order } from '../query/order.js'
import type { Selector } from '../query/selector.js'
import type { JsonObject } from '../schemas/json.js'
import { ownerIdOf } from './access.js'
import type { Accepts } from './access.js'
import { Indexes } from './indexes.js'
import { positionOf, removeOrdered } from './natural-order.js'
import { evaluatePlan, makePlan } from './plan.js'
import type { Plan } from './plan.js'
import { TextMemory } from './text-memory.js'

/** An item as it is held: never changed; a write puts another entry in its place. */
export interface Entry {
  readonly item: JsonObject
  /** Its place in natural order: less than that of every later one, not always by one. */
  readonly ordinal: number
  /** Its owner's `_id`; one string for all items of an owner, so that asking it reads no item. */
  readonly ownerId: string | undefined
  /** Where its text is held. */
  readonly texts: TextMemory
  /** The item's JSON text in UTF-8, made when it is first sent. */
  text: Buffer | undefined
  /** The text of a part of the item, for the fields that were last asked for. */
  part: { readonly fields: Fields; readonly text: Buffer } | undefined
}

/** What a list asks of a collection. */
export interface Listing {
  readonly selector: Selector
  readonly order: Order | undefined
  readonly skip: number
  readonly limit: number
  /** The time that is left to the request. */
  readonly budget: Budget
}

/** The items of one resource, in natural order: that of the fixtures, then of creation. */
export class Collection {
  readonly resource: string
  #entries: Entry[] = []
  /** Whether someone goes on with this list of entries, so that a write has to leave it. */
  #isHeld = false
  #byId = new Map<string, Entry>()
  readonly #indexes = new Indexes()
  readonly #texts: TextMemory
  /** Of all items that are here, or were. */
  readonly #ownerIds = new Map<string, string>()
  #version = 0

  /** @param items each with a string `_id` of its own, as `store/fixtures.ts` makes sure of */
  constructor(resource: string, items: Iterable<JsonObject>, texts = new TextMemory()) {
    this.resource = resource
    this.#texts = texts
    for (const item of items) this.insert(item)
  }

  /** How many items there are, of all accounts. */
  get size(): number {
    return this.#entries.length
  }

  /** Another number after every write: what was read at one number is true as long as it stays. */
  get version(): number {
    return this.#version
  }

  /**
   * The accessible items that fit, sorted and cut; a promise where the evaluation takes long.
   * @throws BudgetExceeded
   */
  find(listing: Listing, accepts: Accepts): Entry[] | Promise<Entry[]> {
    return evaluatePlan(this.plan(listing), listing, this.filter(accepts), this.#hold)
  }

  /** What has to be asked of each entry: undefined where no item is hidden, of an owner or of none. */
  filter(accepts: Accepts): Accepts | undefined {
    if (this.#ownerIds.size > MAX_OWNERS || !accepts({ ownerId: undefined })) return accepts
    for (const ownerId of this.#ownerIds.keys()) if (!accepts({ ownerId })) return accepts
    return undefined
  }

  /** How a list is evaluated; makes the index that it uses, where it is not there yet. */
  plan(listing: Pick<Listing, 'selector' | 'order'>): Plan {
    return makePlan(listing, this.#entries, this.#indexes)
  }

  /** The item with this `_id`, where it is accessible. */
  findById(id: string, accepts: Accepts): Entry | undefined {
    const entry = this.#byId.get(id)
    return entry !== undefined && accepts(entry) ? entry : undefined
  }

  /** Puts a new item at the end. Its `_id` must be one that no other has. */
  insert(item: JsonObject): Entry {
    const ordinal = (this.#entries.at(-1)?.ordinal ?? -1) + 1
    const entry = this.toEntry(item, ordinal)
    this.#writable().push(entry)
    this.#byId.set(idOf(item), entry)
    this.#indexes.add(entry)
    this.#version += 1
    return entry
  }

  /** Puts another item in the place of one that is held. */
  replace(former: Entry, item: JsonObject): Entry {
    const entry = this.toEntry(item, former.ordinal)
    this.#writable()[positionOf(this.#entries, former.ordinal)] = entry
    this.#byId.set(idOf(item), entry)
    this.#indexes.remove(former)
    this.#indexes.add(entry)
    this.#version += 1
    return entry
  }

  /** Takes one out. */
  remove(entry: Entry): void {
    removeOrdered(this.#writable(), entry.ordinal)
    this.#byId.delete(idOf(entry.item))
    this.#indexes.remove(entry)
    this.#version += 1
  }

  /** All entries as they are now, to go back to. */
  save(): readonly Entry[] {
    return [...this.#entries]
  }

  /**
   * Goes back to what was saved.
   * @param _elapsed how long ago that was, in ms: for items that move on by the clock
   */
  restore(saved: readonly Entry[], _elapsed = 0): void {
    this.#entries = [...saved]
    this.#isHeld = false
    this.#byId = new Map(saved.map((entry) => [idOf(entry.item), entry]))
    for (const { ownerId } of saved) if (ownerId !== undefined) this.#shared(ownerId)
    this.#indexes.clear()
    this.#version += 1
  }

  /** An entry that was not sent yet. */
  protected toEntry(item: JsonObject, ordinal: number): Entry {
    const ownerId = ownerIdOf(item)
    return {
      item,
      ordinal,
      ownerId: ownerId === undefined ? undefined : this.#shared(ownerId),
      texts: this.#texts,
      text: undefined,
      part: undefined,
    }
  }

  readonly #hold = (entries: readonly Entry[]): boolean => {
    if (entries !== this.#entries) return false
    this.#isHeld = true
    return true
  }

  #writable(): Entry[] {
    if (this.#isHeld) this.#entries = [...this.#entries]
    this.#isHeld = false
    return this.#entries
  }

  #shared(ownerId: string): string {
    const known = this.#ownerIds.get(ownerId)
    if (known === undefined) this.#ownerIds.set(ownerId, ownerId)
    return known ?? ownerId
  }
}

/** With more owners than this, to ask of each entry is cheaper than to ask of each owner. */
const MAX_OWNERS = 32

/** The JSON text of an entry's item, made once. */
export const textOf = (entry: Entry): Buffer =>
  (entry.text ??= entry.texts.hold(JSON.stringify(entry.item)))

/** The JSON text of some fields of an entry's item, made anew only for others than the last time. */
export function partTextOf(entry: Entry, fields: Fields): Buffer {
  if (entry.part?.fields !== fields)
    entry.part = { fields, text: Buffer.from(JSON.stringify(fields(entry.item))) }
  return entry.part.text
}

const idOf = (item: JsonObject): string => item._id as string
