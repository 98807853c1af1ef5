import type { JsonObject } from '@materials-mock/json'
import type { Work } from '@materials-mock/work'
import { createJobTexts, formatJobDirectory } from '../../jobs/job-texts.js'
import type { Clock } from '../clock.js'
import type { Entry } from '../entry.js'
import type { FileStorage, StoredFile } from '../files/file-storage.js'
import { findRun } from './life.js'
import type { TimedCollection } from './timed-collection.js'

export interface JobStorageOptions {
  readonly clock: Clock
  readonly collections: ReadonlyMap<string, TimedCollection>
  readonly files: FileStorage
  /** @param isLoaded whether they are as they were loaded */
  readonly findMaterials: (job: JsonObject, isLoaded: boolean) => readonly JsonObject[]
}

/** The folder of the files of jobs in the storage. No account has such a folder. */
const FOLDER = 'jobs:'

/** Returns the key of a job's file in the storage. The `_id` of a job may have a slash. */
export const toJobFileKey = (jobId: string, name: string): string =>
  `${FOLDER}/${encodeURIComponent(jobId)}/${name}`

/** Returns the name of a workflow's file as a path that a URL can have: without `.`, `..` and lone surrogates. */
const toFileName = (name: string): string =>
  Buffer.from(name)
    .toString()
    .split('/')
    .filter((segment) => !/^\.{0,2}$/.test(segment))
    .join('/')

/** The files of jobs. The output files of a job are made when they are read; other files are uploaded. */
export class JobStorage {
  readonly #options: JobStorageOptions

  constructor(options: JobStorageOptions) {
    this.#options = options
  }

  /**
   * Returns the files of a job by their names. An uploaded file replaces an output file with the same name.
   * @param wanted the name of the only output file that is made (default: all are)
   */
  *list(entry: Entry, wanted?: string): Work<ReadonlyMap<string, StoredFile>> {
    const job = entry.item
    const files = new Map<string, StoredFile>()
    const endedAt = Date.parse(String(job.updatedAt)) || 0
    const jobs = this.#options.collections.get('jobs')
    const life = jobs?.findLife(entry.id)
    const written = (jobs?.find(entry.id) ?? entry).item
    const now = this.#options.clock.now()
    // A job has its materials as they were when it was submitted, and if it ended before, as they were loaded.
    const isEnded = written.status === 'finished' || written.status === 'error'
    const materials =
      life?.kind === 'job' ? life.materials : this.#options.findMaterials(written, isEnded)
    const whole = findRun(written, life)?.whole ?? job
    const isWanted = (name: string): boolean => wanted === undefined || toFileName(name) === wanted
    const run = { job, whole, materials, endedAt, now, isWanted }
    for (const { name: given, text } of yield* createJobTexts(run, formatJobDirectory(job))) {
      const name = toFileName(given)
      if (name === '') continue
      const key = toJobFileKey(entry.id, name)
      files.set(name, {
        key,
        content: Buffer.from(text),
        lastModified: Math.floor((job.status === 'active' ? run.now : endedAt) / 1000),
      })
      yield 'writing the response'
    }
    const prefix = toJobFileKey(entry.id, '')
    for (const file of this.#options.files.list(prefix))
      files.set(file.key.slice(prefix.length), file)
    return files
  }

  *find(key: string): Work<StoredFile | undefined> {
    const [folder, id = '', ...name] = key.split('/')
    const entry = this.#options.collections
      .get('jobs')
      ?.shown.findById(decodeURIComponent(id), () => true)
    if (folder !== FOLDER || entry === undefined) return undefined
    const wanted = name.join('/')
    return this.#options.files.get(key) ?? (yield* this.list(entry, wanted)).get(wanted)
  }

  /** Whether a key has the form of a job's file. The file need not exist. */
  isJobFile(key: string): boolean {
    return key.startsWith(`${FOLDER}/`)
  }
}
