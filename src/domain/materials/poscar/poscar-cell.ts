import { computeDeterminant, toCellParameters } from '../cell.js'
import type { CellVectors, Vector } from '../cell.js'
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
  const edges: CellVectors = [
    parseVector(lines, 3, 'the three numbers of an edge'),
    parseVector(lines, 4, 'the three numbers of an edge'),
    parseVector(lines, 5, 'the three numbers of an edge'),
  ]
  const { a, b, c } = toCellParameters(edges)
  const volume = Math.abs(computeDeterminant(edges))
  if (!(volume > 1e-6 * a * b * c))
    throw lines.error(5, 'an edge outside the plane of those in lines 3 and 4')

  const factors = typeof scale === 'number' ? toFactors(scale, volume) : scale
  return {
    edges: [
      scaleVector(edges[0], factors),
      scaleVector(edges[1], factors),
      scaleVector(edges[2], factors),
    ],
    factors,
  }
}

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
