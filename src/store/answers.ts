import { Cache } from '../query/cache.js'

/**
 * The bodies of answers to reads, for when the same is asked again, kept from the second time on.
 * What tells one from another is all that an answer follows from: account, URL, and the version of
 * the collection. So an answer from before a write is not found again, and goes when room is needed.
 */
export class Answers {
  readonly #kept: Cache<Buffer>

  /** @param maxBytes how many bytes all bodies may have together; one has at most half of them */
  constructor(maxBytes: number) {
    this.#kept = new Cache(maxBytes, sizeOf)
  }

  /** The body that is kept under this key. */
  get(key: string): Buffer | undefined {
    return this.#kept.get(key)
  }

  /** Takes note of an answer; of a body that it keeps it makes a copy. */
  set(key: string, body: Buffer): void {
    this.#kept.set(key, body, copyOf)
  }
}

/** With memory of its own, which no other body shares. */
function copyOf(body: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(body.length)
  copy.set(body)
  return copy
}

/** So many bytes are held for it. */
const sizeOf = (body: Buffer, key: string): number => key.length + body.length
