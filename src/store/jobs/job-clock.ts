import { createResults, isResult } from '../../domain/jobs/job-results.js'
import type { JobResult } from '../../domain/jobs/job-results.js'
import { listChanges, listMaterialIds, lookBack, shownAt } from '../../domain/jobs/job-run.js'
import type { JobRun } from '../../domain/jobs/job-run.js'
import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { Budget } from '../../work/budget.js'
import type { Scheduler } from '../../work/scheduler.js'
import type { Work } from '../../work/work.js'
import type { Clock } from '../clock.js'
import type { Collection, CollectionObserver } from '../collection.js'
import { createEntry, listWritten, ownerIdOf } from '../entry.js'
import type { Entry, VisibilityFilter } from '../entry.js'
import { sortPositions } from '../index/index.js'
import { isRun, startRun } from '../life.js'
import type { Life, RunningJob } from '../life.js'

/** The parts of a store that the clock reads and writes. */
export interface JobClockOptions {
  readonly clock: Clock
  readonly collections: ReadonlyMap<string, Collection>
  /** The times that a job is submitted and active, in ms each. */
  readonly duration: number
  readonly scheduler: Scheduler
  /** Returns the filter for the items that the owner of a job sees. */
  readonly visibleTo: (ownerId: string | undefined) => VisibilityFilter
  /** Returns the `schemaVersion` of a resource's fixtures, if they have one. */
  readonly findSchemaVersion: (resource: string) => string | undefined
}

/** A written entry that time changes, and how. */
interface Timed {
  readonly collection: Collection
  readonly entry: Entry
  /** The times of its changes in ms since the epoch, in order. */
  readonly changes: readonly number[]
  /** Returns what is shown of it at a time; undefined for nothing. */
  readonly shownAt: (now: number) => JsonObject | undefined
}

/** A change of a timed entry: the last one that has happened, or the next one. */
interface Change {
  readonly at: number
  readonly timed: Timed
}

/**
 * Shows the items of a store as they are at the time of its clock: jobs, and what jobs have left. What is shown
 * follows from what was written and from the time, so it goes back as it goes on. There is no timer: each request
 * first calls `advance`, which shows what has changed since the last request. The results of a job are stored when
 * the time first reaches its end. The work is sliced, and all requests that arrive meanwhile wait for it.
 */
export class JobClock implements CollectionObserver {
  readonly #options: JobClockOptions
  #running: Promise<void> | undefined
  /** The number of replacements of the state so far. Work that began before one stores nothing after it. */
  #epoch = 0
  /** The entries to read, as they were written; undefined for all entries. */
  #written: (readonly [Collection, Entry])[] | undefined
  /** The entries to show. */
  #due: Timed[] = []
  /** The time that the other entries show, in ms since the epoch. */
  #shownTime = 0
  /** Whether jobs are shown as they were before they were written. */
  #isPast = false
  /** The last change and the next change of each timed entry, by their times. Some are outdated. */
  #changes: Change[] = []
  /** Changes that are not sorted yet. */
  #added: Change[] = []
  /** The number of changes above which the outdated ones are removed. */
  #maxChanges = 0
  /** What is known of each timed entry. Changes that others have are outdated. */
  #timed = new WeakMap<Entry, Timed>()

  constructor(options: JobClockOptions) {
    this.#options = options
  }

  /**
   * Shows all items as they are now. Returns undefined if that is done at once, else a promise, which has the
   * errors of the work. The next call tries again.
   */
  advance(): Promise<void> | undefined {
    if (this.#running !== undefined) return this.#running
    if (!this.#isDue()) return undefined
    try {
      const result = this.#options.scheduler.run(this.#advance(), new Budget(Infinity))
      this.#running = result?.finally(() => (this.#running = undefined))
      return this.#running
    } catch (error) {
      return Promise.reject(error as Error)
    }
  }

  onWrite(collection: Collection, entry: Entry): void {
    const isTimed = entry.life !== undefined || this.#isPast || collection.resource === 'jobs'
    if (isTimed) this.#written?.push([collection, entry])
  }

  onUndone(jobId: string): void {
    for (const collection of this.#options.collections.values())
      collection.removeHidden((entry) => findJobId(entry) === jobId)
  }

  onRestore(): void {
    this.#epoch += 1
    this.#written = undefined
    this.#due = []
    this.#changes = []
    this.#added = []
    this.#timed = new WeakMap()
  }

  #isDue(): boolean {
    const { clock } = this.#options
    if (clock.isRewound !== this.#isPast) this.onRestore()
    if (this.#written?.length !== 0 || this.#due.length > 0) return true
    return this.#find(this.#shownTime) !== this.#find(clock.now())
  }

  *#advance(): Work<void> {
    while (this.#isDue()) {
      const epoch = this.#epoch
      const from = this.#shownTime
      this.#isPast = this.#options.clock.isRewound
      this.#shownTime = this.#options.clock.now()
      this.#cross(from, this.#shownTime)
      yield* this.#read(epoch)
      yield* this.#showDue(epoch)
      yield* this.#sortAdded(epoch)
    }
  }

  /** Makes the entries due that change between two times, whichever is the first. */
  #cross(from: number, to: number): void {
    const start = this.#find(Math.min(from, to))
    const crossed = this.#changes.splice(start, this.#find(Math.max(from, to)) - start)
    for (const { timed } of crossed) if (this.#isRegistered(timed)) this.#due.push(timed)
  }

  /** Reads the written entries, and makes them due. */
  *#read(epoch: number): Work<void> {
    this.#written ??= this.#listAll()
    for (let next; (next = this.#written.at(-1)) !== undefined;) {
      const [collection, entry] = next
      if (collection.findWritten(entry.item._id as string) === entry) {
        const timed = this.#toTimed(collection, entry)
        if (timed === undefined) collection.show(entry, entry.item)
        else this.#due.push(timed)
      }
      this.#written.pop()
      yield 'finishing jobs'
      if (epoch !== this.#epoch) return
    }
  }

  /** Lists all entries that time may change. */
  #listAll(): [Collection, Entry][] {
    return [...this.#options.collections.values()]
      .filter(
        ({ isTimed, resource }) =>
          isTimed || resource === 'jobs' || (this.#isPast && SOURCED_RESOURCES.has(resource)),
      )
      .flatMap((each) => listWritten(each.shown).map((entry): [Collection, Entry] => [each, entry]))
  }

  /** Plans what time does to a written entry; returns undefined for nothing. */
  #toTimed(collection: Collection, written: Entry): Timed | undefined {
    const isJob = collection.resource === 'jobs'
    const entry = isJob ? this.#plan(collection, written) : written
    const { item, life } = entry
    const isFixed = life?.isPast === true && !this.#isPast
    if (isJob) {
      const run = this.#isPast ? findRun(entry) : isRun(life) ? life.plan : undefined
      const changes = run === undefined || isFixed ? [] : listChanges(item, run)
      const show = (now: number): JsonObject | undefined =>
        isFixed ? run?.whole : run && shownAt(item, run, now)
      return run && this.#register({ collection, entry, changes, shownAt: show })
    }
    const from = life === undefined || isRun(life) ? this.#findEnd(entry) : life.from
    if (from === undefined || isFixed) return undefined
    const show = (now: number): JsonObject | undefined => (now >= from ? item : undefined)
    return this.#register({ collection, entry, changes: [from], shownAt: show })
  }

  /** Plans the run of a job that was written without one. Returns its entry. */
  #plan(jobs: Collection, entry: Entry): Entry {
    const { item, ordinal, life } = entry
    const run = life ?? startRun(item, this.#options.duration, () => this.#findMaterials(item))
    if (run === life) return entry
    const planned = createEntry(item, ordinal, run)
    jobs.show(planned, item)
    return planned
  }

  /** Returns the end of the job that has left an item, while jobs are shown as they were. */
  #findEnd(entry: Entry): number | undefined {
    const jobId = this.#isPast ? findJobId(entry) : undefined
    const jobs = this.#options.collections.get('jobs')
    const job = jobId === undefined ? undefined : jobs?.findWritten(jobId)
    return job && findRun(job)?.endsAt
  }

  /** Shows the entries that are due. Jobs end in the order of their ends, and of the list. */
  *#showDue(epoch: number): Work<void> {
    if (epoch !== this.#epoch) return
    const due = this.#due
    const ends = due.map(({ entry: { life, ordinal } }): Json => [
      isRun(life) ? life.plan.endsAt : 0,
      ordinal,
    ])
    const order = yield* sortPositions(ends)
    if (epoch !== this.#epoch) return
    this.#due = Array.from(order.toReversed(), (position) => due[position] as Timed)
    for (let timed; (timed = this.#due.at(-1)) !== undefined; this.#due.pop()) {
      if (this.#isCurrent(timed)) yield* this.#show(timed, epoch)
      yield 'finishing jobs'
      if (epoch !== this.#epoch) return
    }
  }

  /** Shows an entry. A job that has reached its end leaves its results. */
  *#show(timed: Timed, epoch: number): Work<void> {
    const { collection, entry } = timed
    const { item, ordinal, life } = entry
    if (!isRun(life) || life.isDone || this.#shownTime < life.plan.endsAt) {
      collection.show(entry, timed.shownAt(this.#shownTime))
      this.#schedule(timed)
      return
    }
    const results = yield* makeResults(life)
    if (epoch !== this.#epoch || !this.#isCurrent(timed)) return
    const made = { jobId: String(item._id), from: life.plan.endsAt }
    for (const result of results) this.#store(result, made)
    const done = createEntry(item, ordinal, { ...life, isDone: true })
    collection.show(done, life.plan.whole)
    this.#timed.delete(entry)
    this.#schedule({ ...timed, entry: done })
  }

  /** Stores a result. If the job ran before, the result replaces the former result. */
  #store({ resource, item }: JobResult, life: Life): void {
    const collection = this.#options.collections.get(resource)
    const former = collection?.findWritten(item._id as string)
    const schemaVersion = this.#options.findSchemaVersion(resource)
    const stored = schemaVersion === undefined ? item : { ...item, schemaVersion }
    if (collection === undefined) return
    if (former === undefined) {
      collection.insert(stored, life)
    } else {
      const entry = createEntry(stored, former.ordinal, life)
      collection.show(entry, stored)
      this.onWrite(collection, entry)
    }
  }

  /** Returns the materials that a job names and its owner sees. */
  #findMaterials(job: JsonObject): JsonObject[] {
    const { collections, visibleTo } = this.#options
    const isVisible = visibleTo(ownerIdOf(job))
    return listMaterialIds(job).flatMap((id) => {
      const entry = collections.get('materials')?.findById(id, isVisible)
      return entry === undefined ? [] : [entry.item]
    })
  }

  /** Whether an entry is still as it was when it was read. */
  #isCurrent({ collection, entry }: Timed): boolean {
    return collection.findWritten(entry.item._id as string) === entry
  }

  #register(timed: Timed): Timed {
    this.#timed.set(timed.entry, timed)
    return timed
  }

  /** Adds the last change and the next change of an entry; its former ones are outdated. */
  #schedule({ ...timed }: Timed): void {
    this.#register(timed)
    const { changes } = timed
    const next = findFirst(changes, (at) => at > this.#shownTime)
    for (const at of changes.slice(Math.max(0, next - 1), next + 1)) this.#added.push({ at, timed })
  }

  /** Sorts the added changes. */
  *#sortAdded(epoch: number): Work<void> {
    const added = this.#added
    if (epoch !== this.#epoch || added.length === 0) return
    if (added.length <= FEW && this.#changes.length < this.#maxChanges) {
      for (const change of added) this.#changes.splice(this.#find(change.at), 0, change)
    } else {
      const all = [...this.#changes, ...added].filter(({ timed }) => this.#isRegistered(timed))
      const order = yield* sortPositions(all.map(({ at }) => at))
      if (epoch !== this.#epoch) return
      this.#changes = Array.from(order, (position) => all[position] as Change)
      this.#maxChanges = 2 * all.length + 1000
    }
    this.#added = []
  }

  #isRegistered(timed: Timed): boolean {
    return this.#isCurrent(timed) && this.#timed.get(timed.entry) === timed
  }

  /** Returns the position of the first change after a time. */
  #find(time: number): number {
    return findFirst(this.#changes, ({ at }) => at > time)
  }
}

/** The largest number of changes that are inserted one by one. */
const FEW = 1000

/** Returns the position of the first value that meets a condition, as all after it do. */
function findFirst<Value>(values: readonly Value[], isMet: (value: Value) => boolean): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isMet(values[middle] as Value)) high = middle
    else low = middle + 1
  }
  return low
}

/** Returns the run of a job with all that came before it was written; undefined without any record. */
export const findRun = ({ item, life }: Entry): JobRun | undefined =>
  lookBack(item, isRun(life) ? life.plan : undefined)

/** The resources whose items name the job that has made them. */
const SOURCED_RESOURCES: ReadonlySet<string> = new Set([
  'properties',
  'raw-properties',
  'refined-properties',
  'charges',
])

/** Returns the `_id` of the job that has left an item. */
export function findJobId({ item, life }: Entry): string | undefined {
  if (life !== undefined && !isRun(life)) return life.jobId
  const { source = null } = item
  const info = isJsonObject(source) ? source.info : undefined
  return isJsonObject(info) && typeof info.jobId === 'string' ? info.jobId : undefined
}

/** Makes the results of a job, in steps. */
function* makeResults({ plan, materials }: RunningJob): Work<JobResult[]> {
  const results: JobResult[] = []
  if (!plan.hasResults) return results
  for (const result of createResults({ job: plan.whole, materials, endedAt: plan.endsAt })) {
    if (isResult(result)) results.push(result)
    yield result instanceof Promise ? result : 'finishing jobs'
  }
  return results
}
