import { writeSync } from 'node:fs'

import { formatLogLine } from './format-log-line.js'

/**
 * Creates the stream that the logger writes its lines to: as they are for `json`, one line for a
 * person to read for `text`, with colours on a terminal that has them.
 */
export function createLogStream(format: 'text' | 'json'): { write(line: string): void } {
  const destination = new LogDestination()
  if (format === 'json') return destination
  const hasColours = process.stdout.isTTY && process.stdout.hasColors()
  return {
    write: (line) => {
      const text = formatLogLine(line, hasColours)
      if (text !== '') destination.write(text)
    },
  }
}

/** Writes bytes, and returns how many were written, as `fs.writeSync` does. */
export type WriteBytes = (bytes: Buffer) => number

/** The most bytes that wait for a reader that is slow, as a full pipe has. */
const MAX_WAITING_BYTES = 1024 * 1024

/** The time until a full pipe is tried again, in ms. */
const RETRY_MS = 50

/**
 * The destination of the log. It never throws, and never blocks the event loop: lines that can't be
 * written, because the disk is full or the reader is gone, are lost, and so are lines beyond 1 MiB
 * that a slow reader has not read. The next line is tried again. pino's own destination retries
 * for ever on a full disk, without a turn of the event loop in between.
 */
export class LogDestination {
  readonly #writeBytes: WriteBytes
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(writeBytes: WriteBytes = writeToStandardOutput()) {
    this.#writeBytes = writeBytes
  }

  write(line: string): void {
    const bytes = Buffer.from(line)
    if (this.#waitingBytes + bytes.length > MAX_WAITING_BYTES) return
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#timer === undefined) this.#writeWaiting()
  }

  #writeWaiting(): void {
    this.#timer = undefined
    try {
      for (let bytes = this.#waiting[0]; bytes !== undefined; bytes = this.#waiting[0]) {
        const written = this.#writeBytes(bytes)
        this.#waitingBytes -= written
        if (written === bytes.length) this.#waiting.shift()
        else this.#waiting[0] = bytes.subarray(written)
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
        this.#timer = setTimeout(() => this.#writeWaiting(), RETRY_MS).unref()
      } else {
        this.#waiting = []
        this.#waitingBytes = 0
      }
    }
  }
}

/** Returns a function that writes to the standard output. In a worker, `process.stdout` has no fd. */
function writeToStandardOutput(): WriteBytes {
  // Reading `process.stdout` makes Node open it: a pipe that is full is then an EAGAIN, not a wait.
  const { fd = 1 } = process.stdout as { readonly fd?: number }
  return (bytes) => writeSync(fd, bytes)
}
