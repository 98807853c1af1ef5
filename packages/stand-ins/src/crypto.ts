import { hmac } from '@noble/hashes/hmac.js'
import { md5 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** `node:crypto` for a browser, whose own digests are asynchronous and lack MD5. */

const ALGORITHMS = { md5, sha256 } as const

interface Digester {
  update(bytes: Uint8Array): unknown
  digest(): Uint8Array
}

class Hash {
  readonly #digester: Digester

  constructor(digester: Digester) {
    this.#digester = digester
  }

  update(content: string | Uint8Array): this {
    this.#digester.update(Buffer.from(content as string))
    return this
  }

  digest(): Buffer
  digest(encoding: BufferEncoding): string
  digest(encoding?: BufferEncoding): Buffer | string {
    const bytes = Buffer.from(this.#digester.digest())
    return encoding === undefined ? bytes : bytes.toString(encoding)
  }
}

export const createHash = (algorithm: keyof typeof ALGORITHMS): Hash =>
  new Hash(ALGORITHMS[algorithm].create())

export const createHmac = (algorithm: keyof typeof ALGORITHMS, key: Uint8Array): Hash =>
  new Hash(hmac.create(ALGORITHMS[algorithm], key))

export const randomBytes = (size: number): Buffer =>
  Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(size)))

export const randomInt = (max: number): number => randomBytes(4).readUInt32BE() % max

/** A random UUID (RFC 9562, version 4). A page without https has no `crypto.randomUUID`. */
export function randomUUID(): string {
  const bytes = randomBytes(16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Whether texts are equal. Nobody measures the time of a comparison in their own tab. */
export const timingSafeEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0
