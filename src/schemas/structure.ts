import { Type, type SchemaOptions, type Static } from '@sinclair/typebox'

const length = (edge: string) =>
  Type.Optional(
    Type.Number({ description: `Length of the edge ${edge}, in Å.`, examples: [3.867] }),
  )

const angle = (edges: string) =>
  Type.Optional(
    Type.Number({ description: `Angle between the edges ${edges}, in degrees.`, examples: [60] }),
  )

/** Three numbers: x, y and z, or the shares of the edges a, b and c. */
export const Coordinate = Type.Array(Type.Number(), {
  minItems: 3,
  maxItems: 3,
  examples: [[0.25, 0.25, 0.25]],
})
export type Coordinate = Static<typeof Coordinate>

/** The edges of a cell as Cartesian vectors, computed by the server. */
export const LatticeVectors = Type.Object({
  a: Type.Optional(Coordinate),
  b: Type.Optional(Coordinate),
  c: Type.Optional(Coordinate),
  alat: Type.Optional(Type.Number({ description: 'What to multiply the vectors with.' })),
  units: Type.Optional(Type.String({ examples: ['angstrom'] })),
})
export type LatticeVectors = Static<typeof LatticeVectors>

const bravaisLattices = 'CUB FCC BCC TET BCT ORC ORCF ORCI ORCC HEX RHL MCL MCLC TRI'.split(' ')

/** One of several strings. */
const oneOf = (values: readonly string[], options: SchemaOptions) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  )

/** The cell of a crystal. */
export const Lattice = Type.Object({
  type: Type.Optional(
    oneOf(bravaisLattices, {
      description: 'Bravais lattice (Setyawan and Curtarolo, doi:10.1016/j.commatsci.2010.05.010).',
      examples: ['FCC'],
    }),
  ),
  a: length('a'),
  b: length('b'),
  c: length('c'),
  alpha: angle('b and c'),
  beta: angle('a and c'),
  gamma: angle('a and b'),
  units: Type.Optional(
    Type.Object({
      length: Type.Optional(Type.String({ examples: ['angstrom'] })),
      angle: Type.Optional(Type.String({ examples: ['degree'] })),
    }),
  ),
  vectors: Type.Optional(LatticeVectors),
})
export type Lattice = Static<typeof Lattice>

const id = Type.Integer({ description: 'Number of the atom within this material.', examples: [0] })

/** The atoms of a cell; `elements`, `coordinates` and the rest are matched by `id`. */
export const Basis = Type.Object({
  elements: Type.Optional(
    Type.Array(Type.Object({ id, value: Type.String({ examples: ['Si'] }) })),
  ),
  coordinates: Type.Optional(Type.Array(Type.Object({ id, value: Coordinate }))),
  units: Type.Optional(
    oneOf(['crystal', 'cartesian'], {
      description:
        'Coordinates are shares of the edges (crystal, the default) or in Å (cartesian).',
      examples: ['crystal'],
    }),
  ),
  constraints: Type.Optional(
    Type.Array(Type.Object({ id, value: Type.Array(Type.Boolean()) }), {
      description: 'Along which edges an atom may move.',
    }),
  ),
  labels: Type.Optional(
    Type.Array(Type.Object({ id, value: Type.Union([Type.Number(), Type.String()]) }), {
      description: 'What tells atoms of one element apart, as the direction of their spin.',
    }),
  ),
})
export type Basis = Static<typeof Basis>
