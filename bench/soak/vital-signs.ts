import { readdirSync } from 'node:fs'

import type { Usage } from '../servers/server-process.js'

/** What a server holds, after a garbage collection. */
export interface VitalSigns {
  /** Resident memory, in bytes. */
  readonly resident: number
  /** Memory in use by JavaScript and its buffers, in bytes. */
  readonly used: number
  /** The number of open file descriptors; undefined where there is no /proc. */
  readonly descriptors: number | undefined
}

/** The growth from the first to the second reading that is allowed. */
export const MAX_GROWTH = { resident: 128 * 2 ** 20, used: 32 * 2 ** 20, descriptors: 5 } as const

/** Returns what a process holds. */
export const toVitalSigns = (pid: number, { memory }: Usage): VitalSigns => ({
  resident: memory.rss,
  used: memory.heapUsed + memory.external,
  descriptors: countDescriptors(pid),
})

function countDescriptors(pid: number): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return undefined
  }
}

/** Returns a sentence for each known value that grew by more than `MAX_GROWTH`. */
export const findGrowth = (before: VitalSigns, after: VitalSigns): string[] =>
  SIGNS.flatMap(([name, label, format]) => {
    const growth = (after[name] ?? Number.NaN) - (before[name] ?? Number.NaN)
    const allowed = MAX_GROWTH[name]
    if (!(growth > allowed)) return []
    return [`${label} grew by ${format(growth)}; at most ${format(allowed)} is allowed`]
  })

const toMegabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`

const SIGNS: readonly (readonly [keyof VitalSigns, string, (value: number) => string])[] = [
  ['resident', 'resident memory', toMegabytes],
  ['used', 'memory in use', toMegabytes],
  ['descriptors', 'open descriptors', String],
]
