/** An answer that is kept, and the version of the collection that it was made from. */
interface Answer {
  readonly version: number
  readonly body: Buffer
}

/**
 * The bodies of answers to reads, for when the same is asked again: one for each account and URL,
 * good until the collection's next write. The least recently used goes when there are too many
 * bytes.
 */
export class Answers {
  readonly #maxBytes: number
  readonly #kept = new Map<string, Answer>()
  #bytes = 0

  /** @param maxBytes how many bytes all bodies may have together */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The body that is kept under this key, if it is of this version. */
  get(key: string, version: number): Buffer | undefined {
    const answer = this.#kept.get(key)
    if (answer === undefined) return undefined
    this.#drop(key, answer)
    if (answer.version !== version) return undefined
    this.#keep(key, answer)
    return answer.body
  }

  /** Keeps a body; one that is too large by itself is not kept. */
  set(key: string, version: number, text: string): void {
    const body = Buffer.from(text)
    if (body.length > this.#maxBytes) return
    const former = this.#kept.get(key)
    if (former !== undefined) this.#drop(key, former)
    this.#keep(key, { version, body })
    for (const [oldest, answer] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest, answer)
    }
  }

  #keep(key: string, answer: Answer): void {
    this.#kept.set(key, answer)
    this.#bytes += answer.body.length
  }

  #drop(key: string, answer: Answer): void {
    this.#kept.delete(key)
    this.#bytes -= answer.body.length
  }
}
