import { Cache } from '../query/cache.js'

/** An answer that is kept, and the version of the collection that it was made from. */
interface Answer {
  readonly version: number
  readonly body: Buffer
}

/**
 * The bodies of answers to reads, for when the same is asked again: one for each account and URL,
 * good until the collection's next write, and kept from the second time on.
 */
export class Answers {
  readonly #kept: Cache<Answer>

  /** @param maxBytes how many bytes all bodies may have together; one has at most half of them */
  constructor(maxBytes: number) {
    this.#kept = new Cache(maxBytes, sizeOf)
  }

  /** The body that is kept under this key, if it is of this version. */
  get(key: string, version: number): Buffer | undefined {
    const answer = this.#kept.get(key)
    if (answer === undefined || answer.version === version) return answer?.body
    this.#kept.delete(key)
    return undefined
  }

  /** Takes note of an answer; of a body that it keeps it makes a copy. */
  set(key: string, version: number, body: Buffer): void {
    this.#kept.set(key, { version, body }, copyOf)
  }
}

/** With memory of its own, which no other answer shares. */
function copyOf({ version, body }: Answer): Answer {
  const copy = Buffer.allocUnsafeSlow(body.length)
  copy.set(body)
  return { version, body: copy }
}

/** So many bytes are held for it. */
const sizeOf = ({ body }: Answer, key: string): number => key.length + body.length
