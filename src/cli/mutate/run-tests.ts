import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'

import { OptionsInvalid } from '../../errors.js'
import type { Environment } from '../command.js'

export interface TestResult {
  /** The exit code; null for a run that was ended by a signal, or because it took too long. */
  readonly code: number | null
  readonly isTimeout: boolean
  readonly ms: number
  /** The end of its output. */
  readonly output: string
}

export interface RunOptions {
  readonly environment: Environment
  /** The time that it may take, in ms. */
  readonly limit?: number
  readonly signal: AbortSignal
}

const MAX_OUTPUT = 10_000

/** The time that a run has to end in order, in ms: tests with a browser close it. */
const GRACE = 2000

const IS_WINDOWS = process.platform === 'win32'

/**
 * In a process group, which it ends.
 * @throws OptionsInvalid without such a command; the signal's reason
 */
export async function runTests(
  [command = '', ...words]: readonly string[],
  { environment, limit, signal }: RunOptions,
): Promise<TestResult> {
  signal.throwIfAborted()
  const start = performance.now()
  const child = spawn(command, words, {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !IS_WINDOWS,
    shell: IS_WINDOWS,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => (output = (output + String(text)).slice(-MAX_OUTPUT)))
  const { pid = 0 } = child
  const killAtExit = (): void => void kill(toGroup(pid), 'SIGKILL')
  process.once('exit', killAtExit)
  const timeout = limit === undefined ? [] : [AbortSignal.timeout(limit)]
  const stop = AbortSignal.any([signal, ...timeout])
  let ending: Promise<void> | undefined
  const end = (): void => void (ending = endAll(pid))
  stop.addEventListener('abort', end)
  try {
    const [code] = await once(child, 'exit').catch(({ message }: Error) => {
      throw new OptionsInvalid(`give a command that runs the tests; ${message}`)
    })
    const ms = Math.round(performance.now() - start)
    await ending
    killAtExit()
    signal.throwIfAborted()
    return { code, isTimeout: timeout.some(({ aborted }) => aborted), ms, output }
  } finally {
    process.off('exit', killAtExit)
    stop.removeEventListener('abort', end)
    for (const stream of [child.stdout, child.stderr]) stream.destroy()
  }
}

/** Ends a run: its group, and processes that have left it, such as the browsers of a test. */
async function endAll(pid: number): Promise<void> {
  const descendants = await listDescendants(pid)
  const group = toGroup(pid)
  const deadline = Date.now() + GRACE
  for (
    let isAlive = kill(group, 'SIGTERM');
    isAlive && Date.now() < deadline;
    isAlive = kill(group, 0)
  )
    await new Promise((resolve) => setTimeout(resolve, 50))
  for (const each of [group, ...descendants]) kill(each, 'SIGKILL')
}

const toGroup = (pid: number): number => (IS_WINDOWS ? pid : -pid)

/** Sends a signal to a process, or to a group. Returns whether it is there; 0 is none, and not the own group. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== 0 && process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Lists the processes that a process has started, and those that they have; none without `ps`. */
async function listDescendants(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']).catch(() => ({
    stdout: '',
  }))
  const pairs = stdout.split('\n').map((line) => line.trim().split(/ +/).map(Number))
  const found = [pid]
  for (const parent of found)
    for (const [child = 0, of] of pairs) if (of === parent && child > 0) found.push(child)
  return found.slice(1)
}
