import { Type } from '@sinclair/typebox'
import type { Static, TNumber, TOptional } from '@sinclair/typebox'

import { StringEnum } from '../../json/string-enum.js'

const OptionalLength = (edge: string): TOptional<TNumber> =>
  Type.Optional(
    Type.Number({ description: `The length of the edge ${edge} in Å.`, examples: [3.867] }),
  )

const OptionalAngle = (edges: string): TOptional<TNumber> =>
  Type.Optional(
    Type.Number({
      description: `The angle between the edges ${edges} in degrees.`,
      examples: [60],
    }),
  )

/** Three components: Cartesian (x, y, z), or fractions of the edges (a, b, c). */
const Coordinate = Type.Array(Type.Number(), {
  minItems: 3,
  maxItems: 3,
  examples: [[0.25, 0.25, 0.25]],
})

/** The edges of a cell as Cartesian vectors, computed by the server. */
const LatticeVectors = Type.Object({
  a: Type.Optional(Coordinate),
  b: Type.Optional(Coordinate),
  c: Type.Optional(Coordinate),
  alat: Type.Optional(Type.Number({ description: 'The factor that multiplies the vectors.' })),
  units: Type.Optional(Type.String({ examples: ['angstrom'] })),
})

const BRAVAIS_LATTICES = 'CUB FCC BCC TET BCT ORC ORCF ORCI ORCC HEX RHL MCL MCLC TRI'.split(' ')

/** The cell of a crystal. */
export const Lattice = Type.Object({
  type: Type.Optional(
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
  units: Type.Optional(
    Type.Object({
      length: Type.Optional(Type.String({ examples: ['angstrom'] })),
      angle: Type.Optional(Type.String({ examples: ['degree'] })),
    }),
  ),
  vectors: Type.Optional(LatticeVectors),
})
export type Lattice = Static<typeof Lattice>

const AtomId = Type.Integer({
  description: 'The number of the atom within this material.',
  examples: [0],
})

/** The atoms of a cell. The entries of its arrays belong together by `id`. */
export const Basis = Type.Object({
  elements: Type.Optional(
    Type.Array(Type.Object({ id: AtomId, value: Type.String({ examples: ['Si'] }) })),
  ),
  coordinates: Type.Optional(Type.Array(Type.Object({ id: AtomId, value: Coordinate }))),
  units: Type.Optional(
    StringEnum(['crystal', 'cartesian'], {
      description:
        'The units of the coordinates: fractions of the edges (crystal, the default) or Å (cartesian).',
      examples: ['crystal'],
    }),
  ),
  constraints: Type.Optional(
    Type.Array(Type.Object({ id: AtomId, value: Type.Array(Type.Boolean()) }), {
      description: 'The edges along which an atom may move.',
    }),
  ),
  labels: Type.Optional(
    Type.Array(Type.Object({ id: AtomId, value: Type.Union([Type.Number(), Type.String()]) }), {
      description: 'Labels that distinguish atoms of one element, for example by spin direction.',
    }),
  ),
  cell: Type.Optional(
    Type.Union([Type.Array(Coordinate), LatticeVectors], {
      description: 'The vectors of the lattice (a, b, c) in Å, computed by the server.',
    }),
  ),
})
export type Basis = Static<typeof Basis>
