import { Buffer } from 'buffer/'

/** `node:buffer` for a browser: the package `buffer`, with the encoding and the check that it lacks. */

const encode = Buffer.prototype.toString

/** Adds base64url (RFC 4648, section 5), without padding as in Node. The package reads it already. */
Buffer.prototype.toString = function toString(encoding?: string, start?: number, end?: number) {
  if (encoding !== 'base64url') return encode.call(this, encoding, start, end)
  const text = encode.call(this, 'base64', start, end)
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export { Buffer }

const decoder = new TextDecoder('utf-8', { fatal: true })

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes)
    return true
  } catch {
    return false
  }
}
