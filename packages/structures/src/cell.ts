import { computeLength, cross, dot, mapVector } from './vector.js'
import type { Vector } from './vector.js'

/** The edges of a cell: their lengths in Å, and the angles between them in degrees. */
export interface CellParameters {
  readonly a: number
  readonly b: number
  readonly c: number
  /** Between b and c. */
  readonly alpha: number
  /** Between a and c. */
  readonly beta: number
  /** Between a and b. */
  readonly gamma: number
}

/** The three edges of a cell as Cartesian vectors in Å. */
export type CellVectors = readonly [a: Vector, b: Vector, c: Vector]

/**
 * The platform's orientation: c along z, a in the half plane of x and z with x above 0, b with y
 * above 0. The cell must be possible. Source: `calculateVectors` of the platform's `made` library,
 * which follows pymatgen's `Lattice.from_parameters`.
 */
export function toCellVectors(cell: CellParameters): CellVectors {
  const { a, b, c } = cell
  const [cosAlpha, cosBeta, cosGamma] = computeCosines(cell)
  const [sinAlpha, sinBeta] = [computeSine(cosAlpha), computeSine(cosBeta)]
  const cosGammaStar = (cosAlpha * cosBeta - cosGamma) / (sinAlpha * sinBeta)
  return [
    [a * sinBeta, 0, a * cosBeta],
    [-b * sinAlpha * cosGammaStar, b * sinAlpha * computeSine(cosGammaStar), b * cosAlpha],
    [0, 0, c],
  ]
}

/** Returns the lengths and angles of edges in any orientation, including left-handed ones. */
export const toCellParameters = ([a, b, c]: CellVectors): CellParameters => ({
  a: computeLength(a),
  b: computeLength(b),
  c: computeLength(c),
  alpha: computeAngle(b, c),
  beta: computeAngle(a, c),
  gamma: computeAngle(a, b),
})

/**
 * Returns the volume of any triclinic cell in Å^3, or 0 for an impossible cell (International Tables
 * for Crystallography, volume D, section 1.1.2: the root of the determinant of the metric tensor).
 */
export const computeVolume = (cell: CellParameters): number =>
  cell.a * cell.b * cell.c * Math.sqrt(Math.max(0, computeAngularFactor(cell)))

/** Whether three edges can meet at these angles without lying in one plane. */
export const isPossibleCell = (cell: CellParameters): boolean => computeAngularFactor(cell) > 1e-9

/** Returns the signed volume of three edges in Å^3: below 0 if they are left-handed. */
export const computeDeterminant = ([a, b, c]: CellVectors): number => dot(a, cross(b, c))

/** Returns the distances of neighbouring lattice planes along each of the edges, in Å. */
export function computePlaneSpacings([a, b, c]: CellVectors): Vector {
  const volume = Math.abs(computeDeterminant([a, b, c]))
  return [
    volume / computeLength(cross(b, c)),
    volume / computeLength(cross(c, a)),
    volume / computeLength(cross(a, b)),
  ]
}

/** Converts a Cartesian point in Å to crystal coordinates, in units of the cell's edges. */
export function toCrystalCoordinates(point: Vector, [a, b, c]: CellVectors): Vector {
  const volume = computeDeterminant([a, b, c])
  return [
    dot(point, cross(b, c)) / volume,
    dot(point, cross(c, a)) / volume,
    dot(point, cross(a, b)) / volume,
  ]
}

/** Converts a point in crystal coordinates to a Cartesian point in Å. */
export const toCartesian = ([u, v, w]: Vector, [a, b, c]: CellVectors): Vector => [
  u * a[0] + v * b[0] + w * c[0],
  u * a[1] + v * b[1] + w * c[1],
  u * a[2] + v * b[2] + w * c[2],
]

/** The distance from a face of the cell within which an atom counts as on the face, in Å. */
const BORDER_DISTANCE = 0.05

/** Returns the distance from a face within which an atom counts as on the face, in units of each edge. */
export const findBorderTolerance = (vectors: CellVectors): Vector =>
  mapVector(computePlaneSpacings(vectors), (spacing) => Math.min(0.1, BORDER_DISTANCE / spacing))

/** All vectors of whole numbers between two opposite corners. They may be too many for a list. */
export function* listCells(from: Vector, to: Vector): Generator<Vector> {
  for (let i = from[0]; i <= to[0]; i += 1) {
    for (let j = from[1]; j <= to[1]; j += 1)
      for (let k = from[2]; k <= to[2]; k += 1) yield [i, j, k]
  }
}

/** Returns the squared volume of a cell with these angles whose edges have length 1. */
function computeAngularFactor(cell: CellParameters): number {
  const [x, y, z] = computeCosines(cell)
  return 1 - x * x - y * y - z * z + 2 * x * y * z
}

const computeCosines = ({ alpha, beta, gamma }: CellParameters): Vector => [
  Math.cos((alpha * Math.PI) / 180),
  Math.cos((beta * Math.PI) / 180),
  Math.cos((gamma * Math.PI) / 180),
]

const computeSine = (cosine: number): number => Math.sqrt(Math.max(0, 1 - cosine * cosine))

const computeAngle = (a: Vector, b: Vector): number =>
  (Math.atan2(computeLength(cross(a, b)), dot(a, b)) * 180) / Math.PI
