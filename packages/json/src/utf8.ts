import { isUtf8 } from 'node:buffer'

/**
 * Faster than decoding by `readFileSync`.
 * @param createError for bytes that are no UTF-8
 */
export function decodeUtf8(bytes: Buffer, createError: () => Error): string {
  if (!isUtf8(bytes)) throw createError()
  return bytes.toString()
}
