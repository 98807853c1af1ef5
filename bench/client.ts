import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { LoadJob, LoadResult } from './load.js'
import { CLIENT_CORE, pinToCore } from './pin-to-core.js'

/** Sends requests from its own process on its own core. */
export interface LoadClient {
  /** @throws Error if a request fails */
  readonly send: (job: LoadJob) => Promise<LoadResult>
  readonly stop: () => void
}

/** Starts the client. */
export function startClient(): LoadClient {
  const script = fileURLToPath(new URL('load.ts', import.meta.url))
  const [command, ...args] = pinToCore(CLIENT_CORE, [process.execPath, '--import', 'tsx', script])
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the client exited with code ${code}`)
  })
  exited.catch(() => undefined)
  return {
    send: async (job) => {
      child.send(job)
      const [result] = (await Promise.race([once(child, 'message'), exited])) as [LoadResult]
      if (result.failures !== '') {
        throw new Error(
          `requests such as ${job.origin}${job.requests[0]?.path} failed: ${result.failures}`,
        )
      }
      return result
    },
    stop: () => child.kill(),
  }
}
