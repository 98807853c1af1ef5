import TinyQueue from 'tinyqueue'

import { isJsonObject } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { Budget } from '@materials-mock/work'
import type { Scheduler, Work } from '@materials-mock/work'
import { createResults } from '../../jobs/job-results.js'
import type { JobResult } from '../../jobs/job-results.js'
import { listChanges, lookBack, shownAt } from '../../jobs/job-run.js'
import type { JobRun } from '../../jobs/job-run.js'
import type { Clock } from '../clock.js'
import type { Collection, CollectionObserver } from '../collection.js'
import { createEntry, listWritten } from '../entry.js'
import type { Entry } from '../entry.js'
import { isRun, startRun } from '../life.js'
import type { Life } from '../life.js'

/** The parts of a store that the clock reads and writes. */
export interface JobClockOptions {
  readonly clock: Clock
  readonly collections: ReadonlyMap<string, Collection>
  /** The times that a job is submitted and active, in ms each. */
  readonly duration: number
  readonly scheduler: Scheduler
  /** Returns the materials that a job names and its owner sees. */
  readonly findMaterials: (job: JsonObject) => readonly JsonObject[]
  /** Returns the `schemaVersion` of a resource's fixtures, if they have one. */
  readonly findSchemaVersion: (resource: string) => string | undefined
}

/** A written entry that time changes, and how. */
interface Timed {
  readonly collection: Collection
  /** The entry as it was written, or with the note that its results are stored. */
  entry: Entry
  /** Returns what is shown of it at a time; undefined for nothing. */
  readonly shownAt: (now: number) => JsonObject | undefined
}

interface Change {
  /** The time in ms since the epoch. */
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
  #due = new Set<Timed>()
  /** The time that the other entries show, in ms since the epoch. */
  #shownTime = 0
  /** Whether jobs are shown as they were before they were written. */
  #isPast = false
  /** The changes after that time, and those before it: the nearest first. Some are of entries that are gone. */
  #coming = createComing([])
  #past = createPast([])
  /** The number of changes above which those of entries that are gone are removed. */
  #maxChanges = 0

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
    this.#due = new Set()
    this.#coming = createComing([])
    this.#past = createPast([])
  }

  #isDue(): boolean {
    const { clock } = this.#options
    if (clock.isRewound !== this.#isPast) this.onRestore()
    if (this.#written?.length !== 0 || this.#due.size > 0) return true
    const now = clock.now()
    return (this.#coming.peek()?.at ?? Infinity) <= now || (this.#past.peek()?.at ?? now) > now
  }

  *#advance(): Work<void> {
    while (this.#isDue()) {
      const epoch = this.#epoch
      this.#isPast = this.#options.clock.isRewound
      this.#shownTime = this.#options.clock.now()
      for (const step of this.#showChanges()) {
        yield step
        if (epoch !== this.#epoch) break
      }
    }
  }

  *#showChanges(): Work<void> {
    const now = this.#shownTime
    yield* this.#readWritten()
    yield* this.#cross(this.#coming, this.#past, (at) => at <= now)
    yield* this.#cross(this.#past, this.#coming, (at) => at > now)
    for (const timed of this.#due) {
      if (isCurrent(timed)) yield* this.#show(timed)
      this.#due.delete(timed)
      yield 'finishing jobs'
    }
  }

  /** Reads the entries that were written. */
  *#readWritten(): Work<void> {
    const written = (this.#written ??= this.#listAll())
    for (let next; (next = written.at(-1)) !== undefined;) {
      const [collection, entry] = next
      if (isCurrent({ collection, entry })) this.#read(collection, entry)
      written.pop()
      yield 'finishing jobs'
    }
    if (this.#coming.length + this.#past.length <= this.#maxChanges) return
    this.#coming = createComing(this.#coming.data.filter(({ timed }) => isCurrent(timed)))
    this.#past = createPast(this.#past.data.filter(({ timed }) => isCurrent(timed)))
    this.#maxChanges = 2 * (this.#coming.length + this.#past.length) + 1000
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

  /** Shows an entry that time does not change. The changes of another one are to come, and it is due. */
  #read(collection: Collection, written: Entry): void {
    const isJob = collection.resource === 'jobs'
    const entry = isJob ? this.#plan(collection, written) : written
    const { item, life } = entry
    const plan = isRun(life) ? life.plan : undefined
    const run = isJob && this.#isPast ? findRun(entry) : plan
    const from = isJob ? -Infinity : this.#findStart(entry)
    const show = (now: number): JsonObject | undefined =>
      run === undefined ? (now >= from ? item : undefined) : shownAt(item, run, now)
    const changes = run === undefined ? [from] : listChanges(item, run)
    if (changes[0] === -Infinity) return collection.show(entry, item)
    const endedBy = (this.#isPast ? undefined : life?.endedBy) ?? Infinity
    const timed = { collection, entry, shownAt: (at: number) => show(at < endedBy ? at : Infinity) }
    for (const at of changes) this.#coming.push({ at: Math.min(at, endedBy), timed })
    this.#due.add(timed)
  }

  /** Plans the run of a job that was written without one. Returns its entry. */
  #plan(jobs: Collection, entry: Entry): Entry {
    const { item, ordinal, life } = entry
    const { duration, findMaterials } = this.#options
    const run = life ?? startRun(item, duration, () => findMaterials(item))
    if (run === life) return entry
    const planned = createEntry(item, ordinal, run)
    jobs.show(planned, item)
    return planned
  }

  /** Returns the time from which an item is there: the end of the job that has left it, if that is known. */
  #findStart(entry: Entry): number {
    const { life } = entry
    if (life !== undefined && !isRun(life)) return life.from
    const jobId = this.#isPast ? findJobId(entry) : undefined
    const jobs = this.#options.collections.get('jobs')
    const job = jobId === undefined ? undefined : jobs?.findWritten(jobId)
    return (job && findRun(job)?.endsAt) ?? -Infinity
  }

  /** Moves changes that the time has passed. Their entries are due, in the order of the last of these changes. */
  *#cross(from: Changes, to: Changes, isPassed: (at: number) => boolean): Work<void> {
    for (let change; (change = from.peek()) !== undefined && isPassed(change.at);) {
      from.pop()
      to.push(change)
      this.#due.delete(change.timed)
      this.#due.add(change.timed)
      yield 'finishing jobs'
    }
  }

  /** Shows an entry. A job that has reached its end leaves its results. */
  *#show(timed: Timed): Work<void> {
    const { collection, entry } = timed
    const { item, ordinal, life } = entry
    if (isRun(life) && !life.isDone && this.#shownTime >= life.plan.endsAt) {
      const { plan, materials } = life
      const ended = { job: plan.whole, materials, endedAt: plan.endsAt }
      const results = plan.hasResults ? yield* createResults(ended) : []
      if (!isCurrent(timed)) return
      const made = { jobId: String(item._id), from: plan.endsAt }
      for (const result of results) this.#store(result, made)
      timed.entry = createEntry(item, ordinal, { ...life, isDone: true })
    }
    collection.show(timed.entry, timed.shownAt(this.#shownTime))
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
}

type Changes = TinyQueue<Change>

const createPast = (changes: Change[]): Changes =>
  new TinyQueue(changes, (one, other) => other.at - one.at)

/** Of changes at the same time, the one of the first entry comes first. */
const createComing = (changes: Change[]): Changes =>
  new TinyQueue(
    changes,
    (one, other) => one.at - other.at || one.timed.entry.ordinal - other.timed.entry.ordinal,
  )

/** Whether no other entry was written in place of one. */
const isCurrent = ({ collection, entry }: Pick<Timed, 'collection' | 'entry'>): boolean =>
  collection.findWritten(entry.item._id as string) === entry

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
