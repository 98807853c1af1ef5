/** A symmetry operation on crystal coordinates: a rotation, then a translation. */
export interface SymmetryOperation {
  /** The rows of the rotation. */
  readonly rotation: readonly [Vector, Vector, Vector]
  readonly translation: Vector
}

import { dot } from '../vector.js'
import type { Vector } from '../vector.js'
/**
 * Parses a symmetry operation as a CIF file has it: `-x+1/2, y, 0.5-z`. Undefined for anything else.
 * Source: `_space_group_symop_operation_xyz` of the core CIF dictionary.
 */
export function parseSymmetryOperation(text: string): SymmetryOperation | undefined {
  const [a, b, c, ...others] = text.toLowerCase().replace(/\s+/g, '').split(',').map(parseComponent)
  if (a === undefined || b === undefined || c === undefined || others.length > 0) return undefined
  const operation: SymmetryOperation = {
    rotation: [a.row, b.row, c.row],
    translation: [a.shift, b.shift, c.shift],
  }
  return Math.abs(computeDeterminant(operation.rotation)) === 1 ? operation : undefined
}

/** Applies a symmetry operation to a point. */
export function applyOperation(
  { rotation: [a, b, c], translation }: SymmetryOperation,
  point: Vector,
): Vector {
  return [
    dot(a, point) + translation[0],
    dot(b, point) + translation[1],
    dot(c, point) + translation[2],
  ]
}

interface Component {
  readonly row: Vector
  readonly shift: number
}

/** A term of a sum: a sign, and an axis, a fraction or a number. Only the first needs no sign. */
const TERM = /([+-]?)(?:([xyz])|(\d+)\/(\d+)|(\d+\.?\d*|\.\d+))(?=[+-]|$)/y

function parseComponent(text: string): Component | undefined {
  const row: [number, number, number] = [0, 0, 0]
  let shift = 0
  TERM.lastIndex = 0
  for (let at = 0; at < text.length || at === 0; at = TERM.lastIndex) {
    TERM.lastIndex = at
    const match = TERM.exec(text)
    if (match === null) return undefined
    const [, signText, axis, numerator, denominator, number] = match
    const sign = signText === '-' ? -1 : 1
    if (axis !== undefined) row['xyz'.indexOf(axis)] = (row['xyz'.indexOf(axis)] ?? 0) + sign
    else shift += sign * (number === undefined ? Number(numerator) / Number(denominator) : +number)
  }
  return Number.isFinite(shift) ? { row, shift } : undefined
}

const computeDeterminant = ([a, b, c]: SymmetryOperation['rotation']): number =>
  a[0] * (b[1] * c[2] - b[2] * c[1]) -
  a[1] * (b[0] * c[2] - b[2] * c[0]) +
  a[2] * (b[0] * c[1] - b[1] * c[0])
