import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { SERVER_CORE, pinned } from './pinned.js'
import type { Contender } from './servers.js'

/** What a server has used since it was started: CPU time in µs, memory in bytes. */
export interface Usage {
  readonly cpu: { readonly user: number; readonly system: number }
  readonly memory: { readonly rss: number; readonly heapUsed: number; readonly external: number }
}

/** A server that runs. */
export interface Running {
  readonly contender: Contender
  readonly origin: string
  /** Milliseconds from its start to its first 200. */
  readonly startTime: number
  /** Asks it what it has used; where it was started with `--expose-gc`, after a collection. */
  readonly usage: () => Promise<Usage>
  readonly stop: () => Promise<void>
}

/**
 * Starts a server on a core of its own and waits until it answers.
 * @throws Error with what it printed, where it ends or is not up within five minutes
 */
export async function start(contender: Contender, flags: readonly string[] = []): Promise<Running> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const argv = ['--require', PROBE, ...flags, ...contender.argv(port)]
  const [command, ...words] = pinned(SERVER_CORE, [process.execPath, ...argv])
  const began = performance.now()
  const child = spawn(command, words, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.on('data', (piece) => (errors += piece))
  while (!(await answers(origin + contender.readyPath, contender.headers))) {
    const late = performance.now() - began > MAX_START
    if (late) child.kill('SIGKILL')
    if (late || child.exitCode !== null)
      throw new Error(`${contender.name} did not start: ${errors}`)
    await sleep(2)
  }
  return {
    contender,
    origin,
    startTime: performance.now() - began,
    usage: () => usageOf(child),
    stop: () => stop(child),
  }
}

const PROBE = fileURLToPath(new URL('probe.cjs', import.meta.url))

/** In ms. */
const MAX_START = 5 * 60 * 1000

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Whether a server answers 200; one that is up but answers something else never will. */
const answers = (url: string, headers: Readonly<Record<string, string>>): Promise<boolean> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { ...headers }, agent: false }, (response) => {
      response.resume()
      const { statusCode } = response
      if (statusCode === 200) response.once('end', () => resolve(true))
      else reject(new Error(`${url} is answered with ${statusCode}, not 200`))
    }).once('error', () => resolve(false))
  })

async function usageOf(child: ChildProcess): Promise<Usage> {
  child.send('usage')
  const [usage] = (await once(child, 'message')) as [Usage]
  return usage
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
