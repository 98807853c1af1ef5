import { computePlaneSpacings, toCartesian } from '../cell.js'
import type { CellVectors } from '../cell.js'
import type { Vector } from '../vector.js'

/** The points among which neighbours are searched. */
export interface PointLattice {
  /** In units of the cell's edges. In a crystal, they may also lie outside the cell. */
  readonly points: readonly Vector[]
  readonly vectors: CellVectors
  /** Whether the cell repeats. If not, there are no images. */
  readonly isPeriodic: boolean
}

/** A point in its bin. */
export interface BinnedPoint {
  readonly index: number
  /** The cell that the point lies in; `[0, 0, 0]` in a molecule. */
  readonly cell: Vector
  /** In Å, moved into the cell `[0, 0, 0]`. */
  readonly position: Vector
}

/** The points of one bin. */
export interface Bin {
  /** The place of the bin along each edge, from 0. */
  readonly place: Vector
  readonly points: BinnedPoint[]
}

/** A box in bins: the cell of a crystal, or the box that encloses the points of a molecule. */
export interface BinGrid {
  /** The number of bins along each edge. */
  readonly counts: Vector
  /** How many bins the cutoff reaches along each edge. */
  readonly reach: Vector
  /** The bins that are not empty, by `toBinKey`. */
  readonly bins: ReadonlyMap<number, Bin>
}

/** The most bins along an edge. It keeps their keys exact; only a nearly empty box needs more. */
const MAX_BINS = 10_000

/** Sorts points into bins that are as wide as `cutoff` (in Å), or a little wider. */
export function createBinGrid(lattice: PointLattice, cutoff: number): BinGrid {
  const { points, vectors, isPeriodic } = lattice
  const [low, size] = isPeriodic ? [ORIGIN, UNIT_BOX] : findBox(points)
  const widths = map(computePlaneSpacings(vectors), (spacing, axis) => spacing * size[axis])
  const counts = map(widths, (width) => clamp(Math.floor(width / cutoff), 1, MAX_BINS))
  const reach = map(widths, (width, axis) => {
    const steps = Math.ceil((cutoff * counts[axis]) / width)
    return isPeriodic ? steps : Math.min(steps, counts[axis] - 1)
  })
  const bins = new Map<number, Bin>()
  points.forEach((point, index) => {
    const cell = isPeriodic ? map(point, (value) => Math.floor(value)) : ORIGIN
    const inside = map(point, (value, axis) => value - cell[axis])
    const place = map(inside, (value, axis) => {
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

/** Returns the key of a bin among those of its grid. */
export const toBinKey = ([u, v, w]: Vector, counts: Vector): number =>
  (u * counts[1] + v) * counts[2] + w

const ORIGIN: Vector = [0, 0, 0]
const UNIT_BOX: Vector = [1, 1, 1]

function findBox(points: readonly Vector[]): [low: Vector, size: Vector] {
  const low = map(ORIGIN, (_, axis) => points.reduce((min, p) => Math.min(min, p[axis]), Infinity))
  const high = map(ORIGIN, (_, axis) => points.reduce((m, p) => Math.max(m, p[axis]), -Infinity))
  return [low, map(high, (value, axis) => value - low[axis] || 1)]
}

const clamp = (value: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, value))

type Axis = 0 | 1 | 2

const map = ([x, y, z]: Vector, convert: (value: number, axis: Axis) => number): Vector => [
  convert(x, 0),
  convert(y, 1),
  convert(z, 2),
]
