import { listMaterialIds } from '../../domain/jobs/job-run.js'
import { createJobTexts, formatJobDirectory } from '../../domain/jobs/job-texts.js'
import type { JsonObject } from '../../json/json.js'
import type { Work } from '../../work/work.js'
import type { Clock } from '../clock.js'
import type { Collection } from '../collection.js'
import { ownerIdOf } from '../entry.js'
import type { Entry, VisibilityFilter } from '../entry.js'
import type { FileStorage, StoredFile } from '../files/file-storage.js'
import { isRun } from '../life.js'

/** The parts of a store from which the files of jobs are made. */
export interface JobStorageOptions {
  readonly clock: Clock
  readonly collections: ReadonlyMap<string, Collection>
  readonly files: FileStorage
  /** The time that a job is active, in ms. */
  readonly duration: number
  /** Returns a material of the fixtures as it was loaded. */
  readonly findLoaded: (id: string) => Entry | undefined
  /** Returns the filter for the items that the owner of a job sees. */
  readonly visibleTo: (ownerId: string | undefined) => VisibilityFilter
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
    const { life } = entry.written ?? entry
    const duration = isRun(life) ? life.duration : this.#options.duration
    const now = this.#options.clock.now()
    const isWanted = (name: string): boolean => wanted === undefined || toFileName(name) === wanted
    const run = { job, materials: this.#findMaterials(entry), endedAt, now, duration, isWanted }
    for (const { name: given, text } of yield* createJobTexts(run, formatJobDirectory(job))) {
      const name = toFileName(given)
      if (name === '') continue
      const key = toJobFileKey(String(job._id), name)
      files.set(name, {
        key,
        content: Buffer.from(text),
        lastModified: Math.floor((job.status === 'active' ? run.now : endedAt) / 1000),
      })
      yield 'writing the response'
    }
    const prefix = toJobFileKey(String(job._id), '')
    for (const file of this.#options.files.list(prefix))
      files.set(file.key.slice(prefix.length), file)
    return files
  }

  /** Returns the file with a key of the storage, if it is a file of an existing job. */
  *find(key: string): Work<StoredFile | undefined> {
    const [folder, id = '', ...name] = key.split('/')
    const entry = this.#options.collections
      .get('jobs')
      ?.findById(decodeURIComponent(id), () => true)
    if (folder !== FOLDER || entry === undefined) return undefined
    const wanted = name.join('/')
    return this.#options.files.get(key) ?? (yield* this.list(entry, wanted)).get(wanted)
  }

  /** Whether a key has the form of a job's file. The file need not exist. */
  isJobFile(key: string): boolean {
    return key.startsWith(`${FOLDER}/`)
  }

  /**
   * Returns the materials that a job names and its owner sees: as they were when it was submitted, or as they
   * are before that. A job that ended before it was loaded has them as they were loaded.
   */
  #findMaterials(entry: Entry): readonly JsonObject[] {
    const { collections, findLoaded, visibleTo } = this.#options
    const { item: job, life } = entry.written ?? entry
    if (isRun(life)) return life.materials
    const isEnded = job.status === 'finished' || job.status === 'error'
    const isVisible = visibleTo(ownerIdOf(job))
    return listMaterialIds(job).flatMap((id) => {
      const loaded = isEnded ? findLoaded(id) : undefined
      const found = loaded ?? collections.get('materials')?.findById(id, () => true)
      return found !== undefined && isVisible(found) ? [found.item] : []
    })
  }
}
