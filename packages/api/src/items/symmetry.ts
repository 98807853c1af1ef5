import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { Text } from '@materials-mock/json'
import { Basis, Lattice } from './structure.js'

export const StandardCell = Type.Object({ lattice: Lattice, basis: Basis })
export type StandardCell = Static<typeof StandardCell>

export const Symmetry = Type.Object({
  number: Type.Integer({
    description: 'The number of the space group in the International Tables, from 1 to 230.',
    examples: [227],
  }),
  spaceGroupSymbol: Text(
    'Fd-3m',
    'The Hermann-Mauguin symbol as the platform writes it: `P6_3/mmc`.',
  ),
  pointGroupSymbol: Text('m-3m', 'The Hermann-Mauguin symbol of the point group.'),
  sites: Type.Array(
    Type.Object({
      wyckoff: Text('a'),
      siteSymmetry: Text('-43m'),
    }),
    { description: 'The Wyckoff letter and the site symmetry of each atom, in their order.' },
  ),
  conventional: StandardCell,
  primitive: StandardCell,
})
export type Symmetry = Static<typeof Symmetry>
