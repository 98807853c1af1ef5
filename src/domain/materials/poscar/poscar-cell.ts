import { cellParameters, determinant } from '../cell.js'
import { parseNumber } from './poscar-lines.js'
import type { CellVectors, Vector } from '../cell.js'
import type { PoscarLines } from './poscar-lines.js'

/** The edges of a cell in Å, and what Cartesian components in the file are multiplied with. */
export interface PoscarCell {
  readonly edges: CellVectors
  readonly factors: Vector
}

/**
 * Lines 2 to 5 of a POSCAR file: a factor for all components, a volume in Å^3 (a number below 0) or
 * three factors for x, y and z (VASP 6), and the three edges.
 *
 * @throws BodyInvalid where a line has other numbers, or the edges lie in a plane.
 */
export const readPoscarCell = (lines: PoscarLines): PoscarCell => {
  const scale = readScale(lines)
  const edges: CellVectors = [
    readVector(lines, 3, 'the three numbers of an edge'),
    readVector(lines, 4, 'the three numbers of an edge'),
    readVector(lines, 5, 'the three numbers of an edge'),
  ]
  const { a, b, c } = cellParameters(edges)
  const volume = Math.abs(determinant(edges))
  if (!(volume > 1e-6 * a * b * c))
    throw lines.refuse(5, 'an edge outside the plane of those in lines 3 and 4')

  const factors = typeof scale === 'number' ? sameFactors(scale, volume) : scale
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
 * The first three numbers of a line.
 *
 * @throws BodyInvalid with what was `wanted` there, if it does not begin with three numbers.
 */
export const readVector = (lines: PoscarLines, number: number, wanted: string): Vector => {
  const [x, y, z] = lines.words(number, wanted).map(parseNumber)
  if (x === undefined || y === undefined || z === undefined) throw lines.refuse(number, wanted)
  return [x, y, z]
}

/** A vector with each component multiplied by its own factor. */
export const scaleVector = (vector: Vector, factors: Vector): Vector => [
  vector[0] * factors[0],
  vector[1] * factors[1],
  vector[2] * factors[2],
]

const readScale = (lines: PoscarLines): number | Vector => {
  const wanted = 'a scaling factor, a volume below 0, or three factors above 0'
  const [x, y, z] = lines.words(2, wanted).map(parseNumber)
  if (x === undefined || x === 0) throw lines.refuse(2, wanted)
  if (y === undefined) return x
  if (z === undefined || Math.min(x, y, z) <= 0) throw lines.refuse(2, wanted)
  return [x, y, z]
}

const sameFactors = (scale: number, volume: number): Vector => {
  const factor = scale > 0 ? scale : Math.cbrt(-scale / volume)
  return [factor, factor, factor]
}
