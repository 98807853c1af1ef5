import { formatNumber } from './table.js'

/** The ratios bare Fastify ÷ ours of a release, by the names of the workloads and the number of items. */
export interface Released {
  readonly version: string
  readonly ratios: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** The share of a released ratio below which a ratio has fallen. */
const FALLEN = 0.8

/** Returns the mark of a ratio that has fallen by a fifth since a release. */
export function markFallen(ratio: number, name: string, count: number, released: Released): string {
  const former = released.ratios[count]?.[name]
  if (former === undefined || !(ratio < FALLEN * former)) return ''
  return `fell from ${formatNumber(former)}`
}
