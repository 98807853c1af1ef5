import v8 from 'node:v8'

const MEGABYTE = 2 ** 20

/** The part of V8's limit that is for new objects alone: three semi-spaces of at most 64 MB (Node 24). */
const MAX_YOUNG = 192 * MEGABYTE

/** The heap of this process, in bytes. */
export interface Heap {
  readonly used: number
  /** The size at which Node ends the process, that of `--max-old-space-size`; an estimate without it. */
  readonly limit: number
}

/**
 * Reads the size of the heap, in 7 µs. V8's own limit is too large for what lives long, such as items:
 * by 48 MB in Node 20, and by 192 MB in Node 24.
 */
export function readHeap(): Heap {
  const { used_heap_size: used, heap_size_limit: total } = v8.getHeapStatistics()
  const limit = Math.min(OLD_SPACE ?? Math.max(total - MAX_YOUNG, total / 2), total)
  return { used, limit }
}

/** Returns the value of `--max-old-space-size` among Node's options, in bytes; the last one counts. */
export function parseOldSpace(options: string): number | undefined {
  const [last] = [...options.matchAll(/--max[-_]old[-_]space[-_]size[= ](\d+)/g)].slice(-1)
  return last === undefined ? undefined : Number(last[1]) * MEGABYTE
}

const OLD_SPACE = parseOldSpace([process.env['NODE_OPTIONS'], ...process.execArgv].join(' '))

/** Returns bytes as a whole number of megabytes, for a message. */
export const toMegabytes = (bytes: number): number => Math.round(bytes / MEGABYTE)
