import { createHash } from 'node:crypto'

/** The letters and digits of the platform's ids. None of them can be mistaken for another. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTWXYZabcdefghijkmnopqrstuvwxyz'

const LENGTH = 17

/**
 * 17 characters, like the platform's.
 * @param bytes at least 17
 */
export const toIdentifier = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')

/** Derives an `_id` of 17 characters from a name. The same name gives the same `_id`. */
export const deriveIdentifier = (name: string): string =>
  toIdentifier(createHash('sha256').update(name).digest())

export type Random = () => number

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state suffice for generated data. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface Numbers {
  /** Returns the next number between two bounds. */
  readonly between: (min: number, max: number) => number
}

export function createNumbers(text: string): Numbers {
  const random = createRandom(createHash('sha256').update(text).digest().readInt32BE(0))
  return { between: (min, max) => min + (max - min) * random() }
}

/** Returns the values in a random order. The same numbers give the same order. */
export const shuffle = <Value>(values: readonly Value[], random: Random): Value[] =>
  values
    .map((value) => ({ value, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value)
