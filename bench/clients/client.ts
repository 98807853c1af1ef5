import type { LoadJob, LoadResult } from './load.js'
import { startWorker } from './worker.js'

/** Sends requests from its own process on its own core. */
export interface LoadClient {
  /** @throws Error if a request fails */
  readonly send: (job: LoadJob) => Promise<LoadResult>
  readonly stop: () => void
}

/** Starts the client. */
export function startClient(): LoadClient {
  const { send, stop } = startWorker<LoadJob, LoadResult>(new URL('load.ts', import.meta.url))
  return {
    send: async (job) => {
      const result = await send(job)
      if (result.failures !== '') {
        throw new Error(
          `requests such as ${job.origin}${job.requests[0]?.path} failed: ${result.failures}`,
        )
      }
      return result
    },
    stop,
  }
}
