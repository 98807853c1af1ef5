import { findBorderTolerance, listCells, toCartesian } from '../cell.js'
import type { CellVectors } from '../cell.js'
import { add } from '../vector.js'
import type { Vector } from '../vector.js'
import type { Crystal } from './crystal.js'

/** How often a cell is repeated along each of its edges: whole numbers from 1. */
export type Supercell = readonly [number, number, number]

/** An atom at its place in a picture. */
export interface PlacedAtom {
  /** The index of its site. */
  readonly site: number
  /** The cell in which it is drawn. The upper border of a supercell belongs to the next cell. */
  readonly cell: Vector
  /** Cartesian, in Å. */
  readonly position: Vector
}

/**
 * Returns the atoms of a supercell as crystallographers draw them: an atom on a face, an edge or a
 * corner of the supercell is repeated on the opposite ones, and each place is filled once. A molecule
 * has its own atoms only.
 */
export function placeAtoms(crystal: Crystal, supercell: Supercell): PlacedAtom[] {
  const { sites, vectors, isPeriodic } = crystal
  if (!isPeriodic) {
    return sites.map(({ coordinate }, site) => ({
      site,
      cell: ORIGIN,
      position: toCartesian(coordinate, vectors),
    }))
  }
  const tolerance = findBorderTolerance(vectors)
  return sites.flatMap(({ coordinate }, site) => {
    const isOnBorder = coordinate.map((value, axis) => value <= (tolerance[axis] ?? 0))
    const [u, v, w] = supercell.map((count, axis) => count + (isOnBorder[axis] === true ? 1 : 0))
    const last: Vector = [(u ?? 1) - 1, (v ?? 1) - 1, (w ?? 1) - 1]
    return [...listCells(ORIGIN, last)].map((cell) => ({
      site,
      cell,
      position: toCartesian(add(coordinate, cell), vectors),
    }))
  })
}

/** Returns the number of atoms that a supercell has, without those repeated on its border. */
export const countAtoms = ({ sites, isPeriodic }: Crystal, [u, v, w]: Supercell): number =>
  sites.length * (isPeriodic ? u * v * w : 1)

/** Returns the edges of all cells of a supercell, each once, from one point in Å to another. */
export function listCellEdges(vectors: CellVectors, [u, v, w]: Supercell): [Vector, Vector][] {
  const corners = [...listCells(ORIGIN, [u, v, w])]
  return corners.flatMap((corner) =>
    UNIT_STEPS.map((step) => [corner, add(corner, step)] as const)
      .filter(([, [x, y, z]]) => x <= u && y <= v && z <= w)
      .map(([from, to]): [Vector, Vector] => [
        toCartesian(from, vectors),
        toCartesian(to, vectors),
      ]),
  )
}

const ORIGIN: Vector = [0, 0, 0]

const UNIT_STEPS: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]
