import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'

import { OptionsInvalid } from '../../errors.js'
import type { Environment } from '../command.js'

/** How a run of the tests has ended. */
export interface TestResult {
  /** The exit code; null for a run that was ended by a signal, or because it took too long. */
  readonly code: number | null
  readonly isTimeout: boolean
  readonly ms: number
  /** The end of what it has written. */
  readonly output: string
}

/** What a run of the tests needs. */
export interface RunOptions {
  readonly environment: Environment
  /** The time that it may take, in ms. */
  readonly limit?: number
  readonly signal: AbortSignal
}

/** The characters of the output that are kept. */
const MAX_OUTPUT = 10_000

/** The time that a run has to end in order, in ms: tests with a browser close it. */
const GRACE = 2000

/**
 * Runs the tests in a process group of their own, and ends what they leave running.
 * @throws OptionsInvalid if there is no such command, and the reason of the signal when it is aborted
 */
export async function runTests(
  [command = '', ...words]: readonly string[],
  { environment, limit, signal }: RunOptions,
): Promise<TestResult> {
  signal.throwIfAborted()
  const isWindows = process.platform === 'win32'
  const start = performance.now()
  const child = spawn(command, words, {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
    shell: isWindows,
  })
  let [output, isTimeout] = ['', false]
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => (output = (output + String(text)).slice(-MAX_OUTPUT)))
  const { pid } = child
  const killAtExit = (): void => void kill(pid, 'SIGKILL')
  process.once('exit', killAtExit)
  let ending: Promise<void> | undefined
  const end = (): void => void (ending ??= endAll(pid))
  const timer =
    limit === undefined
      ? undefined
      : setTimeout(() => {
          isTimeout = true
          end()
        }, limit)
  signal.addEventListener('abort', end, { once: true })
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', ({ message }) =>
        reject(new OptionsInvalid(`give a command that runs the tests; ${message}`)),
      )
      child.once('exit', resolve)
    })
    const ms = Math.round(performance.now() - start)
    await ending
    kill(pid, 'SIGKILL')
    signal.throwIfAborted()
    return { code, isTimeout, ms, output }
  } finally {
    clearTimeout(timer)
    process.off('exit', killAtExit)
    signal.removeEventListener('abort', end)
    for (const stream of [child.stdout, child.stderr]) stream.destroy()
  }
}

/** Ends a run: the group and what has left it, such as the browsers of a test. */
async function endAll(pid: number | undefined): Promise<void> {
  const descendants = await listDescendants(pid)
  const deadline = Date.now() + GRACE
  for (let isAlive = kill(pid, 'SIGTERM'); isAlive && Date.now() < deadline; isAlive = kill(pid, 0))
    await new Promise((resolve) => setTimeout(resolve, 50))
  kill(pid, 'SIGKILL')
  for (const each of descendants) kill(each, 'SIGKILL', '')
}

/** Sends a signal to a process group, or to one process if it has no sign. Returns whether it is there. */
function kill(pid: number | undefined, signal: NodeJS.Signals | 0, sign = '-'): boolean {
  if (pid === undefined) return false
  try {
    return process.kill(sign === '-' && process.platform !== 'win32' ? -pid : pid, signal)
  } catch {
    return false
  }
}

/** Lists the processes that a process has started, and those that they have; none without `ps`. */
async function listDescendants(pid: number | undefined): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']).catch(() => ({
    stdout: '',
  }))
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const found = pid === undefined ? [] : [pid]
  for (const parent of found)
    for (const [child = 0, of] of pairs) if (of === parent && child > 0) found.push(child)
  return found.slice(1)
}
