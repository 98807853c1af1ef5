import { Type, type Static } from '@sinclair/typebox'

import { Basis, Lattice } from './structure.js'

const optionalString = (example: string, description?: string) =>
  Type.Optional(Type.String({ ...(description && { description }), examples: [example] }))

/** One property that the server computes of a structure; `name` says which fields it has. */
export const DerivedProperty = Type.Object({
  name: Type.String({ examples: ['volume', 'density', 'symmetry', 'elemental_ratio', 'p-norm'] }),
  value: Type.Optional(Type.Union([Type.Number(), Type.String()], { examples: [40.888] })),
  units: Type.Optional(Type.String({ examples: ['angstrom^3', 'g/cm^3'] })),
  spaceGroupSymbol: Type.Optional(
    Type.String({ description: 'Of symmetry: Hermann-Mauguin symbol.', examples: ['Fd-3m'] }),
  ),
  element: Type.Optional(Type.String({ description: 'Of elemental_ratio.', examples: ['Si'] })),
  degree: Type.Optional(Type.Number({ description: 'Of p-norm.', examples: [2] })),
})
export type DerivedProperty = Static<typeof DerivedProperty>

/** Whom an item belongs to or who made it. */
export const Reference = Type.Object({
  _id: Type.Optional(Type.String()),
  slug: optionalString('demo'),
  cls: optionalString('Account', 'What it refers to: Account of an owner, User of a creator.'),
})
export type Reference = Static<typeof Reference>

/** Where a structure was published. */
export const External = Type.Object({
  id: Type.Optional(Type.Union([Type.String(), Type.Number()], { examples: ['mp-149'] })),
  source: optionalString('MaterialsProject'),
  doi: Type.Optional(Type.Union([Type.String(), Type.Null()], { examples: ['10.17188/1190959'] })),
  url: Type.Optional(Type.String()),
  origin: Type.Optional(Type.Boolean()),
})
export type External = Static<typeof External>

/** One set that an item is in. */
export const SetMembership = Type.Object({
  _id: Type.Optional(Type.String()),
  type: optionalString('unordered'),
})
export type SetMembership = Static<typeof SetMembership>

/**
 * A material as it is stored and served. What is there has the right type; all but `_id` may be
 * missing, and unknown fields pass.
 */
export const Material = Type.Object(
  {
    _id: Type.String({ minLength: 1, examples: ['K3b8xTqWn5RzLc7Fd'] }),
    name: optionalString('Silicon FCC'),
    formula: optionalString('SiO2', 'Reduced formula, computed: elements by electronegativity.'),
    unitCellFormula: optionalString('Si3 O6', 'Formula of all atoms of the cell, computed.'),
    lattice: Type.Optional(Lattice),
    basis: Type.Optional(Basis),
    derivedProperties: Type.Optional(Type.Array(DerivedProperty)),
    hash: optionalString(
      '5a1d8f1f8a6ae3f0b3a1a1c1f0a9c2de',
      'Of the structure, computed: equal structures share it, however their atoms are listed.',
    ),
    external: Type.Optional(External),
    tags: Type.Optional(Type.Array(Type.String(), { examples: [['elemental']] })),
    metadata: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: "The users' own facts." }),
    ),
    isNonPeriodic: Type.Optional(Type.Boolean({ description: 'Whether it is a molecule.' })),
    isDefault: Type.Optional(Type.Boolean({ description: "Whether it is its owner's default." })),
    owner: Type.Optional(Reference),
    creator: Type.Optional(Reference),
    inSet: Type.Optional(Type.Array(SetMembership)),
    schemaVersion: optionalString('2022.8.16'),
    createdAt: optionalString('2024-03-14T09:26:53.000Z', 'Time in UTC (ISO 8601).'),
    updatedAt: optionalString('2024-03-14T09:26:53.000Z', 'Time in UTC (ISO 8601).'),
  },
  {
    $id: 'Material',
    additionalProperties: true,
    description: 'A material; unknown fields pass',
  },
)
export type Material = Static<typeof Material>
