import TinyQueue from 'tinyqueue'

import { asError } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { Budget } from '@materials-mock/work'
import type { Scheduler, Work } from '@materials-mock/work'
import { createResults } from '../../jobs/job-results.js'
import type { JobResult } from '../../jobs/job-results.js'
import { listChanges, shownAt } from '../../jobs/job-run.js'
import type { Clock } from '../clock.js'
import type { Entry } from '../entry.js'
import { findJobId, findRun, startRun } from './life.js'
import type { TimeObserver, TimedCollection } from './timed-collection.js'

export interface JobClockOptions {
  readonly clock: Clock
  readonly collections: ReadonlyMap<string, TimedCollection>
  /** The times that a job is submitted and active, in ms each. */
  readonly duration: number
  readonly scheduler: Scheduler
  readonly findMaterials: (job: JsonObject) => readonly JsonObject[]
  readonly findSchemaVersion: (resource: string) => string | undefined
}

/** A written entry that time changes, and how. */
interface Timed {
  readonly collection: TimedCollection
  entry: Entry
  readonly shownAt: (now: number) => JsonObject | undefined
}

interface Change {
  /** The time in ms since the epoch. */
  readonly at: number
  readonly timed: Timed
}

/**
 * What is shown follows from what was written and from the time, so it goes back as it goes on.
 * Without a timer: each request first calls `advance`, in slices, and all that arrive meanwhile
 * wait. Results of a job are stored when the time first reaches its end.
 */
export class JobClock implements TimeObserver {
  readonly #options: JobClockOptions
  #running: Promise<void> | undefined
  /** The number of replacements of the state so far. Work that began before one stores nothing after it. */
  #epoch = 0
  /** The entries to read, as they were written; undefined for all entries. */
  #unread: UnreadEntries[] | undefined
  #due = new Set<Timed>()
  /** The time that the other entries show, in ms since the epoch. */
  #shownTime = 0
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
   * Undefined if it is done at once. An error rejects the promise, and the next call tries again.
   */
  advance(): Promise<void> | undefined {
    if (this.#running !== undefined) return this.#running
    if (!this.#isDue()) return undefined
    try {
      const result = this.#options.scheduler.run(this.#advance(), new Budget(Infinity))
      this.#running = result?.finally(() => (this.#running = undefined))
      return this.#running
    } catch (error) {
      return Promise.reject(asError(error))
    }
  }

  onWrite(collection: TimedCollection, entry: Entry): void {
    const isTimed =
      this.#isPast || isJobs(collection) || collection.findLife(entry.id) !== undefined
    if (isTimed) this.#unread?.push({ collection, entries: [entry], next: 0 })
  }

  onUndone(jobId: string): void {
    for (const each of this.#options.collections.values()) each.removeHidden(jobId)
  }

  onRestore(): void {
    this.#epoch += 1
    this.#unread = undefined
    this.#due = new Set()
    this.#coming = createComing([])
    this.#past = createPast([])
  }

  #isDue(): boolean {
    const { clock } = this.#options
    if (clock.isRewound !== this.#isPast) this.onRestore()
    if (this.#unread?.length !== 0 || this.#due.size > 0) return true
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

  *#readWritten(): Work<void> {
    this.#unread ??= this.#listAll()
    const unread = this.#unread
    for (let list = unread.at(-1); list !== undefined; list = unread.at(-1)) {
      const { collection, entries, next } = list
      const entry = entries[next]
      if (entry === undefined) {
        unread.pop()
      } else {
        if (isCurrent({ collection, entry })) this.#read(collection, entry)
        list.next += 1
        yield 'finishing jobs'
      }
    }
    if (this.#coming.length + this.#past.length <= this.#maxChanges) return
    this.#coming = createComing(this.#coming.data.filter(({ timed }) => isCurrent(timed)))
    this.#past = createPast(this.#past.data.filter(({ timed }) => isCurrent(timed)))
    this.#maxChanges = 2 * (this.#coming.length + this.#past.length) + 1000
  }

  #listAll(): UnreadEntries[] {
    const mayChange = (each: TimedCollection): boolean =>
      each.isTimed || isJobs(each) || (this.#isPast && SOURCED_RESOURCES.has(each.resource))
    return [...this.#options.collections.values()]
      .filter(mayChange)
      .map((collection) => ({ collection, entries: collection.shareWritten().entries, next: 0 }))
  }

  /** Shows an entry that time does not change. The changes of another one are to come, and it is due. */
  #read(collection: TimedCollection, written: Entry): void {
    const isJob = isJobs(collection)
    const entry = isJob ? this.#plan(collection, written) : written
    const { item } = entry
    const life = collection.findLife(entry.id)
    const planned = life?.kind === 'job' ? life.run : undefined
    const run = isJob && this.#isPast ? findRun(item, life) : planned
    const from = isJob ? -Infinity : this.#findStart(collection, entry)
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
  #plan(jobs: TimedCollection, entry: Entry): Entry {
    const { id, item, ordinal } = entry
    const { duration, findMaterials } = this.#options
    if (jobs.findLife(id) !== undefined) return entry
    const life = startRun(item, duration, () => findMaterials(item))
    return life === undefined ? entry : jobs.write(item, life, ordinal)
  }

  /** Returns the time from which an item is there: the end of the job that has left it, if that is known. */
  #findStart(collection: TimedCollection, { id, item }: Entry): number {
    const life = collection.findLife(id)
    if (life?.kind === 'result') return life.from
    const jobId = this.#isPast ? findJobId(item, life) : undefined
    const jobs = this.#options.collections.get('jobs')
    const job = jobId === undefined ? undefined : jobs?.find(jobId)
    return (job && findRun(job.item, jobs?.findLife(job.id))?.endsAt) ?? -Infinity
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
    const { id, item, ordinal } = entry
    const life = collection.findLife(id)
    if (life?.kind === 'job' && !life.isDone && this.#shownTime >= life.run.endsAt) {
      const { run, materials } = life
      const ended = { job: run.whole, materials, endedAt: run.endsAt }
      const results = run.hasResults ? yield* createResults(ended) : []
      if (!isCurrent(timed)) return
      for (const result of results) this.#store(result, id, run.endsAt)
      timed.entry = collection.write(item, { ...life, isDone: true }, ordinal)
    }
    collection.show(timed.entry, timed.shownAt(this.#shownTime))
  }

  /** Stores a result. If the job ran before, the result replaces the former result. */
  #store({ resource, item }: JobResult, jobId: string, from: number): void {
    const collection = this.#options.collections.get(resource)
    if (collection === undefined) return
    const schemaVersion = this.#options.findSchemaVersion(resource)
    const stored = schemaVersion === undefined ? item : { ...item, schemaVersion }
    const former = collection.find(String(item._id))
    const entry = collection.write(stored, { kind: 'result', jobId, from }, former?.ordinal)
    collection.show(entry, stored)
    this.onWrite(collection, entry)
  }
}

interface UnreadEntries {
  readonly collection: TimedCollection
  readonly entries: readonly Entry[]
  next: number
}

const isJobs = ({ resource }: TimedCollection): boolean => resource === 'jobs'

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
  collection.find(entry.id) === entry

/** The resources whose items name the job that has made them. */
const SOURCED_RESOURCES: ReadonlySet<string> = new Set([
  'properties',
  'raw-properties',
  'refined-properties',
  'charges',
])
