import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { Basis, Lattice } from './structure.js'
import { ENTITY_FIELDS, ItemId, OptionalString } from './entity-fields.js'

/** A property that the server computes from a structure. `name` determines the other fields. */
export const DerivedProperty = Type.Object({
  name: Type.String({ examples: ['volume', 'density', 'symmetry', 'elemental_ratio', 'p-norm'] }),
  value: Type.Optional(Type.Union([Type.Number(), Type.String()], { examples: [40.888] })),
  units: Type.Optional(Type.String({ examples: ['angstrom^3', 'g/cm^3'] })),
  spaceGroupSymbol: Type.Optional(
    Type.String({
      description: 'The Hermann-Mauguin symbol. Only for symmetry.',
      examples: ['Fd-3m'],
    }),
  ),
  tolerance: Type.Optional(
    Type.Object(
      { value: Type.Number({ examples: [0.3] }), units: OptionalString('angstrom') },
      { description: 'The tolerance of the search for the space group. Only for symmetry.' },
    ),
  ),
  element: Type.Optional(
    Type.String({
      description: 'The symbol of the element. Only for elemental_ratio.',
      examples: ['Si'],
    }),
  ),
  degree: Type.Optional(
    Type.Number({ description: 'The degree of the norm. Only for p-norm.', examples: [2] }),
  ),
})
export type DerivedProperty = Static<typeof DerivedProperty>

/** The publication of a structure. */
const External = Type.Object({
  id: Type.Optional(Type.Union([Type.String(), Type.Number()], { examples: ['mp-149'] })),
  source: OptionalString('MaterialsProject'),
  doi: Type.Optional(Type.Union([Type.String(), Type.Null()], { examples: ['10.17188/1190959'] })),
  url: Type.Optional(Type.String()),
  origin: Type.Optional(Type.Boolean()),
})

/**
 * A material as it is stored and sent. All fields but `_id` are optional, and unknown fields are
 * valid.
 */
export const Material = Type.Object(
  {
    _id: ItemId,
    ...ENTITY_FIELDS,
    name: OptionalString('Silicon FCC'),
    formula: OptionalString(
      'SiO2',
      'The reduced formula, computed. Elements are sorted by electronegativity.',
    ),
    unitCellFormula: OptionalString('Si3 O6', 'The formula of all atoms of the cell, computed.'),
    lattice: Type.Optional(Lattice),
    basis: Type.Optional(Basis),
    derivedProperties: Type.Optional(Type.Array(DerivedProperty)),
    hash: OptionalString(
      'a665723ef7429caef6ca89385fe25bae',
      'The hash of the structure, computed. It does not depend on the order of the atoms.',
    ),
    scaledHash: OptionalString(
      '87e416358789a7c435eaaba0344af51d',
      'The hash of the structure with lengths in units of a, computed.',
    ),
    exabyteId: OptionalString(
      'wYcTBhLCQiyyN9zxR',
      'Identifies the structure, computed. Equal structures share it.',
    ),
    external: Type.Optional(External),
    isNonPeriodic: Type.Optional(Type.Boolean({ description: 'Whether it is a molecule.' })),
  },
  {
    $id: 'Material',
    additionalProperties: true,
    description: 'A material. Unknown fields are valid.',
  },
)
export type Material = Static<typeof Material>
