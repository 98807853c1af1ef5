import type { Numbers } from './numbers.js'
import type { StructureModel } from './structure-model.js'

/** What the data of a property follow from. */
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
