import { createHash } from 'node:crypto'

import { createRandom } from '../deterministic.js'
import type { StructureModel } from './structure-model.js'

/** The input from which the data of a property follow. */
export interface PropertyInput {
  /** The structure of the material; undefined if the job has none. */
  readonly model: StructureModel | undefined
  /** Whether the unit relaxes the structure, so that no force is left. */
  readonly isRelaxed: boolean
  /** Numbers that follow from the unit and the formula, but not from the size of the cell. */
  readonly unitNumbers: Numbers
  /** Numbers that follow from the unit, the structure and the property. */
  readonly numbers: Numbers
}

/** Pseudo-random numbers that follow from a text. */
interface Numbers {
  /** Returns the next number between two bounds. */
  readonly between: (min: number, max: number) => number
}

/** Creates pseudo-random numbers. The same text gives the same numbers. */
export function createNumbers(text: string): Numbers {
  const random = createRandom(createHash('sha256').update(text).digest().readInt32BE(0))
  return { between: (min, max) => min + (max - min) * random() }
}
