import { SnapshotNotFound } from '../errors.js'
import type { SavedState } from './saved-state.js'

/** What can be told of a snapshot. */
export interface SnapshotSummary {
  readonly name: string
  /** ISO 8601. */
  readonly takenAt: string
  /** How many items each resource had. */
  readonly resources: Readonly<Record<string, number>>
}

/** What snapshots are taken of. */
export interface Saveable {
  save(): SavedState
  restore(state: SavedState): void
}

/** The named snapshots of one store: its items and sessions as they once were. */
export class Snapshots {
  readonly #store: Saveable
  readonly #taken = new Map<string, SavedState>()

  constructor(store: Saveable) {
    this.#store = store
  }

  /** All there are, in the order of their names. */
  list(): SnapshotSummary[] {
    return [...this.#taken.keys()].toSorted().map((name) => this.#summarise(name))
  }

  /** Takes one, in the place of one with the same name. */
  take(name: string): SnapshotSummary {
    this.#taken.set(name, this.#store.save())
    return this.#summarise(name)
  }

  /**
   * Goes back to one; it stays, to go back to again.
   * @throws SnapshotNotFound
   */
  restore(name: string): SnapshotSummary {
    this.#store.restore(this.#get(name))
    return this.#summarise(name)
  }

  /**
   * Forgets one.
   * @throws SnapshotNotFound
   */
  remove(name: string): void {
    this.#get(name)
    this.#taken.delete(name)
  }

  #get(name: string): SavedState {
    const snapshot = this.#taken.get(name)
    if (snapshot === undefined) throw new SnapshotNotFound(name)
    return snapshot
  }

  #summarise(name: string): SnapshotSummary {
    const { at, collections } = this.#get(name)
    const sizes = [...collections].map(([resource, { length }]) => [resource, length])
    return { name, takenAt: new Date(at).toISOString(), resources: Object.fromEntries(sizes) }
  }
}
