/** An intended difference from the platform's packages. */
export interface Difference {
  /** The comparison that finds it. */
  readonly kind: 'structures' | 'schemas'
  /** The name of the difference in the comparison. */
  readonly name: string
  readonly reason: string
}

/**
 * The intended differences. If a comparison no longer finds its difference, it fails too, so that the
 * difference is removed here.
 */
export const DIFFERENCES: readonly Difference[] = [
  {
    kind: 'structures',
    name: 'unitCellFormula, with its spaces',
    reason: 'the platform writes "Si2 Ge2", made "Si2Ge2"',
  },
  {
    kind: 'structures',
    name: 'POSCAR with a scaling factor',
    reason: 'made ignores line 2 ("alat should be handled"), VASP multiplies by it',
  },
  {
    kind: 'structures',
    name: 'POSCAR with rotated edges and Cartesian coordinates',
    reason: 'made turns the edges into its own orientation and leaves the coordinates as they are',
  },
  {
    kind: 'schemas',
    name: 'material /external/doi must be string',
    reason: 'the published standard materials have null where there is no DOI',
  },
  {
    kind: 'schemas',
    name: 'material /external/source must be equal to one of the allowed values',
    reason: 'one published standard material has the source Mat3ra',
  },
]
