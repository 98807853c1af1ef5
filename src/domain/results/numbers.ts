import { createHash } from 'node:crypto'

import { createRandom } from '../random.js'

/** Pseudo-random numbers that follow from a text. */
export interface Numbers {
  /** Returns the next number between two bounds. */
  readonly between: (min: number, max: number) => number
}

/** Creates pseudo-random numbers. The same text gives the same ones. */
export function createNumbers(text: string): Numbers {
  const random = createRandom(createHash('sha256').update(text).digest().readInt32BE(0))
  return { between: (min, max) => min + (max - min) * random() }
}
