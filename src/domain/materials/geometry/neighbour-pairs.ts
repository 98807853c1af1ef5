import { toCartesian } from '../cell.js'
import { add, subtract } from '../vector.js'
import type { Vector } from '../vector.js'
import { createBinGrid, toBinKey } from './bin-grid.js'
import type { Bin, BinnedPoint, PointLattice } from './bin-grid.js'

/** Two points that are near each other. */
export interface NeighbourPair {
  readonly from: number
  readonly to: number
  /** The cell of the second point, relative to that of the first: whole numbers. */
  readonly image: Vector
  /** Å */
  readonly distance: number
}

/** The comparisons after which a search stops: some tenths of a second. */
const MAX_COMPARISONS = 20_000_000

/** The cost of looking into a bin, in comparisons of points. */
const BIN_COST = 20

/**
 * Calls `visit` with each two points that are at most `cutoff` (Å) apart, once; also with a point and
 * its own images, but not with a point and itself.
 *
 * Only neighbouring bins of a grid are compared (a cell list: Allen and Tildesley, Computer Simulation of
 * Liquids, 2017, section 5.3.2), so that the time is proportional to the number of points. The bins go on
 * across the border of the cell, through as many images as the cutoff reaches: a small or strongly
 * skewed cell needs more than the nearest ones.
 * @returns whether the search is complete; it stops in a cell with absurdly many neighbours
 */
export function visitNeighbourPairs(
  lattice: PointLattice,
  cutoff: number,
  visit: (pair: NeighbourPair) => void,
): boolean {
  const { counts, reach, bins } = createBinGrid(lattice, cutoff)
  let comparisons = 0
  for (const home of bins.values()) {
    for (const step of listSteps(reach)) {
      const { place, cell } = moveAcrossBorder(add(home.place, step), counts)
      comparisons += BIN_COST
      if (comparisons > MAX_COMPARISONS) return false
      if (!lattice.isPeriodic && !isOrigin(cell)) continue
      const other = bins.get(toBinKey(place, counts))
      if (other === undefined) continue
      comparisons += home.points.length * other.points.length
      comparePoints(home, other, cell, toCartesian(cell, lattice.vectors), cutoff, visit)
    }
  }
  return true
}

function* listSteps([u, v, w]: Vector): Generator<Vector> {
  for (let i = -u; i <= u; i += 1)
    for (let j = -v; j <= v; j += 1) for (let k = -w; k <= w; k += 1) yield [i, j, k]
}

/** Returns a place inside the cell and the cell that it stands for. */
function moveAcrossBorder(place: Vector, counts: Vector): { place: Vector; cell: Vector } {
  const cell: Vector = [
    Math.floor(place[0] / counts[0]),
    Math.floor(place[1] / counts[1]),
    Math.floor(place[2] / counts[2]),
  ]
  return {
    cell,
    place: [
      place[0] - cell[0] * counts[0],
      place[1] - cell[1] * counts[1],
      place[2] - cell[2] * counts[2],
    ],
  }
}

function comparePoints(
  home: Bin,
  other: Bin,
  cell: Vector,
  [x, y, z]: Vector,
  cutoff: number,
  visit: (pair: NeighbourPair) => void,
): void {
  for (const from of home.points) {
    const [fromX, fromY, fromZ] = from.position
    for (const to of other.points) {
      const [toX, toY, toZ] = to.position
      const squared = (toX + x - fromX) ** 2 + (toY + y - fromY) ** 2 + (toZ + z - fromZ) ** 2
      if (squared > cutoff * cutoff || !isFirstOfTwo(from, to, cell)) continue
      const image = subtract(add(cell, from.cell), to.cell)
      visit({ from: from.index, to: to.index, image, distance: Math.sqrt(squared) })
    }
  }
}

/** Whether a pair is the one to visit of the two that are the same seen from either end. */
const isFirstOfTwo = (from: BinnedPoint, to: BinnedPoint, [u, v, w]: Vector): boolean =>
  from.index === to.index ? (u || v || w) > 0 : from.index < to.index

const isOrigin = ([u, v, w]: Vector): boolean => u === 0 && v === 0 && w === 0
