import type { JsonObject } from '../../json/json.js'

/** A saved state of the materials of jobs, to be restored. */
export type SavedJobMaterials = ReadonlyMap<string, readonly JsonObject[]>

/**
 * The materials of each job that has ended, as they were then. The files of the job are rendered from
 * them, so that a later change of a material does not change the files. Items never change: what is
 * held here costs no memory of its own.
 */
export class JobMaterials {
  #byJobId = new Map<string, readonly JsonObject[]>()
  /** Whether a saved state shares the map. If so, a write copies it first. */
  #isShared = false

  /** Returns the materials of a job; undefined if it has not ended on this server. */
  get(jobId: string): readonly JsonObject[] | undefined {
    return this.#byJobId.get(jobId)
  }

  /** Sets the materials of a job. */
  set(jobId: string, materials: readonly JsonObject[]): void {
    if (this.#isShared) this.#byJobId = new Map(this.#byJobId)
    this.#isShared = false
    this.#byJobId.set(jobId, materials)
  }

  /** Returns the current state, to be restored. */
  save(): SavedJobMaterials {
    this.#isShared = true
    return this.#byJobId
  }

  /** Restores a saved state. */
  restore(saved: SavedJobMaterials): void {
    this.#byJobId = saved as Map<string, readonly JsonObject[]>
    this.#isShared = true
  }
}
