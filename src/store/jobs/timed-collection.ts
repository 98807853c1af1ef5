import type { JsonObject } from '@materials-mock/json'
import type { Collection, CollectionState } from '../collection.js'
import { createEntry } from '../entry.js'
import type { Entry } from '../entry.js'
import { findJobId, goOn, isUnended } from './life.js'
import type { Life, Lives, WrittenItem } from './life.js'

export interface WrittenEntries {
  /** In natural order. */
  readonly entries: readonly Entry[]
  readonly lives?: Lives | undefined
}

/** The state of a resource. What is shown follows from it. */
export interface WrittenState extends CollectionState, WrittenEntries {}

/** What follows the writes to all resources. */
export interface TimeObserver {
  /** An entry was written, and is shown. */
  readonly onWrite: (resource: TimedCollection, entry: Entry) => void
  /** A job was changed or removed before the end of its run, while its results may be stored. */
  readonly onUndone: (jobId: string) => void
  /** All entries were replaced. */
  readonly onRestore: () => void
}

/**
 * A resource as it was written, with its lives, and as it is shown: one collection as long as time
 * changes nothing. Another life is another entry.
 */
export class TimedCollection {
  /** What requests read and write. */
  readonly shown: Collection
  readonly #observer: TimeObserver
  #written: Collection | undefined
  #lives = new Map<string, Life>()
  /** The `_id`s of the items that are written and not shown. */
  readonly #hidden = new Set<string>()
  /** What was written of entries that were removed, by the entry that was shown. Some are put back. */
  #removed = new WeakMap<Entry, WrittenItem>()
  #version = 0

  constructor(shown: Collection, observer: TimeObserver) {
    this.shown = shown
    this.#observer = observer
    shown.onWrite = (former, entry) => this.#follow(former, entry)
  }

  get resource(): string {
    return this.shown.resource
  }

  /** The items as they were written. A write may change them. */
  get written(): WrittenEntries {
    return { entries: (this.#written ?? this.shown).entries, lives: this.#lives }
  }

  shareWritten(): WrittenEntries {
    const entries = (this.#written ?? this.shown).shareEntries()
    return { entries, lives: new Map(this.#lives) }
  }

  /** A number that grows with every change of what is written or shown. */
  get version(): number {
    return this.#version + this.shown.version
  }

  /** Whether time may change an item. */
  get isTimed(): boolean {
    return this.#written !== undefined
  }

  find(id: string): Entry | undefined {
    return (this.#written ?? this.shown).findById(id, () => true)
  }

  findLife(id: string): Life | undefined {
    return this.#lives.get(id)
  }

  /**
   * Writes an item without showing it.
   * @param ordinal its place (default: behind all others)
   */
  write(item: JsonObject, life: Life | undefined, ordinal = this.shown.takeOrdinal()): Entry {
    const entry = createEntry(item, ordinal)
    this.#put(entry, life)
    return entry
  }

  /** Shows a written entry as an item, or not at all. */
  show(written: Entry, item: JsonObject | undefined): void {
    const former = this.shown.findById(written.id, () => true)
    if (former?.item === item) return
    if (item !== written.item) this.#split()
    if (item === written.item) this.shown.put(written)
    else if (item !== undefined) this.shown.put(createEntry(item, written.ordinal))
    else if (former !== undefined) this.shown.drop(former)
    this.#noteHidden(written.id)
  }

  /** Removes what a job has left, if it is not shown. */
  removeHidden(jobId: string): void {
    for (const id of this.#hidden) {
      const written = this.find(id)
      if (written !== undefined && findJobId(written.item, this.#lives.get(id)) === jobId)
        this.#drop(id)
    }
  }

  save(): WrittenState {
    return { ...(this.#written ?? this.shown).save(), lives: new Map(this.#lives) }
  }

  /** Restores a saved state, and shows it as it was written. */
  restore({ lives, ...state }: WrittenState): void {
    this.shown.restore(state)
    this.#lives = new Map(lives)
    this.#hidden.clear()
    this.#removed = new WeakMap()
    this.#written = undefined
    if (this.#lives.size > 0) this.#split()
    this.#version += 1
    this.#observer.onRestore()
  }

  /** Writes what a request has written to the collection that is shown. */
  #follow(former: Entry | undefined, entry: Entry | undefined): void {
    if (this.#written !== undefined) this.#rewrite(former, entry)
    const written = entry && this.find(entry.id)
    if (written !== undefined) this.#observer.onWrite(this, written)
  }

  #rewrite(former: Entry | undefined, entry: Entry | undefined): void {
    const before = former && this.#describe(former)
    if (former !== undefined && before !== undefined) {
      if (isUnended(before)) this.#observer.onUndone(former.id)
      if (entry === undefined) this.#removed.set(former, before)
    }
    if (entry === undefined) {
      if (former !== undefined) this.#drop(former.id)
    } else if (before === undefined) {
      this.#put(entry, undefined)
    } else {
      const { item, life } = goOn(before, entry.item)
      this.#put(item === entry.item ? entry : createEntry(item, entry.ordinal), life)
    }
  }

  #describe(shown: Entry): WrittenItem | undefined {
    const written = this.find(shown.id)
    return written === undefined
      ? this.#removed.get(shown)
      : { item: written.item, shown: shown.item, life: this.#lives.get(shown.id) }
  }

  #put(entry: Entry, life: Life | undefined): void {
    const written = this.#split()
    written.put(entry)
    if (life === undefined) this.#lives.delete(entry.id)
    else this.#lives.set(entry.id, life)
    this.#noteHidden(entry.id)
    this.#version += 1
  }

  #drop(id: string): void {
    const entry = this.find(id)
    if (entry !== undefined) this.#written?.drop(entry)
    this.#lives.delete(id)
    this.#hidden.delete(id)
    this.#version += 1
  }

  #noteHidden(id: string): void {
    if (this.shown.findById(id, () => true) === undefined) this.#hidden.add(id)
    else this.#hidden.delete(id)
  }

  #split(): Collection {
    this.#written ??= this.shown.copy()
    return this.#written
  }
}
