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
    kind: 'structures',
    name: 'path of bands, RHL',
    reason:
      'where points depend on lengths or angles, ours has the path of a triclinic lattice, which fits any cell',
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

/**
 * The files of public collections that we do not read as ASE or pymatgen do, by name, with the reason: of
 * Debian's libavogadro-data and gdis-data. A copy without its operations has the prefix `named`.
 */
export const READINGS: Readonly<Record<string, string>> = {
  'caox.cif': 'it has five structures, of which ASE takes one',
  'AlSi2O6H-Pyrophyllite.cif': 'its labels Ob and Oa are no elements; ASE refuses them too',
  'Zn2SiO5H2-Hemimorphite.cif': 'its label Wat is no element; ASE refuses it too',
  'Er-Erbium.cif': 'its end is the middle of a line',
  'H3N-Ammonia.cif': 'it has sites with three atoms; pymatgen refuses it too',
  'LiNbO3-LithiumNiobate.cif': 'its group is "R 3 c {rhombohedral axes}" in hexagonal axes',
  'Bi2S3-Bismuthinite.cif': 'it has "0000" between two loops; pymatgen refuses it too',
  'named EON.cif': 'without operations, it does not say its origin, which is 2',
  'named FAU.cif': 'without operations, it does not say its origin, which is 2',
  'named MTN.cif': 'without operations, it does not say its origin, which is 2',
  'named SGT.cif': 'without operations, it does not say its origin, which is 2',
  'named VNI.cif': 'without operations, it does not say its origin, which is 2',
}
