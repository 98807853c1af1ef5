import { computePlaneSpacings, toCartesian } from '../../domain/materials/cell.js'
import type { Crystal } from '../../domain/materials/geometry/crystal.js'
import type { Supercell } from '../../domain/materials/geometry/supercell.js'
import type { Vector } from '../../domain/materials/vector.js'

/** The range of the atoms of a structure along an edge of its cell. */
export interface Extent {
  /** The limits in units of the edge; `high` may be above 1 if the atoms are around a border. */
  readonly low: number
  readonly high: number
  /** The distance between the outermost atoms, in Å. */
  readonly thickness: number
  /** Whether a crystal is empty next to its atoms, as around a layer or a ribbon. */
  readonly hasVacuum: boolean
}

/** A gap between atoms that is wider than this, in Å, is vacuum, not the space between layers. */
const VACUUM = 7

/** Returns the ranges of the atoms of a structure along each edge. */
export function findExtents({ sites, vectors, isPeriodic }: Crystal): Extent[] {
  return computePlaneSpacings(vectors).map((spacing, axis) => {
    const values = sites.map(({ coordinate }) => coordinate[axis] ?? 0).toSorted((a, b) => a - b)
    const [first = 0, last = 0] = [values[0], values.at(-1)]
    const inside = { low: first, high: last, thickness: (last - first) * spacing }
    if (!isPeriodic) return { ...inside, hasVacuum: false }
    const ends = [...values.slice(1), first + 1]
    const widths = ends.map((end, index) => end - (values[index] ?? 0))
    const widest = widths.reduce((max, width) => Math.max(max, width), 0)
    if (widest * spacing <= VACUUM) return { low: 0, high: 1, thickness: spacing, hasVacuum: false }
    const low = ends[widths.indexOf(widest)] ?? 0
    const start = low >= 1 ? low - 1 : low
    const size = 1 - widest
    return { low: start, high: start + size, thickness: size * spacing, hasVacuum: true }
  })
}

/** Returns the corners of the part of a supercell that has atoms, without vacuum. They are Cartesian, in Å. */
export function findCorners(crystal: Crystal, supercell: Supercell): Vector[] {
  const ranges = findExtents(crystal).map(({ low, high, hasVacuum }, axis) => {
    const count = supercell[axis] ?? 1
    return hasVacuum && count === 1 ? [low, high] : [0, count]
  })
  const [a = [], b = [], c = []] = ranges
  return a.flatMap((u) => b.flatMap((v) => c.map((w) => toCartesian([u, v, w], crystal.vectors))))
}
