import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { OptionalText } from '@materials-mock/json'
import { Always, EntitySchema } from './entity-fields.js'
import { Basis, Lattice } from './structure.js'

/** A property that the server computes from a structure. `name` determines the other fields. */
export const DerivedProperty = Type.Object({
  name: Type.String({
    description: 'The kind of the property, which determines the other fields.',
    examples: ['volume', 'density', 'symmetry', 'elemental_ratio', 'p-norm'],
  }),
  value: Type.Optional(
    Type.Union([Type.Number(), Type.String()], {
      description: 'The value, in `units`.',
      examples: [40.888],
    }),
  ),
  units: Type.Optional(
    Type.String({
      description: 'The unit of the value: angstrom^3 of volume, g/cm^3 of density.',
      examples: ['angstrom^3', 'g/cm^3'],
    }),
  ),
  spaceGroupSymbol: OptionalText('Fd-3m', 'The Hermann-Mauguin symbol. Only for symmetry.'),
  pointGroupSymbol: OptionalText(
    'm-3m',
    'The Hermann-Mauguin symbol of the point group. Only for symmetry.',
  ),
  tolerance: Type.Optional(
    Type.Object(
      {
        value: Type.Number({ description: 'The tolerance, in `units`.', examples: [0.3] }),
        units: OptionalText('angstrom', 'The unit of the tolerance.'),
      },
      { description: 'The tolerance of the search for the space group. Only for symmetry.' },
    ),
  ),
  element: OptionalText('Si', 'The symbol of the element. Only for elemental_ratio.'),
  degree: Type.Optional(
    Type.Number({ description: 'The degree of the norm. Only for p-norm.', examples: [2] }),
  ),
})
export type DerivedProperty = Static<typeof DerivedProperty>

export const External = Type.Object({
  id: Type.Optional(
    Type.Union([Type.String(), Type.Number()], {
      description: 'The identifier at the source.',
      examples: ['mp-149'],
    }),
  ),
  source: OptionalText('MaterialsProject', 'The database of the structure.'),
  doi: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'The DOI of the publication.',
      examples: ['10.17188/1190959'],
    }),
  ),
  url: Type.Optional(Type.String({ description: 'The URL at the source.' })),
  origin: Type.Optional(
    Type.Boolean({ description: 'Whether the source is the origin of the structure.' }),
  ),
})

export const Material = EntitySchema('Material', {
  name: Always(OptionalText('Silicon FCC', 'The name.')),
  formula: Always(
    OptionalText(
      'SiO2',
      'The reduced formula, computed. Elements are sorted by electronegativity.',
    ),
  ),
  unitCellFormula: Always(
    OptionalText('Si3 O6', 'The formula of all atoms of the cell, computed.'),
  ),
  lattice: Always(
    Type.Object(Lattice.properties, {
      description: 'The cell: lengths in Å, angles in degrees.',
    }),
  ),
  basis: Always(
    Type.Object(Basis.properties, {
      description: 'The atoms: their elements, and their coordinates in `basis.units`.',
    }),
  ),
  derivedProperties: Always(
    Type.Array(DerivedProperty, {
      description:
        'The properties that follow from the structure: volume, density, symmetry, ratios of elements, p-norms.',
    }),
  ),
  hash: Always(
    OptionalText(
      'a665723ef7429caef6ca89385fe25bae',
      'The hash of the structure, computed. It does not depend on the order of the atoms.',
    ),
  ),
  scaledHash: Always(
    OptionalText(
      '87e416358789a7c435eaaba0344af51d',
      'The hash of the structure with lengths in units of a, computed.',
    ),
  ),
  exabyteId: Always(
    OptionalText(
      'wYcTBhLCQiyyN9zxR',
      'Identifies the structure, computed. Equal structures share it.',
    ),
  ),
  external: Type.Optional(
    Type.Object(External.properties, { description: 'The publication of the structure.' }),
  ),
  isNonPeriodic: Type.Optional(
    Type.Boolean({ description: 'Whether the material is a molecule.' }),
  ),
})
export type Material = Static<typeof Material>
