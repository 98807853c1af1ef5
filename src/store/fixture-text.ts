import { isUtf8 } from 'node:buffer'

/** Tells that bytes are not UTF-8, and where: `byte 17 (0xe9) is no part of a character`. */
export class Utf8Error extends SyntaxError {}

/**
 * The text of bytes in UTF-8. Checked and decoded on its own it takes less
 * time than `readFileSync` takes to decode.
 * @throws Utf8Error where a decoder would put U+FFFD without a word
 */
export function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  const offset = firstInvalid(bytes)
  const byte = bytes.toString('hex', offset, offset + 1)
  throw new Utf8Error(`byte ${offset} (0x${byte}) is no part of a character`)
}

const REPLACEMENT = Buffer.from('\uFFFD')

/** Where the first replacement stands that the bytes do not have themselves. */
function firstInvalid(bytes: Buffer): number {
  let offset = 0
  for (const valid of bytes.toString().split('\uFFFD')) {
    offset += Buffer.byteLength(valid)
    if (!bytes.subarray(offset, offset + REPLACEMENT.length).equals(REPLACEMENT)) break
    offset += REPLACEMENT.length
  }
  return offset
}
