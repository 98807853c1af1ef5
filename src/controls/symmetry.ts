import { findSymmetry, parseStructure } from '@materials-mock/structures'
import { defineOperation } from './control.js'

export const symmetryOperation = defineOperation(
  'POST /symmetry',
  'symmetry',
  'Find the symmetry of a structure',
  {
    description:
      'Returns the space group, the point group, the site of each atom, and the conventional and the primitive cell in the standard setting, found with a tolerance of 0.3 Å. A structure of more than 150 atoms, or a perfect supercell of more than 64 cells, has none of them.',
    run: ({ body }) => findSymmetry(parseStructure(body)) ?? {},
  },
)
