import type { ServerResponse } from 'node:http'

/** The requests of one server that are held back on purpose, so that none of them outlives it. */
export class HeldBack {
  readonly #waiting = new Map<NodeJS.Timeout, () => void>()
  readonly #hanging = new Set<ServerResponse>()

  /** Goes on after so many ms, or once all are let go. */
  wait(ms: number, goOn: () => void): void {
    const timer = setTimeout(() => {
      this.#waiting.delete(timer)
      goOn()
    }, ms + 1) // a timer may be up to 1 ms early
    this.#waiting.set(timer, goOn)
  }

  /** Never answers. */
  hang(response: ServerResponse): void {
    this.#hanging.add(response)
    response.once('close', () => this.#hanging.delete(response))
  }

  /** Lets all go: what waits goes on at once, and what hangs loses its connection. */
  release(): void {
    for (const [timer, goOn] of this.#waiting) {
      clearTimeout(timer)
      goOn()
    }
    this.#waiting.clear()
    for (const response of this.#hanging) response.destroy()
  }
}
