import { createStore, delMany, entries, setMany } from 'idb-keyval'
import type { UseStore } from 'idb-keyval'

import type { Fault } from '@materials-mock/api'
import type { JsonObject } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import type { Sandbox } from '../controls/sandboxes/sandbox.js'
import type { Sandboxes } from '../controls/sandboxes/sandboxes.js'
import type { KeptState } from '../server/compose.js'
import type { ClockSettings } from '../store/clock.js'
import { createCollectionState } from '../store/collection.js'
import { createEntry } from '../store/entry.js'
import { formatLife, parseLife } from '../store/jobs/life.js'
import type { Life } from '../store/jobs/life.js'
import type { TimedCollection, WrittenState } from '../store/jobs/timed-collection.js'
import type { Fixtures } from '../store/loaded-fixtures.js'

/** The items of a resource as they were written, in natural order, with what time does to them. */
type Items = readonly { readonly item: JsonObject; readonly life?: JsonObject }[]

interface Switches {
  readonly clock: ClockSettings
  readonly faults: readonly Fault[]
}

/** What is kept, by the name of the sandbox, which is empty for the main one, a slash, and that of the resource or none. */
type Kept = ReadonlyMap<string, Items | Switches>

declare const indexedDB: {
  /** Older browsers do not list them. */
  databases?(): Promise<readonly { readonly name?: string }[]>
  deleteDatabase(name: string): void
}

/** The time between two checks for changes without a request, such as jobs, in ms. */
const CHECK_MS = 250

/**
 * In a database of the browser, for reloads and the end of all tabs. Neither snapshots nor
 * sessions.
 */
export class KeptItems implements KeptState {
  readonly #database: UseStore
  readonly #kept: Kept
  #sandboxes: Sandboxes | undefined
  #isSaving = false
  /** What is as it was loaded or kept: each part with its version. */
  #versions: Versions = new Map()
  #timer: ReturnType<typeof setInterval> | undefined
  #saving: Promise<void> = Promise.resolve()

  /** Use `KeptItems.open`. */
  private constructor(database: UseStore, kept: Kept) {
    this.#database = database
    this.#kept = kept
  }

  /**
   * Deletes databases of other builds.
   * @throws DOMException where there is none, as in private windows
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
    return this.#kept.size === 0
  }

  addResources(fixtures: Fixtures): Fixtures {
    return fixtures // a reset restores what the site has
  }

  resume(sandboxes: Sandboxes): void {
    this.#sandboxes = sandboxes
    const names = new Set(['', ...Array.from(this.#kept.keys(), (key) => key.replace(/\/.*/, ''))])
    for (const name of names)
      this.#resume(name, name === '' ? sandboxes.main : sandboxes.make(name))
  }

  #resume(name: string, { store }: Sandbox): void {
    const current = new Map<string, WrittenState>()
    for (const [key, kept] of this.#kept) {
      if (!key.startsWith(`${name}/`)) continue
      if (!('clock' in kept)) {
        const all = kept.map(({ item }, index) => createEntry(item, index))
        const lives = new Map<string, Life>()
        for (const { item, life } of kept) {
          const parsed = parseLife(item, life)
          if (parsed !== undefined) lives.set(String(item._id), parsed)
        }
        const state = { ...runToEnd(createCollectionState(all, store.scheduler)), lives }
        current.set(key.slice(name.length + 1), state)
      } else {
        store.clock.settings = kept.clock
      }
    }
    store.resume({ current, initial: store.initial, snapshots: new Map() })
  }

  startSaving(): void {
    for (const { name = '', faults } of this.#listSandboxes()) {
      const kept = this.#kept.get(`${name}/`)
      if (kept === undefined || !('faults' in kept)) continue
      for (const fault of kept.faults) faults.add(fault) // which names routes, so that `resume` is too early
    }
    this.#isSaving = true
    this.#versions = this.#readVersions()
    this.#timer = setInterval(() => void this.flush(), CHECK_MS)
  }

  flush(): Promise<void> | undefined {
    if (!this.#isSaving) return undefined
    const former = this.#versions
    const versions = this.#readVersions()
    const changed = [...versions].filter(([key, part]) => {
      const known = former.get(key)
      return known?.of !== part.of || known.version !== part.version
    })
    const removed = [...former.keys()].filter((name) => !versions.has(name))
    if (changed.length + removed.length === 0) return this.#saving // of the timer, or done
    this.#versions = versions
    const values = changed.map(([key, { of }]): [string, Items | Switches] => [key, read(of)])
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
    this.#isSaving = false
  }

  #listSandboxes(): Sandbox[] {
    const sandboxes = this.#sandboxes
    return sandboxes === undefined
      ? []
      : [sandboxes.main, ...sandboxes.list().map((name) => sandboxes.get(name))]
  }

  #readVersions(): Versions {
    const versions = new Map<string, Version>()
    for (const sandbox of this.#listSandboxes()) {
      const { name = '', store, faults } = sandbox
      versions.set(`${name}/`, { of: sandbox, version: store.clock.version + faults.version })
      for (const [resource, of] of store.timed)
        versions.set(`${name}/${resource}`, { of, version: of.version })
    }
    return versions
  }
}

interface Version {
  readonly of: Sandbox | TimedCollection
  readonly version: number
}

type Versions = ReadonlyMap<string, Version>

function read(part: Sandbox | TimedCollection): Items | Switches {
  if ('faults' in part) return { clock: part.store.clock.settings, faults: part.faults.added }
  const { written } = part
  return written.entries.map(({ id, item }) => {
    const life = written.lives?.get(id)
    return { item, ...(life !== undefined && { life: formatLife(life) }) }
  })
}
