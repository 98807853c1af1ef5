import { computePlaneSpacings, listCells, toCartesian } from '../cell.js'
import type { CellVectors } from '../cell.js'
import { ORIGIN, add, mapVector, scale, subtract } from '../vector.js'
import type { Vector } from '../vector.js'

interface NeighbourPair {
  readonly from: number
  readonly to: number
  /** The cell of the second point, relative to the cell of the first, in whole numbers. */
  readonly image: Vector
  /** The distance in Å. */
  readonly distance: number
}

/** The number of comparisons after which a search stops. They take some tenths of a second. */
const MAX_COMPARISONS = 20_000_000

/** The number of comparisons in one step: one tenth of a millisecond or two. */
const STEP_COMPARISONS = 10_000

/** The cost of reading a bin, in comparisons of points. */
const BIN_COST = 20

/**
 * Calls `visit` once with each pair at most `cutoff` (Å) apart, also with a point and its own
 * images. A cell list (Allen and Tildesley, Computer Simulation of Liquids, 2017, section 5.3.2)
 * that continues across the border, through as many images as the cutoff reaches: a small or
 * strongly skewed cell needs more than the nearest. It works in steps.
 * @returns whether it is complete: it stops in a cell with far too many neighbours
 */
export function* visitNeighbourPairs(
  lattice: PointLattice,
  cutoff: number,
  visit: (pair: NeighbourPair) => void,
): Generator<void, boolean, void> {
  const { counts, reach, bins } = createBinGrid(lattice, cutoff)
  const around = reach.reduce((product, steps) => product * (2 * steps + 1), 1)
  if (bins.size * around * BIN_COST > MAX_COMPARISONS) return false
  let comparisons = 0
  let stepEnd = 0
  for (const home of bins.values()) {
    for (const shift of listCells(scale(reach, -1), reach)) {
      const { place, cell } = moveAcrossBorder(add(home.place, shift), counts)
      const isOutside = !lattice.isPeriodic && cell.some((steps) => steps !== 0)
      const others = (isOutside ? undefined : bins.get(toBinKey(place, counts))?.points) ?? []
      const offset = toCartesian(cell, lattice.vectors)
      comparisons += BIN_COST
      for (const from of home.points) {
        comparisons += others.length
        if (comparisons > MAX_COMPARISONS) return false
        if (comparisons >= stepEnd) {
          yield
          stepEnd = comparisons + STEP_COMPARISONS
        }
        comparePoints(from, others, cell, offset, cutoff, visit)
      }
    }
  }
  return true
}

/** Returns the equivalent place inside the cell, and the cell of the original place. */
function moveAcrossBorder(place: Vector, counts: Vector): { place: Vector; cell: Vector } {
  const cell = mapVector(place, (value, axis) => Math.floor(value / counts[axis]))
  return { cell, place: mapVector(place, (value, axis) => value - cell[axis] * counts[axis]) }
}

function comparePoints(
  from: BinnedPoint,
  others: readonly BinnedPoint[],
  cell: Vector,
  [x, y, z]: Vector,
  cutoff: number,
  visit: (pair: NeighbourPair) => void,
): void {
  const [fromX, fromY, fromZ] = from.position
  for (const to of others) {
    const [toX, toY, toZ] = to.position
    const squared = (toX + x - fromX) ** 2 + (toY + y - fromY) ** 2 + (toZ + z - fromZ) ** 2
    if (squared > cutoff * cutoff || !isFirstOfTwo(from, to, cell)) continue
    const image = subtract(add(cell, from.cell), to.cell)
    visit({ from: from.index, to: to.index, image, distance: Math.sqrt(squared) })
  }
}

/** Whether to visit a pair. Each pair is found from both ends, and visited from only one. */
const isFirstOfTwo = (from: BinnedPoint, to: BinnedPoint, [u, v, w]: Vector): boolean =>
  from.index === to.index ? (u || v || w) > 0 : from.index < to.index

/** The points among which neighbours are searched. */
interface PointLattice {
  /** The points in units of the cell's edges. In a crystal, they may also be outside of the cell. */
  readonly points: readonly Vector[]
  readonly vectors: CellVectors
  /** Whether the cell repeats. If not, there are no images. */
  readonly isPeriodic: boolean
}

interface BinnedPoint {
  readonly index: number
  /** The cell of the point; `[0, 0, 0]` in a molecule. */
  readonly cell: Vector
  /** The position in Å, moved into the cell `[0, 0, 0]`. */
  readonly position: Vector
}

interface Bin {
  /** The place of the bin along each edge, from 0. */
  readonly place: Vector
  readonly points: BinnedPoint[]
}

/** A box in bins: the cell of a crystal, or the box that encloses the points of a molecule. */
interface BinGrid {
  /** The number of bins along each edge. */
  readonly counts: Vector
  /** The number of bins that the cutoff reaches along each edge. */
  readonly reach: Vector
  /** The bins that are not empty, by `toBinKey`. */
  readonly bins: ReadonlyMap<number, Bin>
}

/** The largest number of bins along an edge. It keeps their keys exact; only a nearly empty box needs more. */
const MAX_BINS = 10_000

/** Sorts points into bins that are as wide as `cutoff` (in Å), or a little wider. */
function createBinGrid(lattice: PointLattice, cutoff: number): BinGrid {
  const { points, vectors, isPeriodic } = lattice
  const [low, size] = isPeriodic ? [ORIGIN, UNIT_BOX] : findBox(points)
  const widths = mapVector(computePlaneSpacings(vectors), (spacing, axis) => spacing * size[axis])
  const counts = mapVector(widths, (width) => clamp(Math.floor(width / cutoff), 1, MAX_BINS))
  const reach = mapVector(widths, (width, axis) => {
    const steps = Math.ceil((cutoff * counts[axis]) / width)
    return isPeriodic ? steps : Math.min(steps, counts[axis] - 1)
  })
  const bins = new Map<number, Bin>()
  points.forEach((point, index) => {
    const cell = isPeriodic ? mapVector(point, (value) => Math.floor(value)) : ORIGIN
    const inside = mapVector(point, (value, axis) => value - cell[axis])
    const place = mapVector(inside, (value, axis) => {
      const bin = Math.floor(((value - low[axis]) / size[axis]) * counts[axis])
      return clamp(bin, 0, counts[axis] - 1)
    })
    const key = toBinKey(place, counts)
    const bin = bins.get(key) ?? { place, points: [] }
    bin.points.push({ index, cell, position: toCartesian(inside, vectors) })
    bins.set(key, bin)
  })
  return { counts, reach, bins }
}

const toBinKey = ([u, v, w]: Vector, counts: Vector): number => (u * counts[1] + v) * counts[2] + w

const UNIT_BOX: Vector = [1, 1, 1]

function findBox(points: readonly Vector[]): [low: Vector, size: Vector] {
  const low = mapVector(ORIGIN, (_, axis) =>
    points.reduce((min, p) => Math.min(min, p[axis]), Infinity),
  )
  const high = mapVector(ORIGIN, (_, axis) =>
    points.reduce((m, p) => Math.max(m, p[axis]), -Infinity),
  )
  return [low, mapVector(high, (value, axis) => value - low[axis] || 1)]
}

const clamp = (value: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, value))
