/** Returns pseudo-random numbers from 0 up to, but not including, 1. */
export type Random = () => number

/**
 * Creates a generator of pseudo-random numbers; the same seed gives the same numbers. The algorithm
 * is Mulberry32 (Tommy Ettinger, public domain): its 32 bits of state suffice for generated data.
 */
export function createRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
