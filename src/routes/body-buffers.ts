/** How many bytes a buffer has at least that is used again; a list of 50 has 72,000. */
const MIN_SIZE = 128 * 1024

/** How many bytes it has at most: more than 500 items, which is the longest list, mostly have. */
const MAX_SIZE = 8 * 1024 * 1024

/** How many bytes of each size wait at most to be used again; one buffer does at any rate. */
const MAX_FREE = 4 * 1024 * 1024

/** Those that wait, by their size, which is a power of two. */
const free = new Map<number, Buffer[]>()

/**
 * A buffer of at least so many bytes for the body of one answer, to be given back once that is sent.
 * A new one for each answer would be garbage as soon as it is sent, and V8 goes through its whole
 * heap for every 64 MB of it.
 */
export function takeBuffer(bytes: number): Buffer {
  if (bytes > MAX_SIZE) return Buffer.allocUnsafeSlow(bytes)
  const size = bytes <= MIN_SIZE ? MIN_SIZE : 2 ** Math.ceil(Math.log2(bytes))
  return free.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size)
}

/** Takes back a buffer that nobody reads any more. */
export function giveBackBuffer(buffer: Buffer): void {
  const { length: size } = buffer
  if (size > MAX_SIZE) return
  const waiting = free.get(size) ?? []
  if (waiting.length * size < MAX_FREE) waiting.push(buffer)
  free.set(size, waiting)
}
