import { createHash } from 'node:crypto'

/** The letters and digits of the platform's ids, none of which can be mistaken for another. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTWXYZabcdefghijkmnopqrstuvwxyz'

const LENGTH = 17

/**
 * Converts bytes to an `_id` like the platform's, of 17 characters. The same bytes give the same one.
 * @param bytes at least 17
 */
export const toIdentifier = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')

/** Derives an `_id` of 17 characters from a name. The same name gives the same one. */
export const deriveIdentifier = (name: string): string =>
  toIdentifier(createHash('sha256').update(name).digest())
