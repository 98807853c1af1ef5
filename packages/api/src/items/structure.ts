import { Type } from '@sinclair/typebox'
import type { Static, TNumber, TOptional, TSchema } from '@sinclair/typebox'

import { OptionalText, StringEnum, Text } from '@materials-mock/json'
import { Always } from './entity-fields.js'

const OptionalLength = (edge: string): TOptional<TNumber> =>
  Always(Type.Number({ description: `The length of the edge ${edge} in Å.`, examples: [3.867] }))

const OptionalAngle = (edges: string): TOptional<TNumber> =>
  Always(
    Type.Number({
      description: `The angle between the edges ${edges} in degrees.`,
      examples: [60],
    }),
  )

const THREE = { minItems: 3, maxItems: 3, examples: [[0.25, 0.25, 0.25]] }

/** Three components: Cartesian (x, y, z), or fractions of the edges (a, b, c). */
const Coordinate = Type.Array(Type.Number(), THREE)

/** The edges of a cell as Cartesian vectors, computed by the server. */
export const LatticeVectors = Type.Object({
  a: Always(Type.Array(Type.Number(), { ...THREE, description: 'The edge a in Å.' })),
  b: Always(Type.Array(Type.Number(), { ...THREE, description: 'The edge b in Å.' })),
  c: Always(Type.Array(Type.Number(), { ...THREE, description: 'The edge c in Å.' })),
  alat: Type.Optional(Type.Number({ description: 'The factor that multiplies the vectors.' })),
  units: OptionalText('angstrom', 'The unit of the vectors.'),
})

// prettier-ignore
const BRAVAIS_LATTICES = [
  'CUB', 'FCC', 'BCC', 'TET', 'BCT', 'ORC', 'ORCF', 'ORCI', 'ORCC', 'HEX', 'RHL', 'MCL', 'MCLC', 'TRI',
] as const

/** The cell of a crystal. */
export const Lattice = Type.Object({
  type: Always(
    StringEnum(BRAVAIS_LATTICES, {
      description:
        'The Bravais lattice (Setyawan and Curtarolo, doi:10.1016/j.commatsci.2010.05.010).',
      examples: ['FCC'],
    }),
  ),
  a: OptionalLength('a'),
  b: OptionalLength('b'),
  c: OptionalLength('c'),
  alpha: OptionalAngle('b and c'),
  beta: OptionalAngle('a and c'),
  gamma: OptionalAngle('a and b'),
  units: Always(
    Type.Object(
      {
        length: Always(OptionalText('angstrom', 'The unit of the lengths.')),
        angle: Always(OptionalText('degree', 'The unit of the angles.')),
      },
      { description: 'The units of the lengths and the angles.' },
    ),
  ),
  vectors: Always(
    Type.Object(LatticeVectors.properties, {
      description: 'The edges as Cartesian vectors in Å, computed by the server.',
    }),
  ),
})
export type Lattice = Static<typeof Lattice>

const AtomId = Type.Integer({
  description: 'The number of the atom within this material.',
  examples: [0],
})

/** A list of values of the atoms of a cell, each with the number of its atom. */
const PerAtom = <Value extends TSchema>(value: Value, description: string) =>
  Type.Array(Type.Object({ id: AtomId, value }), { description })

/** The atoms of a cell. The entries of its arrays belong together by `id`. */
export const Basis = Type.Object({
  elements: Always(PerAtom(Text('Si', 'The symbol of the element.'), 'The elements of the atoms.')),
  coordinates: Always(
    PerAtom(
      Type.Array(Type.Number(), {
        ...THREE,
        description: 'The position, in the units of the basis.',
      }),
      'The positions of the atoms, in `units`.',
    ),
  ),
  units: Always(
    StringEnum(['crystal', 'cartesian'], {
      description:
        'The units of the coordinates: fractions of the edges (crystal, the default) or Å (cartesian).',
      examples: ['crystal'],
    }),
  ),
  constraints: Type.Optional(
    PerAtom(
      Type.Array(Type.Boolean(), { description: 'For each edge, whether the atom may move.' }),
      'The edges along which an atom may move.',
    ),
  ),
  labels: Type.Optional(
    PerAtom(
      Type.Union([Type.Number(), Type.String()], { description: 'The label.' }),
      'Labels that distinguish atoms of one element, for example by spin direction.',
    ),
  ),
  cell: Always(
    Type.Union([Type.Array(Coordinate), LatticeVectors], {
      description: 'The vectors of the lattice (a, b, c) in Å, computed by the server.',
    }),
  ),
})
export type Basis = Static<typeof Basis>
