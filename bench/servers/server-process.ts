import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { SERVER_CORE, pinToCore } from './pin-to-core.js'
import type { ServerCommand } from './server-command.js'
import type { ServerDefinition } from './servers.js'

/** The resources that a server has used since its start: CPU time in µs, memory in bytes. */
export interface Usage {
  readonly cpu: { readonly user: number; readonly system: number }
  readonly memory: { readonly rss: number; readonly heapUsed: number; readonly external: number }
  /** With `MEASURE_TURNS`, the longest turn of the event loop since the last usage, in ms of CPU. */
  readonly longestTurn?: number
}

/** A server that is running. */
export interface RunningServer<Definition extends ServerCommand = ServerDefinition> {
  readonly definition: Definition
  readonly origin: string
  readonly pid: number
  /** In ms, from the start of the process to the first 200. */
  readonly startTime: number
  /** Returns the usage of the server. With `--expose-gc`, it first collects the garbage. */
  readonly getUsage: () => Promise<Usage>
  /** Returns how the process ended, with the end of its output; undefined while it runs. */
  readonly describeExit: () => string | undefined
  /** Returns the end of the output of the process. */
  readonly getOutput: () => string
  /** Ends the process (default: by `SIGKILL`). */
  readonly stop: (signal?: 'SIGKILL' | 'SIGTERM') => Promise<void>
}

/**
 * Starts a server on the core of the servers, and waits for its first 200.
 * @param flags flags of Node
 * @throws Error with the output of the server if it exits, or does not respond within five minutes
 */
export async function startServer<Definition extends ServerCommand>(
  definition: Definition,
  flags: readonly string[] = [],
): Promise<RunningServer<Definition>> {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const nodeArguments = ['--require', PROBE, ...flags, ...definition.createArguments(port)]
  const [command, ...args] = pinToCore(SERVER_CORE, [process.execPath, ...nodeArguments])
  const startedAt = performance.now()
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => (output = `${output}${chunk}`.slice(-MAX_OUTPUT)))
  while (!(await isReady(origin + definition.readyPath, definition.headers))) {
    const isLate = performance.now() - startedAt > MAX_START_TIME
    if (isLate) child.kill('SIGKILL')
    if (isLate || child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${definition.name} did not start: ${output}`)
    await sleep(2)
  }
  return {
    definition,
    origin,
    pid: child.pid as number,
    startTime: performance.now() - startedAt,
    getUsage: () => requestUsage(child),
    describeExit: () => describeExit(child, output),
    getOutput: () => output.trim(),
    stop: (signal = 'SIGKILL') => stop(child, signal),
  }
}

const PROBE = fileURLToPath(new URL('probe.cjs', import.meta.url))

/** Flags of Node that let a server measure the turns of its event loop. */
export const MEASURE_TURNS = ['--require', fileURLToPath(new URL('turns.cjs', import.meta.url))]

/** The end of the output that is kept, in characters. */
const MAX_OUTPUT = 4000

/** In ms. */
const MAX_START_TIME = 5 * 60 * 1000

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Returns whether a server accepts connections yet.
 * @throws Error if it responds with another status than 200
 */
const isReady = (url: string, headers: Readonly<Record<string, string>>): Promise<boolean> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { ...headers }, agent: false }, (response) => {
      response.resume()
      const { statusCode } = response
      if (statusCode === 200) response.once('end', () => resolve(true))
      else reject(new Error(`${url} must be answered with 200, not ${statusCode}`))
    }).once('error', () => resolve(false))
  })

async function requestUsage(child: ChildProcess): Promise<Usage> {
  child.send('usage')
  const [usage] = (await once(child, 'message')) as [Usage]
  return usage
}

function describeExit({ exitCode, signalCode }: ChildProcess, output: string): string | undefined {
  if (exitCode === null && signalCode === null) return undefined
  const reason = signalCode === null ? `with code ${exitCode}` : `by ${signalCode}`
  return [`the server ended ${reason}`, output.trim()].filter(Boolean).join(': ')
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}
