import { addImpliedResources } from '@materials-mock/api'
import type { JsonObject } from '@materials-mock/json'
import { checkEpoch, checkHeap, isHeapFull } from '@materials-mock/work'
import type { Epoch, Scheduler, Work } from '@materials-mock/work'
import { shiftTimes } from '../jobs/job-lifecycle.js'
import { listMaterialIds } from '../jobs/job-run.js'
import { CredentialsRejected } from '../errors.js'
import { Clock } from './clock.js'
import { createCollectionState } from './collection.js'
import type { Collection, CollectionState } from './collection.js'
import { createEntry, ownerIdOf } from './entry.js'
import type { Entry, ShownEntries, VisibilityFilter } from './entry.js'
import { FileStorage } from './files/file-storage.js'
import { JobClock, findJobId } from './jobs/job-clock.js'
import { JobStorage } from './jobs/job-storage.js'
import type { InitialState, LoadedFixtures } from './loaded-fixtures.js'
import type { Account } from './sign-in/accounts.js'
import { AuthorizationGrants } from './sign-in/authorization-grants.js'
import { Sessions } from './sign-in/sessions.js'
import { Snapshots } from './snapshots.js'
import type { PersistentState, SavedState } from './snapshots.js'
import { isRun, startRun } from './life.js'
import { CollectionWriter, createRelatedItems } from './writes/collection-writer.js'

/**
 * The accounts, sessions, items and snapshots of one server, or of a sandbox of it. It starts with the
 * fixtures as loaded, and shares them until it changes them: a new store takes little memory and time.
 */
export class Store {
  /** Runs the work of all requests in slices. */
  readonly scheduler: Scheduler
  /** The time of items, jobs and sessions. */
  readonly clock: Clock
  readonly sessions: Sessions
  /** The pending device codes and the refresh tokens. */
  readonly grants: AuthorizationGrants
  /** The files that signed URLs give access to. */
  readonly files: FileStorage
  /** The collection of each served resource. */
  readonly collections: ReadonlyMap<string, Collection>
  readonly snapshots: Snapshots
  /** Changes the jobs with time. */
  readonly jobClock: JobClock
  /** The files of jobs. */
  readonly jobStorage: JobStorage
  readonly #fixtures: LoadedFixtures
  /** The state that the last reset has restored. A later reload of another store does not change it. */
  #initial: InitialState
  readonly #collections = new Map<string, Collection>()
  /** Grows when a resource comes or goes, by more than the version of its collection. */
  #resourcesVersion = 0
  #epoch: Epoch = { isOver: false }

  constructor(fixtures: LoadedFixtures, clock = new Clock()) {
    const { scheduler, jobDuration, sessionTtl, state } = fixtures
    this.clock = clock
    this.grants = new AuthorizationGrants(this.clock)
    this.files = new FileStorage(fixtures.fileBytes, this.clock)
    this.#fixtures = fixtures
    this.#initial = state
    this.scheduler = scheduler
    this.sessions = new Sessions(state.accounts, sessionTtl, this.clock)
    this.collections = this.#collections
    const findMaterials = (job: JsonObject, isLoaded = false): readonly JsonObject[] => {
      const isVisible = this.#initial.accounts.visibleToOwner(ownerIdOf(job))
      const materials = this.#collections.get('materials')
      const loaded = isLoaded ? this.#initial.collections.get('materials')?.byId : undefined
      return listMaterialIds(job).flatMap((id) => {
        const entry = loaded?.get(id) ?? materials?.findById(id, isVisible)
        return entry !== undefined && isVisible(entry) ? [entry.item] : []
      })
    }
    this.jobClock = new JobClock({
      clock: this.clock,
      collections: this.collections,
      duration: jobDuration,
      scheduler,
      findMaterials,
      findSchemaVersion: (resource) => fixtures.findSchemaVersion(resource),
    })
    this.#restoreItems(state.collections)
    this.jobStorage = new JobStorage({
      clock: this.clock,
      collections: this.collections,
      files: this.files,
      findMaterials,
    })
    this.snapshots = new Snapshots(this)
  }

  /** The time since all of the state was replaced. */
  get epoch(): Epoch {
    return this.#epoch
  }

  /** Ends the work that has begun: it writes nothing any more. */
  endWork(): void {
    this.#epoch.isOver = true
    this.#epoch = { isOver: false }
  }

  /** The accounts that can log in. */
  get accounts(): readonly Account[] {
    return this.#initial.accounts.list
  }

  /** Returns the account with this username and password. */
  findByPassword(username: string, password: string): Account | undefined {
    return this.#initial.accounts.findByPassword(username, password)
  }

  /** Returns the collection of a served resource. */
  getCollection(resource: string): Collection {
    return this.collections.get(resource) as Collection
  }

  /** Returns the filter for the items that an account sees. An unknown account sees no items. */
  visibleTo(accountId: string): VisibilityFilter {
    return this.#initial.accounts.visibleTo(accountId)
  }

  /**
   * Returns the writer of an account to the collection of a served resource.
   * @throws CredentialsRejected for an unknown account
   */
  writer(resource: string, accountId: string): CollectionWriter {
    const account = this.#initial.accounts.find(accountId)
    if (account === undefined) throw new CredentialsRejected()
    const isVisible = this.visibleTo(accountId)
    const related = createRelatedItems(this.collections, accountId, isVisible)
    return new CollectionWriter(
      this.getCollection(resource),
      {
        account,
        accountIds: this.#initial.accounts.ids,
        related,
        findSchemaVersion: (name) => this.#fixtures.findSchemaVersion(name),
        now: () => this.clock.now(),
        checkHeap: () => this.checkHeap(),
      },
      isVisible,
    )
  }

  /**
   * Checks that the heap has room for new data. If it has none, no removed item can be put back any more,
   * so that a later request finds room.
   * @param needed the bytes of the data, if they may be many
   * @throws BoundExceeded that says how to make room
   */
  checkHeap(needed?: number): void {
    if (isHeapFull()) this.forgetRemoved()
    checkHeap(needed)
  }

  /** Forgets the removed items of all collections, to make room. */
  forgetRemoved(): void {
    for (const collection of this.collections.values()) collection.forgetRemoved()
  }

  /** A number that grows with every change of the items, the resources or the snapshots. */
  get version(): number {
    let version = this.#resourcesVersion + this.snapshots.version
    for (const collection of this.#collections.values()) version += collection.version
    return version
  }

  /** Returns the current items and sessions. */
  save(): SavedState {
    const collections = [...this.collections].map(
      ([name, collection]) => [name, collection.save()] as const,
    )
    return {
      at: this.clock.now(),
      collections: new Map(collections),
      sessions: this.sessions.save(),
    }
  }

  /**
   * Restores a saved state at the end of the work. Jobs and sessions continue as if no time had passed.
   * Resources of the fixtures that the state lacks are as they were loaded.
   * @throws StateReplaced if another state came meanwhile
   */
  *restoreInSlices({ at, collections, sessions }: SavedState): Work<void> {
    const epoch = this.#epoch
    const elapsed = this.clock.now() - at
    const states = yield* this.#postpone(collections, at, elapsed)
    checkEpoch(epoch)
    this.endWork()
    this.#restoreItems(new Map([...this.#initial.collections, ...states]))
    if (sessions !== undefined) this.sessions.restore(sessions, elapsed)
  }

  /**
   * Returns the states with the jobs that were in progress at a time submitted later by some ms. What such a job
   * had left by then is kept; it leaves the rest anew.
   */
  *#postpone(
    states: ReadonlyMap<string, CollectionState>,
    at: number,
    elapsed: number,
  ): Work<ReadonlyMap<string, CollectionState>> {
    const { jobDuration } = this.#fixtures
    const postponed = new Set<unknown>()
    const jobs: Entry[] = []
    for (const entry of elapsed === 0 ? [] : (states.get('jobs')?.entries ?? [])) {
      yield 'restoring the state'
      const { item, ordinal, life } = entry.written ?? entry
      const run = isRun(life) ? life : startRun(item, jobDuration, () => [])
      const isRunning = run !== undefined && run.plan.submittedAt <= at && at < run.plan.endsAt
      if (!isRunning) {
        jobs.push(entry)
        continue
      }
      const later = shiftTimes(item, elapsed)
      const shifted = isRun(life) ? startRun(later, life.duration, () => life.materials) : undefined
      jobs.push(createEntry(later, ordinal, shifted))
      postponed.add(item._id)
    }
    if (postponed.size === 0) return states
    const kept = Array.from(states, ([resource, state]) => {
      const hidden = [...(state.hidden ?? [])].filter(
        ([, entry]) => !postponed.has(findJobId(entry)),
      )
      return [resource, { ...state, hidden: state.hidden && new Map(hidden) }] as const
    })
    return new Map([...kept, ['jobs', createCollectionState(jobs, this.scheduler)]])
  }

  /** The state of each collection that a reset restores. */
  get initial(): ReadonlyMap<string, CollectionState> {
    return this.#fixtures.state.collections
  }

  /** The entries of each collection, as they are shown. The next write may change the arrays. */
  get shown(): ReadonlyMap<string, ShownEntries> {
    return new Map(Array.from(this.#collections, ([name, each]) => [name, each.shown]))
  }

  /** Replaces items and snapshots by the state of a former run. The time since then counts for jobs. */
  resume({ current, initial, snapshots }: PersistentState): void {
    this.#fixtures.replaceStates(initial)
    this.#initial = this.#fixtures.state
    this.#restoreItems(new Map([...this.#initial.collections, ...current]))
    this.snapshots.replaceAll(snapshots)
  }

  /**
   * Lets all happen that is due by the clock: sessions and device codes expire, and jobs make their
   * transitions, in the order of their times.
   */
  async catchUp(): Promise<void> {
    this.sessions.expire()
    this.grants.expire()
    for (let jobs; (jobs = this.jobClock.advance()) !== undefined;) await jobs
  }

  /**
   * Restores the accounts and items as they were loaded, and the clock of the system, ends all sessions,
   * and removes all files. Snapshots remain.
   */
  reset(): void {
    this.endWork()
    this.clock.reset()
    this.#initial = this.#fixtures.state
    this.#restoreItems(this.#initial.collections)
    this.sessions.reset(this.#initial.accounts)
    this.grants.clear()
    this.files.clear()
  }

  /**
   * Returns a new collection for `replaceItems` or `reload`. Fill it item by item: 100,000 items at
   * once would delay requests.
   */
  createReplacement(resource: string): Collection {
    return this.#fixtures.createCollection(resource)
  }

  /**
   * Replaces all items of a resource at once, or adds the resource. A reset restores the items as they were loaded.
   */
  replaceItems(replacement: Collection): void {
    const { resource } = replacement
    if (!this.#collections.has(resource)) this.#serve([...this.#collections.keys(), resource])
    this.getCollection(resource).restore(replacement.save())
  }

  /** Replaces all items of a resource at once, or adds the resource. From then on, a reset restores these items. */
  reload(replacement: Collection): void {
    this.#fixtures.replaceItems(replacement)
    this.#initial = this.#fixtures.state
    this.replaceItems(replacement)
  }

  /** Removes a resource. It remains, without items, if another resource implies it. */
  unload(resource: string): void {
    this.#fixtures.remove(resource)
    this.#initial = this.#fixtures.state
    this.#serve([...this.#collections.keys()].filter((name) => name !== resource))
    const implied = this.#initial.collections.get(resource)
    if (implied !== undefined) this.getCollection(resource).restore(implied)
  }

  /** Replaces all accounts. The sessions of accounts that remain stay open. */
  reloadAccounts(accounts: readonly Account[]): void {
    this.#fixtures.replaceAccounts(accounts)
    this.#initial = this.#fixtures.state
    this.sessions.reload(this.#initial.accounts)
  }

  /** Restores the collections of the states. Other resources are not served any more. */
  #restoreItems(states: ReadonlyMap<string, CollectionState>): void {
    this.#serve(states.keys())
    for (const [name, state] of states) this.getCollection(name).restore(state)
  }

  /** Serves some resources, and those that they imply, and no others. A new one has no items. */
  #serve(names: Iterable<string>): void {
    this.jobClock.onRestore()
    const former = new Map(this.#collections)
    this.#collections.clear() // a Map keeps the order in which it is filled
    for (const name of addImpliedResources(names)) {
      const known = former.get(name)
      if (!former.delete(name)) this.#resourcesVersion += 1
      const collection = known ?? this.#fixtures.createCollection(name)
      collection.observer = this.jobClock
      this.#collections.set(name, collection)
    }
    for (const { version } of former.values()) this.#resourcesVersion += version + 1
  }
}
