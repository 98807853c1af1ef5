import type { Work } from '@materials-mock/work'
import { BoundExceeded, SnapshotNotFound } from '../errors.js'
import type { CollectionState } from './collection.js'
import type { WrittenState } from './jobs/timed-collection.js'
import type { SavedSessions } from './sign-in/sessions.js'

export interface SavedState {
  /** The time at which it was saved, in ms since the epoch. */
  readonly at: number
  readonly collections: ReadonlyMap<string, WrittenState>
  /** Undefined for a state that was read from a folder: tokens are not written to files. */
  readonly sessions: SavedSessions | undefined
}

export interface PersistentState {
  readonly current: ReadonlyMap<string, WrittenState>
  readonly initial: ReadonlyMap<string, CollectionState>
  readonly snapshots: ReadonlyMap<string, SavedState>
}

export interface SnapshotSummary {
  readonly name: string
  /** The time in ISO 8601. */
  readonly takenAt: string
  readonly resources: Readonly<Record<string, number>>
}

export interface Saveable {
  save(): SavedState
  readonly initial: ReadonlyMap<string, CollectionState>
  checkHeap(needed: number): void
  restoreInSlices(state: SavedState): Work<void>
}

/** The largest number of snapshots of one store. Each snapshot keeps the items that have changed since. */
const MAX_SNAPSHOTS = 200

/** The bytes that a snapshot takes for each entry when items have changed: its places in a map and a list. */
const BYTES_PER_ENTRY = 24

export class Snapshots {
  readonly #store: Saveable
  #states = new Map<string, SavedState>()
  #version = 0

  constructor(store: Saveable) {
    this.#store = store
  }

  /** A number that changes whenever a snapshot is taken or removed. */
  get version(): number {
    return this.#version
  }

  get states(): ReadonlyMap<string, SavedState> {
    return this.#states
  }

  replaceAll(states: ReadonlyMap<string, SavedState>): void {
    this.#states = new Map(states)
    this.#version += 1
  }

  list(): SnapshotSummary[] {
    return [...this.#states.keys()].toSorted().map((name) => summarise(name, this.#get(name)))
  }

  /**
   * Replaces one of the same name.
   * @throws BoundExceeded for too many, or without room
   */
  take(name: string): SnapshotSummary {
    if (this.#states.size >= MAX_SNAPSHOTS && !this.#states.has(name))
      throw new BoundExceeded(`there must be at most ${MAX_SNAPSHOTS} snapshots; remove some first`)
    const state = this.#store.save()
    let count = 0
    for (const { entries } of state.collections.values()) count += entries.length
    this.#store.checkHeap(count * BYTES_PER_ENTRY)
    this.#states.set(name, this.#withoutIndexes(state))
    this.#version += 1
    return summarise(name, this.#get(name))
  }

  /** @throws SnapshotNotFound */
  *restoreInSlices(name: string): Work<SnapshotSummary> {
    const state = this.#get(name)
    yield* this.#store.restoreInSlices(this.#withoutIndexes(state))
    return summarise(name, state)
  }

  /** @throws SnapshotNotFound */
  remove(name: string): void {
    this.#get(name)
    this.#states.delete(name)
    this.#version += 1
  }

  /** Returns a state that has no indexes, but those that a reset restores. Nothing else adds any to it. */
  #withoutIndexes(state: SavedState): SavedState {
    const collections = new Map(state.collections)
    for (const [resource, each] of state.collections) {
      if (each.views !== this.#store.initial.get(resource)?.views)
        collections.set(resource, { ...each, views: each.views.withoutIndexes() })
    }
    return { ...state, collections }
  }

  #get(name: string): SavedState {
    const state = this.#states.get(name)
    if (state === undefined) throw new SnapshotNotFound(name)
    return state
  }
}

function summarise(name: string, { at, collections }: SavedState): SnapshotSummary {
  const sizes = [...collections].map(([resource, { entries }]) => [resource, entries.length])
  return { name, takenAt: new Date(at).toISOString(), resources: Object.fromEntries(sizes) }
}
