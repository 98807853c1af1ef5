import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

import { BoundExceeded } from '../../errors.js'
import { Clock } from '../clock.js'

export const MAX_STORED_BYTES = 128 * 1024 * 1024

/** The largest number of files. An empty file has a name of up to 1,000 characters. */
const MAX_FILES = 10_000

const MAX_SHARED_BYTES = 1024 * 1024 * 1024

export interface SharedBytes {
  count: number
}

/** The operation that a signed URL allows: reading or storing a file. */
export type FileOperation = 'getObject' | 'putObject'

export interface StoredFile {
  /** The path in the storage: `demo/measurements/m1/record.json`. */
  readonly key: string
  readonly content: Buffer
  /** The time in seconds since the epoch. */
  readonly lastModified: number
}

export class FileStorage {
  readonly #shared: SharedBytes
  readonly #clock: Clock
  readonly #files = new Map<string, StoredFile>()
  /** Created with the first signature, so that a start does not load `node:crypto`. */
  #secret: Buffer | undefined
  #bytes = 0
  #isEnded = false

  /** @param shared the counter of all sandboxes */
  constructor(shared: SharedBytes, clock = new Clock()) {
    this.#shared = shared
    this.#clock = clock
  }

  /**
   * Replaces a file with the same key.
   * @throws BoundExceeded for too many files or bytes
   */
  put(key: string, content: Buffer): StoredFile {
    if (this.#files.size >= MAX_FILES && !this.#files.has(key))
      throw new BoundExceeded(`there must be at most ${MAX_FILES} files; reset to remove all`)
    const added = content.length - (this.#files.get(key)?.content.length ?? 0)
    const bytes = this.#bytes + added
    if (bytes > MAX_STORED_BYTES) {
      throw new BoundExceeded(
        `all files together must have at most ${MAX_STORED_BYTES} bytes, not ${bytes}`,
      )
    }
    if (this.#shared.count + added > MAX_SHARED_BYTES) {
      throw new BoundExceeded(
        `the files of all sandboxes must have at most ${MAX_SHARED_BYTES} bytes; end some sandboxes, or reset`,
      )
    }
    const file = { key, content, lastModified: Math.floor(this.#clock.now() / 1000) }
    if (this.#isEnded) return file // nobody can ask for it any more
    this.#files.set(key, file)
    this.#bytes = bytes
    this.#shared.count += added
    return file
  }

  /** Returns the file with this key. */
  get(key: string): StoredFile | undefined {
    return this.#files.get(key)
  }

  list(prefix: string): StoredFile[] {
    return [...this.#files.values()]
      .filter(({ key }) => key.startsWith(prefix))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1))
  }

  /** Returns the signature that a URL needs for an operation on a file, which need not exist. */
  sign(operation: FileOperation, key: string): string {
    this.#secret ??= randomBytes(32)
    return createHmac('sha256', this.#secret).update(`${operation} ${key}`).digest('base64url')
  }

  /** Whether a signature is valid for an operation on a file. */
  isSigned(operation: FileOperation, key: string, signature: string): boolean {
    const given = Buffer.from(signature)
    const expected = Buffer.from(this.sign(operation, key))
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  end(): void {
    this.clear()
    this.#isEnded = true
  }

  clear(): void {
    this.#files.clear()
    this.#shared.count -= this.#bytes
    this.#bytes = 0
  }
}
