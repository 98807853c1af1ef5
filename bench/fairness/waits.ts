import { median, quantile } from '../figures/median.js'

/** How long the requests of one client took, in ms. */
export interface Waits {
  readonly median: number
  readonly p99: number
  readonly longest: number
}

/**
 * Summarises the latencies of requests that were sent one after another.
 * @param latencies in ms, at least one
 * @param interval the pause between a response and the next request, in ms
 */
export function summarizeWaits(latencies: readonly number[], interval: number): Waits {
  const corrected = addOmittedWaits(latencies, interval)
  return {
    median: median(corrected),
    p99: quantile(corrected, 0.99),
    longest: quantile(latencies, 1),
  }
}

/**
 * Adds the waits of the requests that a client could not send while it waited: a wait of 500 ms with
 * an interval of 100 ms also counts as 400, 300, 200 and 100 ms. Without them, one long wait among
 * many short ones would not show in the quantiles ("coordinated omission", as HdrHistogram corrects
 * it: https://github.com/HdrHistogram/HdrHistogram#corrected-vs-raw-value-recording-calls).
 */
export function addOmittedWaits(latencies: readonly number[], interval: number): number[] {
  const corrected: number[] = []
  for (const latency of latencies) {
    corrected.push(latency)
    for (let wait = latency - interval; wait >= interval; wait -= interval) corrected.push(wait)
  }
  return corrected
}

/** The longest wait that is allowed beside costly work, in ms. */
export const getMaxWait = (itemCount: number): number => (itemCount < 1_000_000 ? 250 : 1000)
