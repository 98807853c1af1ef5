import { writeSync } from 'node:fs'

import { asError, escapeControls } from '@materials-mock/json'
import { formatLogLine } from './format-log-line.js'

/**
 * `json` is written as it is without control characters, `text` for a person, perhaps in colour.
 */
export function createLogStream(
  format: 'text' | 'json',
  destination = new LogDestination(),
): { write(line: string): void } {
  if (format === 'json') return { write: (line) => destination.write(escapeControls(line)) }
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

/** The largest number of bytes that wait for a slow reader, such as a full pipe. */
const MAX_WAITING_BYTES = 1024 * 1024

/** The time in ms until a write to a full pipe is tried again. */
const RETRY_MS = 50

/**
 * Never throws, and never blocks the event loop: lines are lost on a full disk, without a reader,
 * or beyond 1 MiB. pino's own retries for ever on a full disk.
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
      if (asError(error).code === 'EAGAIN') {
        this.#timer = setTimeout(() => this.#writeWaiting(), RETRY_MS).unref()
      } else {
        this.#waiting = []
        this.#waitingBytes = 0
      }
    }
  }
}

/** Returns a function that writes to the standard output. In a worker, `process.stdout` has no file descriptor. */
function writeToStandardOutput(): WriteBytes {
  // Reading `process.stdout` makes Node open it. A write to a full pipe then fails with EAGAIN instead of waiting.
  const { fd = 1 }: { readonly fd?: number } = process.stdout
  return (bytes) => writeSync(fd, bytes)
}
