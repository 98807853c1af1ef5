import { OptionsInvalid } from '../errors.js'
import { quote } from '../json/quote.js'
import { MAX_DELAY } from '../schemas/fault.js'
import type { Delay } from '../schemas/fault.js'

/**
 * Parses the option `latency`, such as `200` or `100-500`.
 * @returns undefined if the option is not set
 * @throws OptionsInvalid for a delay above the maximum, or a minimum above the maximum
 */
export function parseLatency(latency: string | number | undefined): Delay | undefined {
  if (latency === undefined) return undefined
  const [min = 0, max = min] = String(latency).split('-').map(Number)
  if (min <= max && max <= MAX_DELAY) return { min, max }
  throw new OptionsInvalid(
    `latency must be from 0 to ${MAX_DELAY} ms, the lesser one first, not ${quote(latency)}`,
  )
}
