import { createContext, Script } from 'node:vm'

/**
 * Runs synchronous work, and aborts it after a time, even within the match of one regular
 * expression. One call costs about 0.1 ms (measured), so use it only for work that may take long.
 * @throws TimeoutError if the time is over, or if a regular expression overflows the stack; else
 * whatever the work throws
 */
export function runWithTimeout<Result>(work: () => Result, milliseconds: number): Result {
  let result: { readonly value: Result } | undefined
  const { sandbox, script } = (runner ??= createRunner())
  sandbox.work = () => {
    result = { value: work() }
  }
  try {
    script.runInContext(sandbox, { timeout: Math.max(1, Math.ceil(milliseconds)) })
  } catch (error) {
    if (isTimeout(error)) throw new TimeoutError()
    throw error
  } finally {
    sandbox.work = undefined
  }
  return (result as { readonly value: Result }).value
}

/** Work was aborted because it ran out of time or of stack. */
export class TimeoutError extends Error {}

// An error may be of the sandbox's realm or of this one, so `instanceof` does not work.
function isTimeout(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' || message === 'Maximum call stack size exceeded'
}

/** What Node offers a timeout for: a script, which calls the work of its sandbox. */
interface Runner {
  /** It is empty between calls. */
  readonly sandbox: { work?: (() => void) | undefined }
  readonly script: Script
}

/** Created at the first use, as a context takes time of a start. */
let runner: Runner | undefined

const createRunner = (): Runner => ({ sandbox: createContext({}), script: new Script('work()') })
