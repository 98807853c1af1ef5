import { computePlaneSpacings } from '../cell.js'
import type { CellVectors } from '../cell.js'
import type { Vector } from '../vector.js'
import type { CifSite } from './cif-sites.js'

/** Atoms that are nearer than this, in Å, are one atom: the coordinates of files have few digits. */
const TOLERANCE = 0.1

/** The atoms of a periodic cell by their places, so that a search looks at few of them. */
export class PlaceIndex {
  readonly #edges: CellVectors
  readonly #axes: readonly [BinAxis, BinAxis, BinAxis]
  readonly #bins = new Map<number, CifSite[]>()

  constructor(edges: CellVectors) {
    const [a, b, c] = computePlaneSpacings(edges)
    this.#edges = edges
    this.#axes = [createAxis(a), createAxis(b), createAxis(c)]
  }

  add(atom: CifSite): void {
    const [x, y, z] = this.#axes
    const [a, b, c] = atom.point
    const key = hashBin(findBin(x, a, 0), findBin(y, b, 0), findBin(z, c, 0))
    const bin = this.#bins.get(key)
    if (bin === undefined) this.#bins.set(key, [atom])
    else bin.push(atom)
  }

  /** Finds an atom that is nearer to a point than the tolerance. */
  findNear(point: Vector): CifSite | undefined {
    const [xs, ys, zs] = this.#axes.map((axis, index) => findNearBins(axis, point[index] ?? 0))
    for (const x of xs ?? []) {
      for (const y of ys ?? []) {
        for (const z of zs ?? []) {
          const bin = this.#bins.get(hashBin(x, y, z))
          const atom = bin?.find((each) => this.#measure(each.point, point) < TOLERANCE)
          if (atom !== undefined) return atom
        }
      }
    }
    return undefined
  }

  /** Returns the distance of the nearest periodic images in Å. */
  #measure(left: Vector, right: Vector): number {
    const x = toNearest(left[0] - right[0])
    const y = toNearest(left[1] - right[1])
    const z = toNearest(left[2] - right[2])
    const [a, b, c] = this.#edges
    return Math.hypot(
      x * a[0] + y * b[0] + z * c[0],
      x * a[1] + y * b[1] + z * c[1],
      x * a[2] + y * b[2] + z * c[2],
    )
  }
}

const toNearest = (difference: number): number => difference - Math.round(difference)

/** How a crystal coordinate is divided into bins, each at least twice as wide as the tolerance. */
interface BinAxis {
  readonly count: number
  /** The tolerance in units of the bins. */
  readonly margin: number
}

function createAxis(spacing: number): BinAxis {
  const count = Math.max(1, Math.floor(spacing / (2 * TOLERANCE)))
  return { count, margin: (TOLERANCE / spacing) * count }
}

const findBin = ({ count }: BinAxis, coordinate: number, shift: number): number =>
  (Math.floor(coordinate * count + shift) + count) % count

/** Returns the one or two bins within the tolerance of a coordinate. */
function findNearBins(axis: BinAxis, coordinate: number): number[] {
  if (axis.count === 1) return [0]
  const first = findBin(axis, coordinate, -axis.margin)
  const last = findBin(axis, coordinate, axis.margin)
  return first === last ? [first] : [first, last]
}

/** Bins of one hash cost time only, because the distances are measured. */
const hashBin = (x: number, y: number, z: number): number =>
  Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663) ^ Math.imul(z, 83_492_791)
