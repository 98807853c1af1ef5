/** Lengths in Å; angles in degrees: alpha between b and c, beta between a and c, gamma between a and b. */
export interface CellParameters {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly alpha: number
  readonly beta: number
  readonly gamma: number
}

/** Three numbers: a Cartesian vector in Å, or the coordinates of a point in units of a cell. */
export type Vector = readonly [number, number, number]

/** The three edges of a cell in Å, one a row. */
export type CellVectors = readonly [a: Vector, b: Vector, c: Vector]

/**
 * The edges of a cell in the platform's orientation: c along z, a in the half plane of x and z with
 * x above 0, b with y above 0. The cell must be possible (see `isPossibleCell`).
 *
 * Source: the `calculateVectors` of the platform's `made` library, which has it from pymatgen's
 * `Lattice.from_parameters`.
 */
export const cellVectors = (cell: CellParameters): CellVectors => {
  const { a, b, c } = cell
  const [cosAlpha, cosBeta, cosGamma] = cosines(cell)
  const [sinAlpha, sinBeta] = [sineOf(cosAlpha), sineOf(cosBeta)]
  const cosGammaStar = (cosAlpha * cosBeta - cosGamma) / (sinAlpha * sinBeta)
  return [
    [a * sinBeta, 0, a * cosBeta],
    [-b * sinAlpha * cosGammaStar, b * sinAlpha * sineOf(cosGammaStar), b * cosAlpha],
    [0, 0, c],
  ]
}

/** The lengths and angles of a cell, from its edges in any orientation, left-handed ones too. */
export const cellParameters = ([a, b, c]: CellVectors): CellParameters => ({
  a: lengthOf(a),
  b: lengthOf(b),
  c: lengthOf(c),
  alpha: angleBetween(b, c),
  beta: angleBetween(a, c),
  gamma: angleBetween(a, b),
})

/**
 * The volume in Å^3 of any triclinic cell, 0 of an impossible one (International Tables for
 * Crystallography, volume D, section 1.1.2: the root of the determinant of the metric tensor).
 */
export const cellVolume = (cell: CellParameters): number =>
  cell.a * cell.b * cell.c * Math.sqrt(Math.max(0, angularFactor(cell)))

/** Whether three edges can meet at these angles without lying in one plane. */
export const isPossibleCell = (cell: CellParameters): boolean => angularFactor(cell) > 1e-9

/** The signed volume in Å^3 that three edges span: below 0 where they are left-handed. */
export const determinant = ([a, b, c]: CellVectors): number => dot(a, cross(b, c))

/** The coordinates of a Cartesian point (in Å) in units of a cell's edges. */
export const toCrystal = (point: Vector, [a, b, c]: CellVectors): Vector => {
  const volume = determinant([a, b, c])
  return [
    dot(point, cross(b, c)) / volume,
    dot(point, cross(c, a)) / volume,
    dot(point, cross(a, b)) / volume,
  ]
}

const angularFactor = (cell: CellParameters): number => {
  const [x, y, z] = cosines(cell)
  return 1 - x * x - y * y - z * z + 2 * x * y * z
}

const cosines = ({ alpha, beta, gamma }: CellParameters): Vector => [
  Math.cos((alpha * Math.PI) / 180),
  Math.cos((beta * Math.PI) / 180),
  Math.cos((gamma * Math.PI) / 180),
]

const sineOf = (cosine: number): number => Math.sqrt(Math.max(0, 1 - cosine * cosine))

const angleBetween = (a: Vector, b: Vector): number =>
  (Math.atan2(lengthOf(cross(a, b)), dot(a, b)) * 180) / Math.PI

const lengthOf = (a: Vector): number => Math.hypot(...a)

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
