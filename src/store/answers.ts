/** An answer that is kept, and the version of the collection that it was made from. */
interface Answer {
  readonly version: number
  readonly text: string
}

/** How many questions that were asked once are remembered. */
const MAX_ASKED_ONCE = 4096

/**
 * The texts of answers to reads, for when the same is asked again: one for each account and URL,
 * good until the collection's next write. Only what is asked twice is kept, and the least recently
 * used goes when there are too many bytes.
 */
export class Answers {
  readonly #maxBytes: number
  readonly #kept = new Map<string, Answer>()
  readonly #askedOnce = new Set<string>()
  #bytes = 0

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
    if (!this.#wasAsked(key) || sizeOf(text) > this.#maxBytes) return
    const former = this.#kept.get(key)
    if (former !== undefined) this.#drop(key, former)
    this.#keep(key, { version, text })
    for (const [oldest, answer] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest, answer)
    }
  }

  /** Whether this was asked before, and lately; from now on it was. */
  #wasAsked(key: string): boolean {
    if (this.#askedOnce.delete(key)) return true
    if (this.#askedOnce.size >= MAX_ASKED_ONCE) this.#askedOnce.clear()
    this.#askedOnce.add(key)
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
