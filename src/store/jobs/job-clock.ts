import { jobAt, nextChangeAt } from '../../domain/jobs/job-history.js'
import { failJob } from '../../domain/jobs/job-lifecycle.js'
import type { Lifecycle } from '../../domain/jobs/job-lifecycle.js'
import { createResults } from '../../domain/jobs/job-results.js'
import type { JobResult } from '../../domain/jobs/job-results.js'
import { MAX_RUNS, exceedsRuns } from '../../domain/jobs/run-units.js'
import { isJsonObject } from '../../json/json.js'
import type { JsonObject } from '../../json/json.js'
import { Budget } from '../../work/budget.js'
import type { Scheduler } from '../../work/scheduler.js'
import type { Work } from '../../work/work.js'
import type { Clock } from '../clock.js'
import type { Collection } from '../collection.js'
import { ownerIdOf } from '../entry.js'
import type { Entry, RewoundJob, VisibilityFilter } from '../entry.js'
import type { TimedCollection } from '../timed-collection.js'

/** The parts of a store that the clock reads and writes. */
export interface JobClockOptions {
  readonly clock: Clock
  readonly collections: ReadonlyMap<string, Collection>
  readonly lifecycle: Lifecycle
  readonly scheduler: Scheduler
  /** Returns the filter for the items that the owner of a job sees. */
  readonly visibleTo: (ownerId: string | undefined) => VisibilityFilter
  /** Returns the `schemaVersion` of a resource's fixtures, if they have one. */
  readonly findSchemaVersion: (resource: string) => string | undefined
}

/**
 * Applies the due transitions of jobs, and stores the results of jobs that end. There is no timer: each
 * request first calls `advance`, so that it sees the state at its time. The work is sliced, and all
 * requests that arrive meanwhile wait for the same work.
 */
export class JobClock {
  readonly #options: JobClockOptions
  #running: Promise<void> | undefined
  /** Whether the clock was set back since the jobs were last advanced. */
  #isRewind = false

  constructor(options: JobClockOptions) {
    this.#options = options
  }

  get #jobs(): TimedCollection | undefined {
    return this.#options.collections.get('jobs') as TimedCollection | undefined
  }

  /** Applies the due transitions. Returns undefined if that is done at once, else a promise. */
  advance(): Promise<void> | undefined {
    if (this.#running !== undefined) return this.#running
    const jobs = this.#jobs
    const isDue = this.#isRewind || jobs?.isDue(this.#options.clock.now())
    if (jobs === undefined || isDue !== true) return undefined
    const result = this.#options.scheduler.run(this.#advance(jobs), new Budget(Infinity))
    if (!(result instanceof Promise)) return undefined
    this.#running = result.finally(() => (this.#running = undefined))
    return this.#running
  }

  /**
   * Lets the next `advance` show each job as it was at the time of the clock, which was set back. A job
   * follows the clock until it is as it was before; one that is changed meanwhile goes on from there.
   */
  rewind(): void {
    this.#isRewind = this.#jobs !== undefined
  }

  /** The entries to keep of each resource: those of whole jobs, and the results that came later. */
  get kept(): ReadonlyMap<string, { readonly entries: readonly Entry[] }> {
    const { collections } = this.#options
    const rewound = this.#jobs?.entries.flatMap((job) => job.rewound ?? []) ?? []
    if (rewound.length === 0) return collections
    const results = rewound.flatMap((job) => job.results)
    return new Map(
      Array.from(collections, ([name, { entries }]) => {
        const whole = entries.map((entry) => entry.rewound?.whole ?? entry)
        const later = results.filter(({ resource }) => resource === name).map(({ entry }) => entry)
        const kept = [...whole, ...later].toSorted((one, other) => one.ordinal - other.ordinal)
        return [name, { entries: kept }]
      }),
    )
  }

  *#advance(jobs: TimedCollection): Work<void> {
    for (;;) {
      const now = this.#options.clock.now()
      const isRewind = this.#isRewind
      this.#isRewind = false
      const found = isRewind ? [...jobs.entries] : yield* jobs.findDue(now)
      const rewound = found.filter((entry) => entry.rewound !== undefined)
      // First the rewound jobs: one that is whole again may end before the others.
      const due = isRewind || rewound.length === 0 ? found : rewound
      if (due.length === 0) return
      const stored = isRewind ? yield* this.#findResults() : undefined
      for (const entry of due) {
        if (isRewind || entry.rewound !== undefined) yield* this.#follow(jobs, entry, stored)
        else yield* this.#advanceJob(jobs, entry, now)
        yield 'finishing jobs'
      }
    }
  }

  /** Returns the stored results by the `_id` of the job that they name as their source. */
  *#findResults(): Work<ResultsById> {
    const found = new Map<unknown, JobResult[]>()
    for (const resource of SOURCED_RESOURCES) {
      for (const { item } of this.#options.collections.get(resource)?.shareEntries() ?? []) {
        yield 'finishing jobs'
        const { source } = item as Sourced
        const jobId = source?.info?.jobId
        if (jobId === undefined) continue
        const results = found.get(jobId) ?? []
        found.set(jobId, results)
        results.push({ resource, item })
      }
    }
    return found
  }

  /**
   * Shows a job as it was at the time of the clock, until its next change, and whole after its last one.
   * @param stored the results of a job that ended elsewhere: in the fixtures, or in an earlier run
   */
  *#follow(jobs: TimedCollection, shown: Entry, stored?: ResultsById): Work<void> {
    const former = shown.rewound ?? { whole: shown, until: Infinity, results: [] }
    const { item } = former.whole
    const now = this.#options.clock.now()
    const until = nextChangeAt(item, now)
    if (until === former.until) return
    const made = shown === former.whole ? yield* listResults(shown, stored) : []
    if (!isStored(jobs, shown)) return
    const replaced = jobs.replace(shown, until === Infinity ? item : jobAt(item, now))
    if (until === Infinity) {
      for (const { resource, entry } of former.results) this.#putBack(resource, entry)
    } else {
      const taken = made.flatMap((result) => this.#take(result))
      replaced.rewound = { ...former, until, results: [...former.results, ...taken] }
      jobs.schedule(replaced.item, until)
    }
  }

  /** Puts a result back in its place, or stores it anew if too many items were removed since. */
  #putBack(resource: string, { item }: Entry): void {
    const collection = this.#options.collections.get(resource)
    if (collection?.putBack(item._id as string, new Set()) === undefined)
      this.#store({ resource, item })
  }

  /** Removes a result, and returns it if there was one. */
  #take({ resource, item }: JobResult): RewoundJob['results'] {
    const collection = this.#options.collections.get(resource)
    const entry = collection?.findById(item._id as string, () => true)
    if (entry === undefined) return []
    collection?.remove(entry)
    return [{ resource, entry }]
  }

  *#advanceJob(jobs: TimedCollection, entry: Entry, now: number): Work<void> {
    const { lifecycle } = this.#options
    const job = lifecycle.advance(entry.item, now)
    const isEnded = lifecycle.nextTransitionAt(job) === Infinity
    const materials = isEnded ? this.#findMaterials(job) : []
    const { results, final } = isEnded ? yield* runJob(job, materials) : { results: [], final: job }
    if (!isStored(jobs, entry)) return
    for (const result of results) this.#store(result)
    const replaced = jobs.replace(entry, final)
    if (isEnded) replaced.jobMaterials = materials
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

  /** Stores a result. If the job ran before, the result replaces the former result. */
  #store({ resource, item }: JobResult): void {
    const collection = this.#options.collections.get(resource)
    const former = collection?.findById(item._id as string, () => true)
    const schemaVersion = this.#options.findSchemaVersion(resource)
    const stored = schemaVersion === undefined ? item : { ...item, schemaVersion }
    if (former === undefined) collection?.insert(stored)
    else collection?.replace(former, stored)
  }
}

/** Whether an entry is still in its collection. Another request may have changed or deleted the job. */
const isStored = (jobs: TimedCollection, entry: Entry): boolean =>
  jobs.findById(entry.item._id as string, () => true) === entry

/** Returns the results of a job: those that it has left here, or else those that name it. */
function* listResults(
  { item, jobMaterials }: Entry,
  stored?: ResultsById,
): Work<readonly JobResult[]> {
  if (jobMaterials === undefined) return stored?.get(item._id) ?? []
  return (yield* runJob(item, jobMaterials)).results
}

/** The results of jobs by the `_id` of the job. */
type ResultsById = ReadonlyMap<unknown, readonly JobResult[]>

/** The resources whose items name the job that has made them. */
const SOURCED_RESOURCES = ['properties', 'raw-properties', 'refined-properties', 'charges']

/** The part of an item that may name the job. */
interface Sourced {
  readonly source?: { readonly info?: { readonly jobId?: unknown } | null } | null
}

/** The largest number of materials of one job. A result names all of them, and some results have data of each. */
const MAX_MATERIALS = 100

/** The largest number of results of one job, without its charge. All results are stored at once. */
const MAX_RESULTS = 1000

/**
 * Returns the results of a job. The job fails if no results can be computed for a structure, or if
 * there are too many runs of units, materials or results.
 */
function* runJob(
  job: JsonObject,
  materials: readonly JsonObject[],
): Work<{ results: JobResult[]; final: JsonObject }> {
  const results: JobResult[] = []
  try {
    if (materials.length > MAX_MATERIALS)
      throw new Error(`a job can run with ${MAX_MATERIALS} materials, not with ${materials.length}`)
    if (job.status === 'finished' && exceedsRuns(job))
      throw new Error(`a job can run ${MAX_RUNS} units; its workflow runs more`)
    const run = { job, materials, endedAt: Date.parse(job.updatedAt as string) }
    for (const result of createResults(run)) {
      if (results.length > MAX_RESULTS)
        throw new Error(`a job can leave ${MAX_RESULTS} results; its workflow asks for more`)
      if (result !== undefined) results.push(result)
      yield 'finishing jobs'
    }
    return { results, final: job }
  } catch (error) {
    return { results: [], final: failJob(job, (error as Error).message) }
  }
}

/** Returns the `_id`s of the materials that a job names, each once. */
export function listMaterialIds({ _material = null, _materials = null }: JsonObject): string[] {
  const references = [...(Array.isArray(_materials) ? _materials : []), _material]
  const ids = references.flatMap((reference) =>
    isJsonObject(reference) && typeof reference._id === 'string' ? [reference._id] : [],
  )
  return [...new Set(ids)]
}
