import type { Readable } from 'node:stream'

/**
 * Reads a stream to its end.
 * @returns undefined if it has more than `maxBytes`
 */
export async function readStream(stream: Readable, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk as Buffer))
    size += (chunk as Buffer).length
    if (size > maxBytes) return undefined
  }
  return Buffer.concat(chunks)
}
