import { BodyInvalid } from '@materials-mock/json'
import { toCellParameters, toCellVectors, toCrystalCoordinates } from '../cell.js'
import type { CellParameters, CellVectors } from '../cell.js'
import { ORIGIN, subtract } from '../vector.js'
import type { Vector } from '../vector.js'
import { findKnownValues, parseTagNumber } from './cif-block.js'
import type { CifBlock } from './cif-block.js'

/**
 * By the matrix and the origin in the file, `_atom_sites_Cartn_tran_matrix` and `_vector` of the
 * core CIF dictionary; else a is along x, and b in the plane of x and y.
 * @throws BodyInvalid for a matrix that is incomplete or of another cell
 */
export function createConversion(block: CifBlock, cell: CellParameters): (point: Vector) => Vector {
  const edges = has(block, 'matrix_11') ? parseAxes(block, cell) : toStandardVectors(cell)
  const origin: Vector = has(block, 'vector_1')
    ? [parse(block, 'vector_1'), parse(block, 'vector_2'), parse(block, 'vector_3')]
    : ORIGIN
  return (point) => toCrystalCoordinates(subtract(point, origin), edges)
}

/** The start of the tags of the matrix and the origin. */
const PREFIX = '_atom_sites_cartn_tran_'

const has = (block: CifBlock, name: string): boolean =>
  findKnownValues(block, PREFIX + name).length > 0

const parse = (block: CifBlock, name: string): number =>
  parseTagNumber(block, PREFIX + name, 'a number', Number.isFinite)

/** The largest difference of an edge in Å, or of an angle in degrees: matrices have few digits. */
const MAX_DIFFERENCE = 0.1

function parseAxes(block: CifBlock, cell: CellParameters): CellVectors {
  const parseColumn = (number: number): Vector => [
    parse(block, `matrix_1${number}`),
    parse(block, `matrix_2${number}`),
    parse(block, `matrix_3${number}`),
  ]
  const edges: CellVectors = [parseColumn(1), parseColumn(2), parseColumn(3)]
  const found = toCellParameters(edges)
  const names = ['a', 'b', 'c', 'alpha', 'beta', 'gamma'] as const
  if (names.every((name) => Math.abs(found[name] - cell[name]) < MAX_DIFFERENCE)) return edges
  throw new BodyInvalid(`the CIF file must have a matrix (${PREFIX}matrix_11 to 33) of its cell`)
}

/** Returns edges with a along x: `toCellVectors` has the third one along z. */
function toStandardVectors({ a, b, c, alpha, beta, gamma }: CellParameters): CellVectors {
  const [second, third, first] = toCellVectors({
    a: b,
    b: c,
    c: a,
    alpha: beta,
    beta: gamma,
    gamma: alpha,
  })
  return [turn(first), turn(second), turn(third)]
}

/** Turns z to x, x to y, and y to z. */
const turn = ([x, y, z]: Vector): Vector => [z, x, y]
