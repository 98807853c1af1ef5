/** How many bytes a buffer has that is used again; a list of 50 has 72,000. */
const SIZE = 128 * 1024

/** How many at most wait to be used again. */
const MAX_FREE = 32

const free: Buffer[] = []

/**
 * A buffer of at least so many bytes for the body of one answer, to be given back once that is sent.
 * A new one for each answer would be garbage as soon as it is sent, and V8 would go through the heap
 * ever so often to find it.
 */
export const takeBuffer = (size: number): Buffer =>
  size > SIZE ? Buffer.allocUnsafeSlow(size) : (free.pop() ?? Buffer.allocUnsafeSlow(SIZE))

/** Takes back a buffer that nobody reads any more. */
export function giveBackBuffer(buffer: Buffer): void {
  if (buffer.length === SIZE && free.length < MAX_FREE) free.push(buffer)
}
