import { Cache } from '../query/cache.js'

/** An answer that is kept, and the version of the collection that it was made from. */
interface Answer {
  readonly version: number
  readonly text: string
}

/**
 * The texts of answers to reads, for when the same is asked again: one for each account and URL,
 * good until the collection's next write. Those that were not used for longest go when there are too many
 * bytes. Kept is only what is asked again while there would still have been room for it: what comes
 * back later than that would push out others, and be pushed out before it is of use.
 */
export class Answers {
  readonly #kept: Cache<Answer>
  /** The sizes of answers that were not kept, the last ones, for as many bytes as may be kept. */
  readonly #passed: Cache<number>

  /** @param maxBytes how many bytes all texts may have together; one has at most half of them */
  constructor(maxBytes: number) {
    this.#kept = new Cache(maxBytes, ({ text }, key) => sizeOf(key, text))
    this.#passed = new Cache(maxBytes, (size) => size)
  }

  /** The text that is kept under this key, if it is of this version. */
  get(key: string, version: number): string | undefined {
    const answer = this.#kept.get(key)
    if (answer === undefined || answer.version === version) return answer?.text
    this.#kept.delete(key)
    return undefined
  }

  /** Takes note of an answer: it is kept from the second time on, unless it is too large. */
  set(key: string, version: number, text: string): void {
    if (this.#passed.get(key) === undefined) this.#passed.set(key, sizeOf(key, text))
    else this.#kept.set(key, { version, text })
  }
}

/** At most so many bytes are held for them: V8 takes two for a character beyond Latin-1. */
const sizeOf = (key: string, text: string): number => 2 * (key.length + text.length)
