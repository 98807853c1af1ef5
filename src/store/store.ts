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
import type { Entry, VisibilityFilter } from './entry.js'
import { FileStorage } from './files/file-storage.js'
import { JobClock } from './jobs/job-clock.js'
import { JobStorage } from './jobs/job-storage.js'
import { startRun } from './jobs/life.js'
import type { Life, Lives } from './jobs/life.js'
import { TimedCollection } from './jobs/timed-collection.js'
import type { WrittenEntries, WrittenState } from './jobs/timed-collection.js'
import type { InitialState, LoadedFixtures } from './loaded-fixtures.js'
import type { Account } from './sign-in/accounts.js'
import { AuthorizationGrants } from './sign-in/authorization-grants.js'
import { Sessions } from './sign-in/sessions.js'
import { Snapshots } from './snapshots.js'
import type { PersistentState, SavedState } from './snapshots.js'
import { CollectionWriter, createRelatedItems } from './writes/collection-writer.js'

/**
 * Shares the fixtures as loaded until it changes them: a new store takes little memory and time.
 */
export class Store {
  readonly scheduler: Scheduler
  /** The time of items, jobs and sessions. */
  readonly clock: Clock
  readonly sessions: Sessions
  /** The pending device codes and the refresh tokens. */
  readonly grants: AuthorizationGrants
  readonly files: FileStorage
  /** The collection of each served resource, as it is shown at the time of the clock. */
  readonly collections: ReadonlyMap<string, Collection>
  /** The same as they were written, and what time does to them. */
  readonly timed: ReadonlyMap<string, TimedCollection>
  readonly snapshots: Snapshots
  readonly jobClock: JobClock
  readonly jobStorage: JobStorage
  /** Whether only what the platform documents is taken: two headers, and whole items. */
  readonly isStrict: boolean
  readonly #fixtures: LoadedFixtures
  /** The state that the last reset has restored. A later reload of another store does not change it. */
  #initial: InitialState
  readonly #collections = new Map<string, Collection>()
  readonly #timed = new Map<string, TimedCollection>()
  /** Grows when a resource comes or goes, by more than the version of its collection. */
  #resourcesVersion = 0
  #epoch: Epoch = { isOver: false }

  constructor(fixtures: LoadedFixtures, clock = new Clock()) {
    const { scheduler, jobDuration, sessionTtl, state } = fixtures
    this.clock = clock
    this.grants = new AuthorizationGrants(this.clock)
    this.files = new FileStorage(fixtures.fileBytes, this.clock)
    this.#fixtures = fixtures
    this.isStrict = fixtures.isStrict
    this.#initial = state
    this.scheduler = scheduler
    this.sessions = new Sessions(state.accounts, sessionTtl, this.clock)
    this.collections = this.#collections
    this.timed = this.#timed
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
      collections: this.timed,
      duration: jobDuration,
      scheduler,
      findMaterials,
      findSchemaVersion: (resource) => fixtures.findSchemaVersion(resource),
    })
    this.#restoreItems(state.collections)
    this.jobStorage = new JobStorage({
      clock: this.clock,
      collections: this.timed,
      files: this.files,
      findMaterials,
    })
    this.snapshots = new Snapshots(this)
  }

  /** The times that a job is submitted and active, in ms each. */
  get jobDuration(): number {
    return this.#fixtures.jobDuration
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

  get accounts(): readonly Account[] {
    return this.#initial.accounts.list
  }

  findByPassword(username: string, password: string): Account | undefined {
    return this.#initial.accounts.findByPassword(username, password)
  }

  getCollection(resource: string): Collection {
    return this.collections.get(resource)!
  }

  /** Returns the filter for the items that an account sees. An unknown account sees no items. */
  visibleTo(accountId: string): VisibilityFilter {
    return this.#initial.accounts.visibleTo(accountId)
  }

  /** @throws CredentialsRejected for an unknown account */
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
        isStrict: this.isStrict,
        findSchemaVersion: (name) => this.#fixtures.findSchemaVersion(name),
        now: () => this.clock.now(),
        checkHeap: () => this.checkHeap(),
      },
      isVisible,
    )
  }

  /**
   * Without room, no removed item can be put back any more, so that a later request finds some.
   * @param needed the bytes, if they may be many
   * @throws BoundExceeded that says how to make room
   */
  checkHeap(needed?: number): void {
    if (isHeapFull()) this.forgetRemoved()
    checkHeap(needed)
  }

  forgetRemoved(): void {
    for (const collection of this.collections.values()) collection.forgetRemoved()
  }

  /** A number that grows with every change of the items, the resources or the snapshots. */
  get version(): number {
    let version = this.#resourcesVersion + this.snapshots.version
    for (const each of this.#timed.values()) version += each.version
    return version
  }

  save(): SavedState {
    const collections = [...this.timed].map(([name, each]) => [name, each.save()] as const)
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

  /** Submits jobs in progress later by some ms. What they had left is kept; the rest comes anew. */
  *#postpone(
    states: ReadonlyMap<string, WrittenState>,
    at: number,
    elapsed: number,
  ): Work<ReadonlyMap<string, WrittenState>> {
    const { jobDuration } = this.#fixtures
    const { entries = [], lives } = states.get('jobs') ?? {}
    const jobs: Entry[] = []
    const jobLives = new Map(lives)
    const postponed = new Set<string>()
    for (const entry of elapsed === 0 ? [] : entries) {
      yield 'restoring the state'
      const { id, item, ordinal } = entry
      const own = lives?.get(id)
      const life = own?.kind === 'job' ? own : startRun(item, jobDuration, () => [])
      const isRunning = life !== undefined && life.run.submittedAt <= at && at < life.run.endsAt
      if (!isRunning) {
        jobs.push(entry)
        continue
      }
      const later = shiftTimes(item, elapsed)
      const shifted = own && startRun(later, life.duration, () => life.materials)
      if (shifted === undefined) jobLives.delete(id)
      else jobLives.set(id, shifted)
      jobs.push(createEntry(later, ordinal))
      postponed.add(id)
    }
    if (postponed.size === 0) return states
    const isUndone = (life: Life | undefined): boolean =>
      life?.kind === 'result' && life.from > at && postponed.has(life.jobId)
    const kept = new Map<string, WrittenState>()
    for (const [name, state] of states) kept.set(name, yield* this.#without(state, isUndone))
    const postponedJobs = yield* createCollectionState(jobs, this.scheduler)
    return kept.set('jobs', { ...postponedJobs, lives: jobLives })
  }

  /** Returns a state without the items whose lives meet a condition. */
  *#without(
    state: WrittenState,
    isRemoved: (life: Life | undefined) => boolean,
  ): Work<WrittenState> {
    const lives = new Map([...(state.lives ?? [])].filter(([, life]) => !isRemoved(life)))
    if (lives.size === (state.lives?.size ?? 0)) return state
    const entries: Entry[] = []
    for (const entry of state.entries) {
      if (!isRemoved(state.lives?.get(entry.id))) entries.push(entry)
      yield 'restoring the state'
    }
    return { ...(yield* createCollectionState(entries, this.scheduler)), lives }
  }

  /** The state of each collection that a reset restores. */
  get initial(): ReadonlyMap<string, CollectionState> {
    return this.#fixtures.state.collections
  }

  /** The entries of each collection, as they were written. The next write may change them. */
  get written(): ReadonlyMap<string, WrittenEntries> {
    return new Map(Array.from(this.#timed, ([name, each]) => [name, each.written]))
  }

  /** Replaces items and snapshots by the state of a former run. The time since then counts for jobs. */
  resume({ current, initial, snapshots }: PersistentState): void {
    this.#fixtures.replaceStates(initial)
    this.#initial = this.#fixtures.state
    this.#restoreItems(new Map([...this.#initial.collections, ...current]))
    this.snapshots.replaceAll(snapshots)
  }

  /** In the order of time: sessions and device codes expire, and jobs make their transitions. */
  async catchUp(): Promise<void> {
    this.sessions.expire()
    this.grants.expire()
    for (let jobs; (jobs = this.jobClock.advance()) !== undefined;) await jobs
  }

  /** Accounts and items as loaded, the system's clock, no sessions and files. Snapshots remain. */
  reset(): void {
    this.endWork()
    this.clock.reset()
    this.#initial = this.#fixtures.state
    this.#restoreItems(this.#initial.collections)
    this.sessions.reset(this.#initial.accounts)
    this.grants.clear()
    this.files.clear()
  }

  /** Fill it item by item: 100,000 items at once would delay requests. */
  createReplacement(resource: string): Collection {
    return this.#fixtures.createCollection(resource)
  }

  /**
   * At once.
   * @param lives what time does to the items (default: what follows from a job)
   */
  replaceItems(replacement: Collection, lives: Lives = new Map()): void {
    const { resource } = replacement
    if (!this.#collections.has(resource)) this.#serve([...this.#collections.keys(), resource])
    this.#timed.get(resource)?.restore({ ...replacement.save(), lives })
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
    if (implied !== undefined) this.#timed.get(resource)?.restore(implied)
  }

  /** Replaces all accounts. The sessions of accounts that remain stay open. */
  reloadAccounts(accounts: readonly Account[]): void {
    this.#fixtures.replaceAccounts(accounts)
    this.#initial = this.#fixtures.state
    this.sessions.reload(this.#initial.accounts)
  }

  /** Restores the collections of the states. Other resources are not served any more. */
  #restoreItems(states: ReadonlyMap<string, WrittenState>): void {
    this.#serve(states.keys())
    for (const [name, state] of states) this.#timed.get(name)?.restore(state)
  }

  /** Serves some resources, and those that they imply, and no others. A new one has no items. */
  #serve(names: Iterable<string>): void {
    this.jobClock.onRestore()
    const former = new Map(this.#timed)
    this.#timed.clear() // a Map keeps the order in which it is filled
    this.#collections.clear()
    for (const name of addImpliedResources(names)) {
      const known = former.get(name)
      if (!former.delete(name)) this.#resourcesVersion += 1
      const timed =
        known ?? new TimedCollection(this.#fixtures.createCollection(name), this.jobClock)
      this.#timed.set(name, timed)
      this.#collections.set(name, timed.shown)
    }
    for (const { version } of former.values()) this.#resourcesVersion += version + 1
  }
}
