import { Type } from '@sinclair/typebox'
import type { Static, TOptional, TString } from '@sinclair/typebox'

import { StringEnum } from './string-enum.js'
import { Basis, Lattice } from './structure.js'

/** An optional text. */
export const OptionalString = (example: string, description?: string): TOptional<TString> =>
  Type.Optional(Type.String({ ...(description && { description }), examples: [example] }))

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

/** A reference to the owner or the creator of an item. */
export const Reference = Type.Object({
  _id: Type.Optional(Type.String()),
  slug: OptionalString('demo'),
  cls: OptionalString(
    'Account',
    'The type of the reference: Account for an owner, User for a creator.',
  ),
})
export type Reference = Static<typeof Reference>

/** The publication of a structure. */
export const External = Type.Object({
  id: Type.Optional(Type.Union([Type.String(), Type.Number()], { examples: ['mp-149'] })),
  source: OptionalString('MaterialsProject'),
  doi: Type.Optional(Type.Union([Type.String(), Type.Null()], { examples: ['10.17188/1190959'] })),
  url: Type.Optional(Type.String()),
  origin: Type.Optional(Type.Boolean()),
})
export type External = Static<typeof External>

/** The type of a set: whether its items have an order. */
export const SetType = StringEnum(['unordered', 'ordered'])

/** A set that an item is in. */
export const SetMembership = Type.Object({
  _id: Type.Optional(Type.String()),
  type: OptionalString('unordered'),
  index: Type.Optional(
    Type.Number({ description: 'The position in an ordered set, from 0 on.', examples: [0] }),
  ),
})
export type SetMembership = Static<typeof SetMembership>

/**
 * A material as it is stored and sent. All fields but `_id` are optional, and unknown fields are
 * valid.
 */
export const Material = Type.Object(
  {
    _id: Type.String({ minLength: 1, examples: ['K3b8xTqWn5RzLc7Fd'] }),
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
    tags: Type.Optional(Type.Array(Type.String(), { examples: [['elemental']] })),
    metadata: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'Any data of the users.' }),
    ),
    isNonPeriodic: Type.Optional(Type.Boolean({ description: 'Whether it is a molecule.' })),
    isDefault: Type.Optional(
      Type.Boolean({ description: 'Whether it is the default material of its owner.' }),
    ),
    isEntitySet: Type.Optional(Type.Boolean({ description: 'Whether it is a set of items.' })),
    owner: Type.Optional(Reference),
    creator: Type.Optional(Reference),
    inSet: Type.Optional(Type.Array(SetMembership)),
    schemaVersion: OptionalString('2022.8.16'),
    createdAt: OptionalString('2024-03-14T09:26:53.000Z', 'The time in UTC (ISO 8601).'),
    createdBy: OptionalString('K3b8xTqWn5RzLc7Fd', 'The _id of the account that created it.'),
    updatedAt: OptionalString('2024-03-14T09:26:53.000Z', 'The time in UTC (ISO 8601).'),
    updatedBy: OptionalString('K3b8xTqWn5RzLc7Fd', 'The _id of the account that changed it last.'),
  },
  {
    $id: 'Material',
    additionalProperties: true,
    description: 'A material. Unknown fields are valid.',
  },
)
export type Material = Static<typeof Material>
