import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout } from 'node:timers' // a test may replace the global one by a fake
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'

import { searchHere } from '@materials-mock/structures'

/** The time of a search after which it is given up, in ms. The largest one takes 0.3 s. */
const MAX_SEARCH_MS = 10_000

/** The worker thread of a server that searches symmetry, made at its first use. */
export class SymmetryThread {
  readonly #maxMs: number
  #worker: Worker | undefined
  /** The last search. Searches run one after the other, so that each has the time limit for itself. */
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(maxMs = MAX_SEARCH_MS) {
    this.#maxMs = maxMs
  }

  /**
   * Searches the symmetry of a structure that is given as JSON. Without an answer in time, there is none. The next search
   * has another thread then.
   */
  readonly search = async (input: string): Promise<unknown> => {
    const searching = this.#last.then(async () => this.#search(input))
    this.#last = searching
    return searching
  }

  /** Ends the thread. A search that runs finds nothing. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker?.terminate()
  }

  async #search(input: string): Promise<unknown> {
    if (this.#isClosed) return undefined
    const worker = (this.#worker ??= createWorker())
    worker.ref() // who waits for it may have nothing else that keeps the process
    const { result, isEnded } = await askWorker(worker, input, this.#maxMs)
    if (isEnded) {
      this.#worker = undefined
      await worker.terminate()
    } else {
      worker.unref()
    }
    return result
  }
}

/** What a worker has answered, and whether it is of no use any more. */
interface Outcome {
  readonly result: unknown
  readonly isEnded: boolean
}

const askWorker = (worker: Worker, input: string, maxMs: number): Promise<Outcome> =>
  new Promise((resolve) => {
    const end = (outcome: Outcome): void => {
      clearTimeout(timer)
      // Without names it would also remove the listeners of the Worker itself, which then receives nothing more.
      for (const name of ['message', 'exit', 'error']) worker.removeAllListeners(name)
      worker.on('error', () => undefined)
      resolve(outcome)
    }
    const timer = setTimeout(() => end({ result: undefined, isEnded: true }), maxMs)
    worker.once('message', (result) => end({ result, isEnded: false }))
    worker.once('exit', () => end({ result: undefined, isEnded: true }))
    // A system that can't start threads, or has no room for one, searches here.
    worker.once('error', () => end({ result: searchHere(JSON.parse(input)), isEnded: true }))
    worker.postMessage(input)
  })

/** Creates a worker from the file beside the bundle, or from the source, which tsx compiles. */
function createWorker(): Worker {
  const bundled = fileURLToPath(new URL('symmetry-worker.cjs', import.meta.url))
  if (existsSync(bundled)) return new Worker(bundled, { execArgv: [] })
  const source = JSON.stringify(new URL('symmetry-worker.ts', import.meta.url).href)
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx'))
  const api = JSON.stringify(new URL('esm/api/index.mjs', loader).href)
  // With `--import`, tsx compiles nothing in a worker thread.
  const script = `import(${api}).then(({ tsImport }) => tsImport(${source}, ${source}))`
  return new Worker(script, { eval: true, execArgv: [] })
}
