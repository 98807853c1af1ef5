import { addImpliedResources } from '@materials-mock/api'
import type { JsonObject } from '@materials-mock/json'
import { Scheduler } from '@materials-mock/work'
import { Collection } from './collection.js'
import type { CollectionState } from './collection.js'
import type { SharedBytes } from './files/file-storage.js'
import { Accounts } from './sign-in/accounts.js'
import type { Account } from './sign-in/accounts.js'

/** Valid fixtures, from which a store is created. */
export interface Fixtures {
  readonly accounts: readonly Account[]
  readonly resources: ReadonlyMap<string, readonly JsonObject[]>
  /** The name and the content of the file of scenarios, if there is one; not validated. */
  readonly scenarios?: { readonly file: string; readonly items: unknown }
}

export interface StoreOptions {
  /** The time to live of a session, in seconds (default: no end). */
  readonly sessionTtl?: number | undefined
  /** The time that a job is submitted, and then the time that it is active, in ms (default: 0). */
  readonly jobDuration?: number
  /** Whether only what the platform documents is taken (default: false). */
  readonly strict?: boolean
}

/** The state that a reset of a store restores. It never changes: a reload creates another state. */
export interface InitialState {
  readonly accounts: Accounts
  readonly collections: ReadonlyMap<string, CollectionState>
}

/** All stores share entries, indexes and texts, which cost memory once. */
export class LoadedFixtures {
  /** Runs the work of all requests to all stores in slices. */
  readonly scheduler = new Scheduler()
  readonly fileBytes: SharedBytes = { count: 0 }
  /** The times that a job is submitted and active, in ms each. */
  readonly jobDuration: number
  /** The time to live of a session, in seconds; undefined for sessions without end. */
  readonly sessionTtl: number | undefined
  readonly isStrict: boolean
  #state: InitialState

  constructor(
    { accounts, resources }: Fixtures,
    { sessionTtl, jobDuration = 0, strict = false }: StoreOptions = {},
  ) {
    this.jobDuration = jobDuration
    this.sessionTtl = sessionTtl
    this.isStrict = strict
    const states = [...resources].map(
      ([name, items]) => [name, this.createCollection(name, items).save()] as const,
    )
    this.#state = {
      accounts: new Accounts(accounts),
      collections: this.#addImplied(new Map(states)),
    }
  }

  get state(): InitialState {
    return this.#state
  }

  /** Returns the `schemaVersion` of the first item of a resource that has one. */
  findSchemaVersion(resource: string): string | undefined {
    return this.#state.collections.get(resource)?.schemaVersion
  }

  createCollection(resource: string, items: Iterable<JsonObject> = []): Collection {
    return new Collection(resource, items, this.scheduler)
  }

  replaceAccounts(accounts: readonly Account[]): void {
    this.#state = { ...this.#state, accounts: new Accounts(accounts) }
  }

  /** Replaces the items of a resource, or adds a resource. */
  replaceItems(replacement: Collection): void {
    this.replaceStates(new Map([[replacement.resource, replacement.save()]]))
  }

  /** Removes a resource. It remains, without items, if another resource implies it. */
  remove(resource: string): void {
    const collections = new Map(this.#state.collections)
    collections.delete(resource)
    this.#state = { ...this.#state, collections: this.#addImplied(collections) }
  }

  /** Replaces the states of some resources, or adds them. */
  replaceStates(states: ReadonlyMap<string, CollectionState>): void {
    const collections = new Map(this.#state.collections)
    for (const [resource, state] of states) {
      const collection = this.createCollection(resource)
      collection.restore(state)
      collections.set(resource, collection.save())
    }
    this.#state = { ...this.#state, collections: this.#addImplied(collections) }
  }

  /** Returns the states with an empty one of each resource that they imply. */
  #addImplied(states: ReadonlyMap<string, CollectionState>): ReadonlyMap<string, CollectionState> {
    return new Map(
      addImpliedResources(states.keys()).map((name) => [
        name,
        states.get(name) ?? this.createCollection(name).save(),
      ]),
    )
  }
}
