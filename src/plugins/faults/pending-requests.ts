import type { ServerResponse } from 'node:http'

/** The requests of one server that are held back on purpose, so that none of them outlives it. */
export class PendingRequests {
  readonly #delayed = new Map<NodeJS.Timeout, () => void>()
  readonly #open = new Set<ServerResponse>()

  /** Goes on after so many ms, or once all are let go. */
  delay(ms: number, goOn: () => void): void {
    const timer = setTimeout(() => {
      this.#delayed.delete(timer)
      goOn()
    }, ms + 1) // a timer may be up to 1 ms early
    this.#delayed.set(timer, goOn)
  }

  /** Never answers. */
  leaveOpen(response: ServerResponse): void {
    this.#open.add(response)
    response.once('close', () => this.#open.delete(response))
  }

  /** Lets all go: what waits goes on at once, and what hangs loses its connection. */
  releaseAll(): void {
    for (const [timer, goOn] of this.#delayed) {
      clearTimeout(timer)
      goOn()
    }
    this.#delayed.clear()
    for (const response of this.#open) response.destroy()
  }
}
