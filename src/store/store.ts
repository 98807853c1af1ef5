import { createJobLifecycle } from '../domain/jobs/job-lifecycle.js'
import { findImpliedResources } from '../domain/implied-resources.js'
import { CredentialsRejected } from '../errors.js'
import type { Account } from '../schemas/account.js'
import { Scheduler } from '../work/scheduler.js'
import { Accounts } from './accounts.js'
import { Collection } from './collection.js'
import type { CollectionState } from './collection-state.js'
import type { Fixtures, ResourceFixtures } from './fixtures.js'
import { JobClock } from './jobs/job-clock.js'
import { JobMaterials } from './jobs/job-materials.js'
import { JobStorage } from './jobs/job-storage.js'
import type { PersistentState, SavedState } from './saved-state.js'
import { Sessions } from './sessions.js'
import { AuthorizationGrants } from './sign-in/authorization-grants.js'
import { Snapshots } from './snapshots.js'
import { TextArena } from './text-arena.js'
import { TimedCollection } from './timed-collection.js'
import { FileStorage } from './files/file-storage.js'
import type { VisibilityFilter } from './visibility.js'
import { CollectionWriter } from './writes/collection-writer.js'
import { createRelatedItems } from './writes/related-items.js'

/** The options of a store. */
export interface StoreOptions {
  /** The time to live of a session, in seconds (default: no end). */
  readonly sessionTtl?: number | undefined
  /** How long a job is submitted, and then how long it is active, in ms (default: 0). */
  readonly jobDuration?: number
}

/** The accounts, sessions, items and snapshots of one server. */
export class Store {
  /** Runs the work of all requests in slices. */
  readonly scheduler = new Scheduler()
  readonly sessions: Sessions
  /** The pending device codes and the refresh tokens. */
  readonly grants = new AuthorizationGrants()
  /** The files, which a signed URL gives access to. */
  readonly files = new FileStorage()
  readonly collections: ReadonlyMap<string, Collection>
  readonly snapshots: Snapshots
  /** Changes the jobs with time. */
  readonly jobClock: JobClock
  /** The files of jobs. */
  readonly jobStorage: JobStorage
  readonly #jobMaterials = new JobMaterials()
  #accounts: Accounts
  /** The state of each collection as it was loaded. */
  readonly #loaded: Map<string, CollectionState>

  constructor(
    { accounts, resources }: Fixtures,
    { sessionTtl, jobDuration = 0 }: StoreOptions = {},
  ) {
    const lifecycle = createJobLifecycle(jobDuration)
    this.#accounts = new Accounts(accounts)
    this.sessions = new Sessions(this.#accounts, sessionTtl)
    this.collections = new Map(
      withImpliedResources(resources).map(([name, { items, textArena }]) =>
        name === 'jobs'
          ? [name, new TimedCollection(name, items, lifecycle, this.scheduler, textArena)]
          : [name, new Collection(name, items, this.scheduler, textArena)],
      ),
    )
    this.jobClock = new JobClock({
      collections: this.collections,
      lifecycle,
      scheduler: this.scheduler,
      jobMaterials: this.#jobMaterials,
      visibleTo: (ownerId) => this.#accounts.visibleToOwner(ownerId),
    })
    this.jobStorage = new JobStorage({
      collections: this.collections,
      files: this.files,
      jobMaterials: this.#jobMaterials,
      findLoaded: (id) => this.#loaded.get('materials')?.byId.get(id)?.item,
    })
    this.#loaded = new Map(this.save().collections)
    this.snapshots = new Snapshots(this)
  }

  /** The accounts that can log in. */
  get accounts(): readonly Account[] {
    return this.#accounts.list
  }

  /** Returns the account with this username and password. */
  findAccount(username: string, password: string): Account | undefined {
    return this.#accounts.findByPassword(username, password)
  }

  /** Returns the collection of a served resource. */
  getCollection(resource: string): Collection {
    return this.collections.get(resource) as Collection
  }

  /** Returns the filter for the items that an account sees: none if there is no such account. */
  visibleTo(accountId: string): VisibilityFilter {
    return this.#accounts.visibleTo(accountId)
  }

  /**
   * Returns the writer of an account to the collection of a served resource.
   * @throws CredentialsRejected if there is no such account
   */
  writer(resource: string, accountId: string): CollectionWriter {
    const account = this.#accounts.find(accountId)
    if (account === undefined) throw new CredentialsRejected()
    const isVisible = this.visibleTo(accountId)
    const related = createRelatedItems(this.collections, accountId, isVisible)
    return new CollectionWriter(
      this.getCollection(resource),
      { account, accountIds: this.#accounts.ids, related },
      isVisible,
    )
  }

  /** Returns the items and sessions as they are now. */
  save(): SavedState {
    const collections = [...this.collections].map(
      ([name, collection]) => [name, collection.save()] as const,
    )
    return {
      at: Date.now(),
      collections: new Map(collections),
      sessions: this.sessions.save(),
      jobMaterials: this.#jobMaterials.save(),
    }
  }

  /** Restores a saved state. Jobs and sessions continue as if no time had passed since. */
  restore({ at, collections, sessions, jobMaterials }: SavedState): void {
    const elapsed = Date.now() - at
    for (const [name, state] of collections) this.collections.get(name)?.restore(state, elapsed)
    if (sessions !== undefined) this.sessions.restore(sessions, elapsed)
    this.#jobMaterials.restore(jobMaterials ?? new Map())
  }

  /** The state of each collection that a reset restores. */
  get initial(): ReadonlyMap<string, CollectionState> {
    return this.#loaded
  }

  /** Replaces items and snapshots by those of a former run. Time has passed since: jobs go on. */
  resume({ current, initial, snapshots }: PersistentState): void {
    for (const [name, state] of current) this.collections.get(name)?.restore(state)
    for (const [name, state] of initial) this.#loaded.set(name, state)
    this.snapshots.replaceAll(snapshots)
  }

  /** Restores the items as they were loaded, ends all sessions, and removes all files. Snapshots remain. */
  reset(): void {
    for (const [name, state] of this.#loaded) this.collections.get(name)?.restore(state)
    this.sessions.reset()
    this.grants.clear()
    this.#jobMaterials.restore(new Map())
    this.files.clear()
  }

  /** Returns a new collection that `replaceItems` accepts once it has its items. */
  createReplacement(resource: string): Collection {
    return new Collection(resource, [], this.scheduler)
  }

  /** Replaces all items of a resource at once. A reset restores the items as they were loaded. */
  replaceItems(replacement: Collection): void {
    this.collections.get(replacement.resource)?.restore(replacement.save())
  }

  /** Replaces all items of a resource. A reset restores these from then on. */
  reload(resource: string, { items, textArena }: ResourceFixtures): void {
    const loaded = new Collection(resource, items, this.scheduler, textArena).save()
    this.#loaded.set(resource, loaded)
    this.collections.get(resource)?.restore(loaded)
  }

  /** Replaces all accounts. The sessions of accounts that remain stay open. */
  reloadAccounts(accounts: readonly Account[]): void {
    this.#accounts = new Accounts(accounts)
    this.sessions.reload(this.#accounts)
  }
}

/** Adds empty resources for those that the fixtures lack although others write to them. */
const withImpliedResources = (
  resources: Fixtures['resources'],
): [name: string, fixtures: ResourceFixtures][] => [
  ...resources,
  ...findImpliedResources([...resources.keys()]).map((name): [string, ResourceFixtures] => [
    name,
    { items: [], textArena: new TextArena() },
  ]),
]
