/** How many texts are remembered at most; a power of two. */
const SLOTS = 16_384

/**
 * Tells whether a text came before, lately. It holds a hash of each and no text, so that what comes once
 * leaves no garbage; now and then it takes one text for another, or forgets one. (The name is that
 * of the filter before a cache in https://arxiv.org/abs/1512.00727.)
 */
export class Doorkeeper {
  readonly #hashes = new Int32Array(SLOTS)

  /** Remembers a text; whether it was remembered already. */
  add(text: string): boolean {
    const hash = hashOf(text)
    const slot = hash & (SLOTS - 1)
    const isKnown = this.#hashes[slot] === hash
    this.#hashes[slot] = hash
    return isKnown
  }

  /** Forgets all. */
  clear(): void {
    this.#hashes.fill(0)
  }
}

/** FNV-1a over UTF-16 units, its high bits mixed into the low ones; never 0. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 15) || 1
}
