import { Type } from '@sinclair/typebox'

import { Basis, Lattice, Symmetry } from '@materials-mock/api'
import { findSymmetry, parseStructure } from '@materials-mock/structures'
import { defineOperation } from './control.js'

const StructureBody = Type.Object(
  { lattice: Lattice, basis: Basis },
  {
    additionalProperties: false,
    examples: [
      {
        lattice: { a: 3.867, b: 3.867, c: 3.867, alpha: 60, beta: 60, gamma: 60 },
        basis: {
          elements: [
            { id: 0, value: 'Si' },
            { id: 1, value: 'Si' },
          ],
          coordinates: [
            { id: 0, value: [0, 0, 0] },
            { id: 1, value: [0.25, 0.25, 0.25] },
          ],
        },
      },
    ],
  },
)

/** The symmetry of a structure; without a field if none is found. */
const FoundSymmetry = Type.Partial(Symmetry, { $id: 'Symmetry' })

export const symmetryOperation = defineOperation(
  'POST /symmetry',
  'symmetry',
  'Find the symmetry of a structure',
  {
    description:
      'Returns the space group, the point group, the site of each atom, and the conventional and the primitive cell in the standard setting, found with a tolerance of 0.3 Å. A structure of more than 150 atoms, or a perfect supercell of more than 64 cells, has none of them.',
    body: StructureBody,
    success: FoundSymmetry,
    run: ({ body }) => findSymmetry(parseStructure(body)),
  },
)
