import { Buffer } from 'buffer/index.js'

/** `node:buffer` for a browser: the package `buffer`, with the encoding and the check that it lacks. */

const encode = Buffer.prototype.toString

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Adds base64url (RFC 4648, section 5), which the package only reads, and the browser's UTF-8. */
Buffer.prototype.toString = function toString(
  this: Buffer,
  encoding = 'utf8',
  start = 0,
  end = this.length,
) {
  if (encoding === 'utf8') return utf8.decode(this.subarray(start, end))
  if (encoding !== 'base64url') return encode.call(this, encoding, start, end)
  const text = encode.call(this, 'base64', start, end)
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export { Buffer }

const strict = new TextDecoder('utf-8', { fatal: true })

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes)
    return true
  } catch {
    return false
  }
}
