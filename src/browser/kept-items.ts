import { createStore, delMany, entries, setMany } from 'idb-keyval'
import type { UseStore } from 'idb-keyval'

import type { Fault } from '../admin/faults/fault.js'
import type { Faults } from '../admin/faults/fault-rules.js'
import type { JsonObject } from '../json/json.js'
import type { KeptState } from '../server/compose.js'
import type { ClockSettings } from '../store/clock.js'
import { createCollectionState } from '../store/collection.js'
import { createEntry, listWritten } from '../store/entry.js'
import { formatLife, parseLife } from '../store/life.js'
import type { Fixtures } from '../store/loaded-fixtures.js'
import type { Store } from '../store/store.js'

/** The items of a resource as they were written, in natural order, with what time does to them. */
type Items = readonly { readonly item: JsonObject; readonly life?: JsonObject }[]

/** What is kept beside the items, by a name that no resource has. */
interface Switches {
  readonly clock: ClockSettings
  readonly faults: readonly Fault[]
}
const SWITCHES = '.switches'

declare const indexedDB: {
  /** Older browsers do not list them. */
  databases?(): Promise<readonly { readonly name?: string }[]>
  deleteDatabase(name: string): void
}

/** The time between two checks for changes without a request, such as jobs, in ms. */
const CHECK_MS = 250

/**
 * The items, the clock and the faults of a mock, which a database of the browser keeps: a reload and the end of all
 * tabs lose none. Snapshots, sessions and sandboxes are not kept.
 */
export class KeptItems implements KeptState {
  readonly #database: UseStore
  /** The items of the resources that were kept, by their names. */
  readonly #kept: ReadonlyMap<string, Items>
  readonly #switches: Switches | undefined
  #store: Store | undefined
  #faults: Faults | undefined
  /** The versions of what is as it was loaded or kept: of each collection and the switches. */
  #versions = new Map<string, number>()
  #timer: ReturnType<typeof setInterval> | undefined
  #saving: Promise<void> = Promise.resolve()

  /** Use `KeptItems.open`. */
  private constructor(database: UseStore, kept: Map<string, Items | Switches>) {
    this.#database = database
    this.#switches = kept.get(SWITCHES) as Switches | undefined
    kept.delete(SWITCHES)
    this.#kept = kept as Map<string, Items>
  }

  /**
   * Opens the database of a build of a site, or makes it. Those of its other builds are deleted.
   * @throws DOMException where the browser has none, as in some private windows
   */
  static async open(site: string, build: string): Promise<KeptItems> {
    const own = `${site} ${build}`
    for (const { name = '' } of (await indexedDB.databases?.()) ?? [])
      if (name.startsWith(`${site} `) && name !== own) indexedDB.deleteDatabase(name)
    const database = createStore(own, 'items')
    return new KeptItems(database, new Map(await entries<string, Items | Switches>(database)))
  }

  /** Whether nothing was kept yet. */
  get isNew(): boolean {
    return this.#kept.size === 0 && this.#switches === undefined
  }

  addResources(fixtures: Fixtures): Fixtures {
    return fixtures // a reset restores what the site has
  }

  resume(store: Store, faults: Faults): void {
    this.#faults = faults
    const current = [...this.#kept].map(([name, items]) => {
      const kept = items.map(({ item, life }, index) =>
        createEntry(item, index, parseLife(item, life)),
      )
      return [name, createCollectionState(kept, store.scheduler)] as const
    })
    store.resume({ current: new Map(current), initial: store.initial, snapshots: new Map() })
    if (this.#switches !== undefined) store.clock.settings = this.#switches.clock
  }

  startSaving(store: Store): void {
    for (const fault of this.#switches?.faults ?? []) this.#faults?.add(fault) // which names routes
    this.#store = store
    this.#versions = readVersions(store, this.#faults)
    this.#timer = setInterval(() => void this.flush(), CHECK_MS)
  }

  flush(): Promise<void> | undefined {
    const store = this.#store
    if (store === undefined) return undefined
    const former = this.#versions
    const versions = readVersions(store, this.#faults)
    const changed = [...versions.keys()].filter((name) => former.get(name) !== versions.get(name))
    const removed = [...former.keys()].filter((name) => !versions.has(name))
    if (changed.length + removed.length === 0) return this.#saving // of the timer, or done
    this.#versions = versions
    const values = changed.map((name): [string, Items | Switches] => [
      name,
      name === SWITCHES
        ? { clock: store.clock.settings, faults: this.#faults?.added ?? [] }
        : listWritten(store.getCollection(name).shown).map(({ item, life }) => ({
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

const readVersions = ({ collections, clock }: Store, faults?: Faults): Map<string, number> =>
  new Map([
    ...Array.from(collections, ([name, { version }]) => [name, version] as const),
    [SWITCHES, clock.version + (faults?.version ?? 0)],
  ])
