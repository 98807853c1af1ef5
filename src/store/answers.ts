import { Cache } from '../query/cache.js'

/** An answer that is kept, and the version of the collection that it was made from. */
interface Answer {
  readonly version: number
  readonly text: string
}

/**
 * The texts of answers to reads, for when the same is asked again: one for each account and URL,
 * good until the collection's next write, and kept from the second time on.
 */
export class Answers {
  readonly #kept: Cache<Answer>

  /** @param maxBytes how many bytes all texts may have together; one has at most half of them */
  constructor(maxBytes: number) {
    this.#kept = new Cache(maxBytes, sizeOf)
  }

  /** The text that is kept under this key, if it is of this version. */
  get(key: string, version: number): string | undefined {
    const answer = this.#kept.get(key)
    if (answer === undefined || answer.version === version) return answer?.text
    this.#kept.delete(key)
    return undefined
  }

  /** Takes note of an answer. */
  set(key: string, version: number, text: string): void {
    this.#kept.set(key, { version, text })
  }
}

/** At most so many bytes are held for it: V8 takes two for a character beyond Latin-1. */
const sizeOf = ({ text }: Answer, key: string): number => 2 * (key.length + text.length)
