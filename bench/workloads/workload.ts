import type { Data } from './data.js'
import { findRanges } from './ranges.js'

/** A read of the materials, independent of the server. */
export interface Read {
  /** Reads one item by its id. All other properties are for lists. */
  readonly id?: string
  readonly equal?: readonly [path: string, value: string]
  /** The upper end is exclusive. */
  readonly range?: readonly [path: string, from: number, to: number]
  readonly pattern?: readonly [path: string, pattern: string]
  readonly sort?: readonly [path: string, direction: 1 | -1]
  readonly fields?: readonly string[]
  /** The number of the page, from 0. A page has `LIMIT` items. */
  readonly page: number
}

/** The number of items in a list: the default of our server. */
export const LIMIT = 50

/** A kind of work that is measured. */
export interface Workload {
  readonly name: string
  readonly reads: readonly Read[]
  /** The number of items in each response; undefined if it varies below a full page. */
  readonly matchCount: number | undefined
  /** Whether each request must be a new one, so that no cached response can be sent. */
  readonly isVaried: boolean
  /** The least ratio of the CPU time of the server by hand to ours. */
  readonly target: number
}

/** The name of the workload that the hand-written loop supports. */
export const PATTERN = 'regex on all names, varied'

/** Creates all workloads for the items. */
export function createWorkloads({ count, summaries }: Data): Workload[] {
  const ids = sample(summaries.map(({ id }) => id))
  const formulas = sample([...new Set(summaries.map(({ formula }) => formula))])
  const lengths = summaries.map(({ length }) => length)
  const ranges = sample(findRanges(lengths, LIMIT)).map(([from, to]): Read => ({
    ...FIRST_PAGE,
    range: ['lattice.a', from, to],
  }))
  const patterns = createPatterns(count).map((pattern): Read => ({
    ...FIRST_PAGE,
    pattern: ['name', pattern],
  }))
  const pages = Array.from({ length: Math.min(20, Math.floor(count / LIMIT)) }, (_, page) => page)
  const equal = formulas.map((formula): Read => ({ ...FIRST_PAGE, equal: ['formula', formula] }))
  const sorts = pages.flatMap((page): Read[] => [
    { page, sort: ['lattice.a', 1] },
    { page, sort: ['lattice.a', -1] },
  ])
  const kinds: [name: string, reads: readonly Read[], matchCount: number, target?: number][] = [
    ['list of 50', [FIRST_PAGE], 50, 2],
    ['equality, 10 hits', equal, 10],
    ['item by id', ids.map((id) => ({ ...FIRST_PAGE, id })), 1],
    ['range, 50 hits', ranges, 50],
    ['sort, limit 50', sorts, 50],
    ['list of 50, two fields', pages.map((page) => ({ page, fields: FIELDS })), 50],
  ]
  const workloads = kinds.flatMap(([name, reads, matchCount, target = 1]): Workload[] => {
    const repeated = {
      name,
      reads: reads.slice(0, 1),
      matchCount,
      target,
      isVaried: false,
    }
    return reads.length > 1
      ? [repeated, { ...repeated, name: `${name}, varied`, reads, isVaried: true }]
      : [repeated]
  })
  const pattern = { matchCount: undefined, target: 1, isVaried: true }
  return [...workloads, { name: PATTERN, reads: patterns, ...pattern }]
}

const FIELDS = ['name', 'formula']

const FIRST_PAGE: Read = { page: 0 }

/** The maximum number of different reads of a workload. */
const MAX_READS = 1000

/** Returns at most `MAX_READS` values at equal distances. */
function sample<T>(values: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(values.length / MAX_READS))
  return values.filter((_, index) => index % step === 0).slice(0, MAX_READS)
}

/**
 * Creates patterns for the ends of names. Each matches fewer than 50 items, so that every server has
 * to test all items.
 */
function createPatterns(count: number): string[] {
  const digits = Math.max(1, String(count).length - 3)
  return Array.from(
    { length: Math.min(MAX_READS, 9 * 10 ** (digits - 1)) },
    (_, index) => `Rocksalt.*${10 ** (digits - 1) + index}$`,
  )
}
