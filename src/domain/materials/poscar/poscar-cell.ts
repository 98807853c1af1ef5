import { computeDeterminant, toCellParameters } from '../cell.js'
import type { CellVectors } from '../cell.js'
import { MAX_LENGTH, MIN_LENGTH } from '../structure.js'
import type { Vector } from '../vector.js'
import { parseNumber } from './poscar-lines.js'
import type { PoscarLines } from './poscar-lines.js'

/** The cell of a POSCAR file. */
export interface PoscarCell {
  /** In Å. */
  readonly edges: CellVectors
  /** The factors that scale the x, y and z components of Cartesian coordinates in the file to Å. */
  readonly factors: Vector
}

/**
 * Parses lines 2 to 5 of a POSCAR file: the scale, then the three edges. The scale is a factor for
 * all components, a volume in Å^3 (a number below 0), or three factors for x, y and z (VASP 6).
 * @throws BodyInvalid for a line with other numbers, or for edges that lie in a plane
 */
export function parsePoscarCell(lines: PoscarLines): PoscarCell {
  const scale = parseScale(lines)
  const edges: CellVectors = [parseEdge(lines, 3), parseEdge(lines, 4), parseEdge(lines, 5)]
  const { a, b, c } = toCellParameters(edges)
  const volume = Math.abs(computeDeterminant(edges))
  if (!(volume > 1e-6 * a * b * c))
    throw lines.error(5, 'an edge outside the plane of those in lines 3 and 4')

  const factors = typeof scale === 'number' ? toFactors(scale, volume) : scale
  const scaled: CellVectors = [
    scaleVector(edges[0], factors),
    scaleVector(edges[1], factors),
    scaleVector(edges[2], factors),
  ]
  const lengths = scaled.map((edge) => Math.hypot(...edge))
  const wrong = lengths.findIndex((length) => !(length >= MIN_LENGTH && length <= MAX_LENGTH))
  if (wrong !== -1) {
    const range = `from ${MIN_LENGTH} to ${MAX_LENGTH} Å`
    throw lines.error(3 + wrong, `an edge whose length, times the scale, is ${range}`)
  }
  return { edges: scaled, factors }
}

/** Parses an edge. Its numbers are bounded, so that the volume of three edges is finite. */
function parseEdge(lines: PoscarLines, number: number): Vector {
  const edge = parseVector(lines, number, 'the three numbers of an edge')
  if (edge.every((each) => Math.abs(each) <= MAX_NUMBER)) return edge
  throw lines.error(number, `the three numbers of an edge, up to ${MAX_NUMBER}`)
}

/** The largest number of an edge. The cube of a larger one would overflow a double. */
const MAX_NUMBER = 1e100

/**
 * Parses the first three numbers of a line.
 * @param expected what the line must be, for the message of the error
 * @throws BodyInvalid if the line does not start with three numbers
 */
export function parseVector(lines: PoscarLines, number: number, expected: string): Vector {
  const [x, y, z] = lines.words(number, expected).map(parseNumber)
  if (x === undefined || y === undefined || z === undefined) throw lines.error(number, expected)
  return [x, y, z]
}

/** Multiplies each component of a vector by its own factor. */
export const scaleVector = (vector: Vector, factors: Vector): Vector => [
  vector[0] * factors[0],
  vector[1] * factors[1],
  vector[2] * factors[2],
]

function parseScale(lines: PoscarLines): number | Vector {
  const expected = 'a scaling factor, a volume below 0, or three factors above 0'
  const [x, y, z] = lines.words(2, expected).map(parseNumber)
  if (x === undefined || x === 0) throw lines.error(2, expected)
  if (y === undefined) return x
  if (z === undefined || Math.min(x, y, z) <= 0) throw lines.error(2, expected)
  return [x, y, z]
}

/**
 * Converts a scale to factors.
 * @param scale a factor, or a volume in Å^3 as a number below 0
 * @param volume that of the unscaled edges
 */
function toFactors(scale: number, volume: number): Vector {
  const factor = scale > 0 ? scale : Math.cbrt(-scale / volume)
  return [factor, factor, factor]
}
