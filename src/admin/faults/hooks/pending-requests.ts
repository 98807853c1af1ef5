import type { ServerResponse } from 'node:http'

/** The requests of one server that faults delay or never respond to. */
export class PendingRequests {
  /** What to do after each delay, by its timer. */
  readonly #delayed = new Map<NodeJS.Timeout, () => void>()
  readonly #open = new Set<ServerResponse>()
  #isReleased = false

  /** Whether all requests are released, as the server closes: nothing is delayed any more. */
  get isReleased(): boolean {
    return this.#isReleased
  }

  /** Calls back after `ms` milliseconds, or when all requests are released. */
  delay(ms: number, callback: () => void): void {
    if (this.#isReleased) return callback()
    const timer = setTimeout(() => {
      this.#delayed.delete(timer)
      callback()
    }, ms + 1) // a timer may be up to 1 ms early
    this.#delayed.set(timer, callback)
  }

  /** Leaves a response open without sending anything. */
  leaveOpen(response: ServerResponse): void {
    this.#open.add(response)
    response.once('close', () => this.#open.delete(response))
  }

  /** Ends all delays at once, and destroys the open responses with their connections. */
  releaseAll(): void {
    this.#isReleased = true
    for (const [timer, callback] of this.#delayed) {
      clearTimeout(timer)
      callback()
    }
    this.#delayed.clear()
    for (const response of this.#open) response.destroy()
  }
}
