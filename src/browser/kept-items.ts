import { createStore, delMany, entries, setMany } from 'idb-keyval'
import type { UseStore } from 'idb-keyval'

import type { JsonObject } from '../json/json.js'
import type { KeptState } from '../server/compose.js'
import { createCollectionState } from '../store/collection.js'
import { createEntry, listWritten } from '../store/entry.js'
import { formatLife, parseLife } from '../store/life.js'
import type { Fixtures } from '../store/loaded-fixtures.js'
import type { Store } from '../store/store.js'

/** The items of a resource as they were written, in natural order, with what time does to them. */
type Items = readonly { readonly item: JsonObject; readonly life?: JsonObject }[]

/** The time between two checks for changes without a request, such as jobs, in ms. */
const CHECK_MS = 250

/**
 * The items of a mock, which a database of the browser keeps: a reload and the end of all tabs lose none.
 * Snapshots, sessions, faults and the clock are not kept.
 */
export class KeptItems implements KeptState {
  readonly #database: UseStore
  /** The items of the resources that were kept, by their names. */
  readonly #kept: ReadonlyMap<string, Items>
  #store: Store | undefined
  /** The version of each collection whose items are as they were loaded or kept. */
  #versions = new Map<string, number>()
  #timer: ReturnType<typeof setInterval> | undefined
  #saving: Promise<void> = Promise.resolve()

  /** Use `KeptItems.open`. */
  private constructor(database: UseStore, kept: ReadonlyMap<string, Items>) {
    this.#database = database
    this.#kept = kept
  }

  /**
   * Opens the database with a name, or makes it.
   * @throws DOMException where the browser has none, as in some private windows
   */
  static async open(name: string): Promise<KeptItems> {
    const database = createStore(name, 'items')
    return new KeptItems(database, new Map(await entries<string, Items>(database)))
  }

  /** Whether nothing was kept yet. */
  get isNew(): boolean {
    return this.#kept.size === 0
  }

  addResources(fixtures: Fixtures): Fixtures {
    return fixtures // a reset restores what the site has
  }

  resume(store: Store): void {
    const current = [...this.#kept].map(([name, items]) => {
      const kept = items.map(({ item, life }, index) =>
        createEntry(item, index, parseLife(item, life)),
      )
      return [name, createCollectionState(kept, store.scheduler)] as const
    })
    store.resume({ current: new Map(current), initial: store.initial, snapshots: new Map() })
  }

  startSaving(store: Store): void {
    this.#store = store
    this.#versions = readVersions(store)
    this.#timer = setInterval(() => void this.flush(), CHECK_MS)
  }

  flush(): Promise<void> | undefined {
    const store = this.#store
    if (store === undefined) return undefined
    const former = this.#versions
    const versions = readVersions(store)
    const changed = [...versions.keys()].filter((name) => former.get(name) !== versions.get(name))
    const removed = [...former.keys()].filter((name) => !versions.has(name))
    if (changed.length + removed.length === 0) return this.#saving // of the timer, or done
    this.#versions = versions
    const values = changed.map((name): [string, Items] => [
      name,
      listWritten(store.getCollection(name).shown).map(({ item, life }) => ({
        item,
        ...(life !== undefined && { life: formatLife(life) }),
      })),
    ])
    return (this.#saving = this.#saving
      .then(() => setMany(values, this.#database))
      .then(() => delMany(removed, this.#database))
      .catch((error: Error) => {
        this.#versions = former // the next check tries again
        console.error(`materials-mock can't keep its items in this browser: ${error.message}`)
      }))
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
    this.#store = undefined
  }
}

const readVersions = (store: Store): Map<string, number> =>
  new Map(Array.from(store.collections, ([name, { version }]) => [name, version]))
