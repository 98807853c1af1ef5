import type { DrawableMaterial } from '../src/geometry/crystal.js'

type Atom = readonly [symbol: string, x: number, y: number, z: number]

/** A material of the platform, as far as its picture needs it. */
export function createMaterial(
  edges: readonly [number, number, number],
  atoms: readonly Atom[],
  rest: { readonly units?: 'crystal' | 'cartesian'; readonly isNonPeriodic?: boolean } = {},
): DrawableMaterial & { readonly name: string } {
  const { units = 'crystal', isNonPeriodic = false } = rest
  const [a, b, c] = edges
  return {
    name: [...new Set(atoms.map(([symbol]) => symbol))].join(''),
    lattice: { a, b, c, alpha: 90, beta: 90, gamma: 90 },
    basis: {
      units,
      elements: atoms.map(([value], id) => ({ id, value })),
      coordinates: atoms.map(([, ...value], id) => ({ id, value })),
    },
    isNonPeriodic,
  }
}

const createMolecule = (atoms: readonly Atom[]): DrawableMaterial & { readonly name: string } =>
  createMaterial([10, 10, 10], atoms, { units: 'cartesian', isNonPeriodic: true })

/** The cubic cell of rock salt. */
export const NACL = createMaterial(
  [5.64, 5.64, 5.64],
  [
    ['Na', 0, 0, 0],
    ['Na', 0, 0.5, 0.5],
    ['Na', 0.5, 0, 0.5],
    ['Na', 0.5, 0.5, 0],
    ['Cl', 0.5, 0.5, 0.5],
    ['Cl', 0.5, 0, 0],
    ['Cl', 0, 0.5, 0],
    ['Cl', 0, 0, 0.5],
  ],
)

/** The cubic cell of silicon: 8 atoms, 16 bonds. */
export const SILICON = createMaterial(
  [5.431, 5.431, 5.431],
  [
    [0, 0, 0],
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ].flatMap(([x = 0, y = 0, z = 0]): Atom[] => [
    ['Si', x, y, z],
    ['Si', x + 0.25, y + 0.25, z + 0.25],
  ]),
)

/** Gas phase: O–H 0.958 Å, H–O–H 104.5 degrees. */
export const WATER = createMolecule([
  ['O', 0, 0, 0.117],
  ['H', 0, 0.757, -0.469],
  ['H', 0, -0.757, -0.469],
])

/** C–H 1.087 Å, along the diagonals of a cube. */
export const METHANE = createMolecule([
  ['C', 0, 0, 0],
  ['H', 0.6276, 0.6276, 0.6276],
  ['H', -0.6276, -0.6276, 0.6276],
  ['H', -0.6276, 0.6276, -0.6276],
  ['H', 0.6276, -0.6276, -0.6276],
])

/** C–C 1.397 Å, C–H 1.084 Å. */
export const BENZENE = createMolecule(
  [
    ['C', 1.397],
    ['H', 2.481],
  ].flatMap(([symbol, radius]) =>
    [0, 1, 2, 3, 4, 5].map((corner): Atom => {
      const angle = (corner * Math.PI) / 3
      return [String(symbol), Number(radius) * Math.cos(angle), Number(radius) * Math.sin(angle), 0]
    }),
  ),
)
