import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { BodyTooLarge, BoundExceeded, CatalogueError, RequestMalformed } from '../errors.js'

/** The size from which a body is large, in bytes. */
export const LARGE_BODY = 16 * 1024

/** The bytes that all bodies of a server may have together before they are parsed: 512 bodies of 1 MiB. */
const MAX_HELD_BYTES = 512 * 1024 * 1024

export interface HeldBody {
  readonly bytes: Buffer
  readonly release: () => void
}

export type BodyReader = (payload: IncomingMessage, limit: number) => Promise<HeldBody>

/**
 * Limits the memory of all bodies until they are released. Reads a chunk of large bodies a turn: 20
 * bodies of 1 MB at once made others wait for a second. It throws as `readChunks` does, and
 * BoundExceeded if too many bodies arrive at the same time.
 */
export function createBodyReader(maxHeldBytes = MAX_HELD_BYTES): BodyReader {
  let heldBytes = 0
  /** Resolves in the turn in which the next chunk of a large body can be read. */
  let turn: Promise<void> = Promise.resolve()
  return async (payload, limit) => {
    const chunks: Buffer[] = []
    let size = 0
    const release = (): void => {
      heldBytes -= size
      size = 0
    }
    try {
      for await (const chunk of readChunks(payload, limit)) {
        chunks.push(chunk)
        size += chunk.length
        heldBytes += chunk.length
        if (heldBytes > maxHeldBytes) throw new BoundExceeded(describeHeld(maxHeldBytes))
        if (size >= LARGE_BODY) await (turn = turn.then(() => nextTurn()))
      }
    } catch (error) {
      release()
      throw error
    }
    return { bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks), release }
  }
}

/**
 * Leaves the socket open after an error.
 * @throws BodyTooLarge, and RequestMalformed if the client hangs up or `Content-Length` is wrong
 */
async function* readChunks(
  payload: IncomingMessage,
  limit: number,
): AsyncGenerator<Buffer, void, void> {
  const { 'content-length': length } = payload.headers
  if (Number(length) > limit) throw new BodyTooLarge(limit)
  let size = 0
  try {
    const chunks: AsyncIterable<Buffer> = payload.iterator({ destroyOnReturn: false })
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > limit) throw new BodyTooLarge(limit)
      yield chunk
    }
  } catch (error) {
    throw error instanceof CatalogueError ? error : new RequestMalformed(CUT_OFF)
  }
  if (length !== undefined && Number(length) !== size) throw new RequestMalformed(WRONG_LENGTH)
}

const describeHeld = (bytes: number): string =>
  `all bodies that arrive at the same time must have at most ${bytes} bytes; send fewer at once`

/** The message of the error for a client that hangs up. */
export const CUT_OFF = 'the connection ended before the end of the body'

const WRONG_LENGTH = 'the body must have as many bytes as Content-Length says'
