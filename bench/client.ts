import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { Job, Load } from './load.js'
import { CLIENT_CORE, pinned } from './pinned.js'

/** Sends requests from a process of its own, on a core of its own. */
export interface LoadClient {
  /** @throws Error where a request fails */
  readonly send: (job: Job) => Promise<Load>
  readonly stop: () => void
}

/** Starts the client. */
export function startClient(): LoadClient {
  const script = fileURLToPath(new URL('load.ts', import.meta.url))
  const [command, ...words] = pinned(CLIENT_CORE, [process.execPath, '--import', 'tsx', script])
  const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the client ended with ${code}`)
  })
  ended.catch(() => undefined)
  return {
    send: async (job) => {
      child.send(job)
      const [load] = (await Promise.race([once(child, 'message'), ended])) as [Load]
      if (load.failures !== '')
        throw new Error(`${job.origin}${job.requests[0]?.path} and the like gave ${load.failures}`)
      return load
    },
    stop: () => child.kill(),
  }
}
