import { CredentialsRejected } from '../errors.js'
import type { Account } from '../schemas/account.js'
import { Answers } from './answers.js'
import { accessibleTo } from './access.js'
import type { Accepts } from './access.js'
import { Collection } from './collection.js'
import type { Entry } from './collection.js'
import { Faults } from './faults.js'
import type { Fixtures, ResourceFixtures } from './fixtures.js'
import { Jobs } from './jobs.js'
import { Journal } from './journal.js'
import { Sessions } from './sessions.js'
import type { SavedSessions } from './sessions.js'
import { Snapshots } from './snapshots.js'
import { Writer } from './writer.js'

/** How many bytes the answers that are kept may have together. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** What `Store.save` gives and `Store.restore` takes. */
export interface SavedState {
  /** In ms since the epoch. */
  readonly at: number
  readonly collections: ReadonlyMap<string, readonly Entry[]>
  readonly sessions: SavedSessions
}

/** What a store is made with beyond its fixtures. */
export interface StoreOptions {
  /** How long a session is good for, in seconds (default: for ever). */
  readonly sessionTtl?: number | undefined
  /** How many requests the journal holds; 0 is none (default). */
  readonly journal?: number
  /** How long a submitted job waits, and then how long it is active, in ms (default: 0). */
  readonly jobDuration?: number
}

/** All that one server holds: accounts and their sessions, collections, faults and the journal. */
export class Store {
  readonly sessions: Sessions
  readonly collections: ReadonlyMap<string, Collection>
  /** What was answered to reads, for when the same is asked again. */
  readonly answers = new Answers(MAX_ANSWER_BYTES)
  readonly faults = new Faults()
  readonly journal: Journal
  readonly snapshots = new Snapshots(this)
  #accounts: readonly Account[] = []
  #accepts: ReadonlyMap<string, Accepts> = new Map()
  /** The items as they were loaded, to go back to. */
  readonly #loaded: Map<string, readonly Entry[]>

  constructor(
    { accounts, resources }: Fixtures,
    { sessionTtl, journal = 0, jobDuration = 0 }: StoreOptions = {},
  ) {
    this.sessions = new Sessions(accounts, sessionTtl)
    this.#setAccounts(accounts)
    this.collections = new Map(
      [...resources].map(([name, { items, texts }]: [string, ResourceFixtures]) => [
        name,
        name === 'jobs' ? new Jobs(items, jobDuration, texts) : new Collection(name, items, texts),
      ]),
    )
    this.#loaded = new Map(this.save().collections)
    this.journal = new Journal(journal, this.collections)
  }

  /** Who can log in. */
  get accounts(): readonly Account[] {
    return this.#accounts
  }

  /** The account with this name and password. */
  findAccount(username: string, password: string): Account | undefined {
    return this.accounts.find(
      (account) => account.username === username && account.password === password,
    )
  }

  /** Which items an account of the fixtures sees. */
  accepts(accountId: string): Accepts {
    return this.#accepts.get(accountId) ?? (() => false)
  }

  /** What an account of the fixtures does to a collection. */
  writer(collection: Collection, accountId: string): Writer {
    const account = this.accounts.find(({ _id }) => _id === accountId)
    if (account === undefined) throw new CredentialsRejected()
    const accountIds = new Set(this.accounts.map(({ _id }) => _id))
    return new Writer(collection, { account, accountIds }, this.accepts(accountId))
  }

  /** All items and sessions as they are now, to go back to. */
  save(): SavedState {
    const collections = [...this.collections].map(
      ([name, collection]) => [name, collection.save()] as const,
    )
    return { at: Date.now(), collections: new Map(collections), sessions: this.sessions.save() }
  }

  /** Goes back to what was saved; what goes by the clock goes on from there. */
  restore({ at, collections, sessions }: SavedState): void {
    const elapsed = Date.now() - at
    for (const [name, entries] of collections) this.collections.get(name)?.restore(entries, elapsed)
    this.sessions.restore(sessions, elapsed)
  }

  /** As at the start: the items as loaded, no session, no fault, an empty journal. */
  reset(): void {
    for (const [name, entries] of this.#loaded) this.collections.get(name)?.restore(entries)
    this.sessions.reset()
    this.faults.clear()
    this.journal.clear()
  }

  /** Puts other items in the place of all that a resource has; a reset goes back to these then. */
  reload(resource: string, { items, texts }: ResourceFixtures): void {
    const loaded = new Collection(resource, items, texts).save()
    this.#loaded.set(resource, loaded)
    this.collections.get(resource)?.restore(loaded)
  }

  /** Puts other accounts in the place of all; sessions of those that are still there go on. */
  reloadAccounts(accounts: readonly Account[]): void {
    this.#setAccounts(accounts)
    this.sessions.reload(accounts)
    // Who sees what follows from the accounts, so that what was read before is no longer true.
    for (const collection of this.collections.values()) collection.restore(collection.save())
  }

  #setAccounts(accounts: readonly Account[]): void {
    const ids = new Set(accounts.map(({ _id }) => _id))
    this.#accounts = accounts
    this.#accepts = new Map(accounts.map(({ _id }) => [_id, accessibleTo(_id, ids)]))
  }
}
