/** An answer that is kept, and the version of the collection that it was made from. */
interface Answer {
  readonly version: number
  readonly text: string
}

/**
 * The texts of answers to reads, for when the same is asked again: one for each account and URL,
 * good until the collection's next write. The least recently used goes when there are too many bytes.
 * Kept is only what is asked again while there would still have been room for it: what comes back
 * later than that would push out others, and be pushed out before it is of use.
 */
export class Answers {
  readonly #maxBytes: number
  readonly #kept = new Map<string, Answer>()
  /** The sizes of answers that were not kept, the last ones, for as many bytes as may be kept. */
  readonly #passed = new Map<string, number>()
  #bytes = 0
  #passedBytes = 0

  /** @param maxBytes how many bytes all texts may have together */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The text that is kept under this key, if it is of this version. */
  get(key: string, version: number): string | undefined {
    const answer = this.#kept.get(key)
    if (answer === undefined) return undefined
    this.#drop(key, answer)
    if (answer.version !== version) return undefined
    this.#keep(key, answer)
    return answer.text
  }

  /** Takes note of an answer: it is kept from the second time on, unless it is too large. */
  set(key: string, version: number, text: string): void {
    const size = sizeOf(text)
    if (size > this.#maxBytes || !this.#cameBack(key, size)) return
    const former = this.#kept.get(key)
    if (former !== undefined) this.#drop(key, former)
    this.#keep(key, { version, text })
    for (const [oldest, answer] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest, answer)
    }
  }

  /** Whether this was asked before, and lately; else it is noted. */
  #cameBack(key: string, size: number): boolean {
    const former = this.#passed.get(key)
    if (former !== undefined) {
      this.#passed.delete(key)
      this.#passedBytes -= former
      return true
    }
    this.#passed.set(key, size)
    this.#passedBytes += size
    for (const [oldest, bytes] of this.#passed) {
      if (this.#passedBytes <= this.#maxBytes) break
      this.#passed.delete(oldest)
      this.#passedBytes -= bytes
    }
    return false
  }

  #keep(key: string, answer: Answer): void {
    this.#kept.set(key, answer)
    this.#bytes += sizeOf(answer.text)
  }

  #drop(key: string, answer: Answer): void {
    this.#kept.delete(key)
    this.#bytes -= sizeOf(answer.text)
  }
}

/** At most so many bytes are held for a text: V8 takes two for a character beyond Latin-1. */
const sizeOf = (text: string): number => text.length * 2
