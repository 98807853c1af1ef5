import { isUtf8 } from 'node:buffer'

/**
 * Decodes UTF-8. To validate and decode takes less time than `readFileSync` takes to decode.
 * @param createError returns the error for bytes that a decoder would replace by U+FFFD
 */
export function decodeUtf8(bytes: Buffer, createError: () => Error): string {
  if (!isUtf8(bytes)) throw createError()
  return bytes.toString()
}

/** The bytes of JSON's structure. In UTF-8, no part of another character is one of them. */
export const BYTES = {
  tab: 0x09,
  newline: 0x0a,
  return: 0x0d,
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const
