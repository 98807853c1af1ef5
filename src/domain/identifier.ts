/** The letters and digits that can't be mistaken for each other, as the platform's ids have them. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTWXYZabcdefghijkmnopqrstuvwxyz'

const length = 17

/** A `_id` as the platform's, 17 characters, from at least 17 bytes: the same from the same bytes. */
export const identifier = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('')
