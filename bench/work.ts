import type { Data } from './data.js'
import { rangesOf } from './ranges.js'

/** One read of the materials, in no server's words. */
export interface Read {
  /** One item by its id; all else is for lists. */
  readonly id?: string
  readonly equal?: readonly [path: string, value: string]
  /** From the first number up to but without the second. */
  readonly range?: readonly [path: string, from: number, to: number]
  readonly pattern?: readonly [path: string, pattern: string]
  readonly sort?: readonly [path: string, direction: 1 | -1]
  readonly fields?: readonly string[]
  /** The page, from 0, of `LIMIT` items each. */
  readonly page: number
}

/** How many items a list has, which is our server's default. */
export const LIMIT = 50

/** A kind of work that is measured. */
export interface Work {
  readonly name: string
  readonly reads: readonly Read[]
  /** How many items each answer has; undefined where that varies below a full page. */
  readonly hits: number | undefined
  /** Whether each request must be a new one, so that no answer that was kept can serve it. */
  readonly isVaried: boolean
  /** What bare Fastify's CPU time, divided by ours, is to be at least; none is asked at this size. */
  readonly target: number | undefined
}

/** The kind of work that a hand-written loop does too. */
export const PATTERN = 'regex on all names, varied'

/** What a regular expression may cost, in times of the hand-written loop. */
export const PATTERN_TARGET = 1.5

/** All kinds of work on items of one size. The targets are those of the project's issue 6. */
export function worksOn({ count, summaries }: Data): Work[] {
  const ids = spread(summaries.map(({ id }) => id))
  const formulas = spread([...new Set(summaries.map(({ formula }) => formula))])
  const lengths = summaries.map(({ length }) => length)
  const ranges = spread(rangesOf(lengths, LIMIT)).map(([from, to]): Read => ({
    ...FIRST,
    range: ['lattice.a', from, to],
  }))
  const patterns = patternsFor(count).map((pattern): Read => ({
    ...FIRST,
    pattern: ['name', pattern],
  }))
  const pages = Array.from({ length: Math.min(20, Math.floor(count / LIMIT)) }, (_, page) => page)
  const equal = formulas.map((formula): Read => ({ ...FIRST, equal: ['formula', formula] }))
  const usual = count < 1_000_000
  const sorts = pages.flatMap((page): Read[] => [
    { page, sort: ['lattice.a', 1] },
    { page, sort: ['lattice.a', -1] },
  ])
  const kinds: [name: string, reads: readonly Read[], hits: number, target: number][] = [
    ['list of 50', [FIRST], 50, usual ? 0.7 : 0.6],
    ['equality, 10 hits', equal, 10, usual ? 0.6 : 0.5],
    ['item by id', ids.map((id) => ({ ...FIRST, id })), 1, usual ? 0.7 : 0.6],
    ['range, 50 hits', ranges, 50, usual ? 0.5 : 0.4],
    ['sort, limit 50', sorts, 50, usual ? 0.5 : 0.4],
    ['list of 50, two fields', pages.map((page) => ({ page, fields: FIELDS })), 50, 0.3],
  ]
  const works = kinds.flatMap(([name, reads, hits, target]): Work[] => {
    const same = { name, reads: reads.slice(0, 1), hits, target, isVaried: false }
    return reads.length > 1
      ? [same, { ...same, name: `${name}, varied`, reads, isVaried: true }]
      : [same]
  })
  const pattern = { hits: undefined, target: undefined, isVaried: true }
  return [...works, { name: PATTERN, reads: patterns, ...pattern }]
}

const FIELDS = ['name', 'formula']

const FIRST: Read = { page: 0 }

/** How many different reads of a kind there are at most. */
const MAX_READS = 1000

/** So many of a list, from all over it. */
function spread<T>(values: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(values.length / MAX_READS))
  return values.filter((_, index) => index % step === 0).slice(0, MAX_READS)
}

/** Patterns for the ends of names, each with fewer than 50 hits: none stops before the last item. */
function patternsFor(count: number): string[] {
  const digits = Math.max(1, String(count).length - 3)
  return Array.from(
    { length: Math.min(MAX_READS, 9 * 10 ** (digits - 1)) },
    (_, index) => `Rocksalt.*${10 ** (digits - 1) + index}$`,
  )
}
