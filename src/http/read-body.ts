import type { IncomingMessage } from 'node:http'

import { BodyTooLarge, BoundExceeded, RequestMalformed } from '../errors.js'

/** The size from which a body is large, in bytes. */
export const LARGE_BODY = 16 * 1024

/**
 * Reads bodies. Of large ones it reads one chunk in each turn of the event loop, however many arrive:
 * each chunk is a new buffer outside of V8's heap, and while V8 marks the heap because there are many,
 * each one takes 5 to 10 ms. 20 bodies of 1 MB that were read at once took up to 300 ms.
 */
export class BodyReader {
  readonly #maxHeldBytes: number
  /** The number of bytes of all large bodies that are arriving. */
  #heldBytes = 0
  /** The large bodies with a chunk that can be read. */
  readonly #readable: (() => void)[] = []
  #isTurnScheduled = false

  /** @param maxHeldBytes the bytes that all large bodies may have together while they arrive */
  constructor(maxHeldBytes = MAX_HELD_BYTES) {
    this.#maxHeldBytes = maxHeldBytes
  }

  /**
   * Returns the chunks of a body.
   * @param limit the number of bytes that it may have
   * @throws BodyTooLarge
   * @throws BoundExceeded if too many bodies arrive at the same time
   * @throws RequestMalformed if the client hangs up, or for a `Content-Length` that is not that of the body
   */
  async read(payload: IncomingMessage, limit: number): Promise<readonly Buffer[]> {
    const { 'content-length': length } = payload.headers
    if (Number(length) > limit) throw new BodyTooLarge(limit)
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let size = 0
      let isSettled = false
      const isSmall = Number(length) < LARGE_BODY
      const settle = (error?: Error): void => {
        isSettled = true
        payload.off('readable', onReadable).off('end', onEnd).off('error', onError)
        if (!isSmall) this.#heldBytes -= size
        if (error === undefined) resolve(chunks)
        else reject(error)
      }
      const readChunk = (): void => {
        if (isSettled) return
        const chunk = payload.read() as Buffer | null
        if (chunk === null) return
        chunks.push(chunk)
        size += chunk.length
        if (!isSmall) this.#heldBytes += chunk.length
        if (size > limit) settle(new BodyTooLarge(limit))
        else if (this.#heldBytes > this.#maxHeldBytes)
          settle(new BoundExceeded(describeHeld(this.#maxHeldBytes)))
      }
      const onReadable = (): void => {
        if (isSmall) return readChunk()
        this.#readable.push(readChunk)
        this.#scheduleTurn()
      }
      const onEnd = (): void => {
        const isComplete = length === undefined || Number(length) === size
        settle(isComplete ? undefined : new RequestMalformed(WRONG_LENGTH))
      }
      const onError = (): void => settle(new RequestMalformed(WRONG_LENGTH))
      payload.on('readable', onReadable).on('end', onEnd).on('error', onError)
    })
  }

  #scheduleTurn(): void {
    if (this.#isTurnScheduled) return
    this.#isTurnScheduled = true
    setImmediate(() => {
      this.#isTurnScheduled = false
      this.#readable.shift()?.()
      if (this.#readable.length > 0) this.#scheduleTurn()
    })
  }
}

/** Half a gigabyte: 500 bodies of 1 MiB. */
const MAX_HELD_BYTES = 512 * 1024 * 1024

const describeHeld = (bytes: number): string =>
  `all large bodies that arrive at the same time must have at most ${bytes} bytes; send fewer at once`

const WRONG_LENGTH = 'the body must have as many bytes as Content-Length says'
