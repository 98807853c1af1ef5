import type { Delay } from './fault-outcome.js'

/**
 * Parses the option `latency`, such as `200` or `100-500`, whose range has been checked.
 * @returns undefined if the option is not set
 */
export function parseLatency(latency: string | number | undefined): Delay | undefined {
  if (latency === undefined) return undefined
  const [min = 0, max = min] = String(latency).split('-').map(Number)
  return { min, max }
}
