import type { Probe } from './probe.js'

/**
 * Returns the path of an item.
 * @param id the `_id`, or the position of an item in the sample
 * @throws Lack if the sample has no such item
 */
export const itemPath = (probe: Probe, id: string | number): string =>
  `/${probe.resource}/${encodeURIComponent(
    typeof id === 'string' ? id : (probe.take(id + 1)[id]?._id ?? ''),
  )}`
