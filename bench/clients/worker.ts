import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { CLIENT_CORE, pinToCore } from '../servers/pin-to-core.js'

/** A process of a client, on the core of the clients. It answers each job with one message. */
export interface Worker<Job, Result> {
  /** Sends a job, and returns the result. One job at a time. */
  readonly send: (job: Job) => Promise<Result>
  readonly stop: () => void
}

/**
 * Starts the process of a client.
 * @param script the URL of its script
 */
export function startWorker<Job extends object, Result>(script: URL): Worker<Job, Result> {
  const file = fileURLToPath(script)
  const [command, ...args] = pinToCore(CLIENT_CORE, [process.execPath, '--import', 'tsx', file])
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the client ${file} exited with code ${code}`)
  })
  exited.catch(() => undefined)
  return {
    send: async (job) => {
      child.send(job)
      const [result] = (await Promise.race([once(child, 'message'), exited])) as [Result]
      return result
    },
    stop: () => child.kill(),
  }
}
