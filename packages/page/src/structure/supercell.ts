import {
  ORIGIN,
  UNIT_VECTORS,
  add,
  findBorderTolerance,
  listCells,
  mapVector,
  scale,
  subtract,
  toCartesian,
} from '@materials-mock/structures'
import type { Bond, CellVectors, Crystal, Vector } from '@materials-mock/structures'

/** The number of repetitions of a cell along each of its edges: whole numbers from 1. */
export type Supercell = readonly [number, number, number]

export interface PlacedAtom {
  readonly site: number
  /** The cell in which the atom is drawn. The upper border of a supercell belongs to the next cell. */
  readonly cell: Vector
  readonly position: Vector
}

/**
 * As crystallographers draw them: an atom on the border is repeated on the opposite faces, edges or
 * corners, each place filled once.
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
    const last = mapVector(supercell, (count, axis) =>
      coordinate[axis] <= tolerance[axis] ? count : count - 1,
    )
    return [...listCells(ORIGIN, last)].map((cell) => ({
      site,
      cell,
      position: toCartesian(add(coordinate, cell), vectors),
    }))
  })
}

export const countAtoms = ({ sites, isPeriodic }: Crystal, [u, v, w]: Supercell): number =>
  sites.length * (isPeriodic ? u * v * w : 1)

/** Returns the edges of all cells of a supercell, each once, from one point in Å to another. */
export function listCellEdges(vectors: CellVectors, [u, v, w]: Supercell): [Vector, Vector][] {
  const corners = [...listCells(ORIGIN, [u, v, w])]
  return corners.flatMap((corner) =>
    UNIT_VECTORS.map((step) => [corner, add(corner, step)] as const)
      .filter(([, [x, y, z]]) => x <= u && y <= v && z <= w)
      .map(([from, to]): [Vector, Vector] => [
        toCartesian(from, vectors),
        toCartesian(to, vectors),
      ]),
  )
}

/** The half of a bond at one of its atoms. */
export interface HalfBond {
  readonly site: number
  /** The position of the atom, Cartesian in Å. */
  readonly from: Vector
  readonly to: Vector
  /** Whether the other half is not in the picture, because the other atom is beyond the border. */
  readonly isCut: boolean
}

/** Each atom has all its bonds. One to an atom beyond the border ends in its middle. */
export function placeHalfBonds(
  { sites, vectors }: Crystal,
  atoms: readonly PlacedAtom[],
  bonds: readonly Bond[],
): HalfBond[] {
  const ends = sites.map((): End[] => [])
  for (const { from, to, image } of bonds) {
    const [start, end] = [sites[from]?.coordinate, sites[to]?.coordinate]
    if (start === undefined || end === undefined) continue
    const bond = toCartesian(subtract(add(end, image), start), vectors)
    ends[from]?.push({ half: scale(bond, 0.5), site: to, image })
    ends[to]?.push({ half: scale(bond, -0.5), site: from, image: scale(image, -1) })
  }
  const placed = new Set(atoms.map(({ site, cell }) => toKey(site, cell)))
  return atoms.flatMap(({ site, cell, position }) =>
    (ends[site] ?? []).map((end) => ({
      site,
      from: position,
      to: add(position, end.half),
      isCut: !placed.has(toKey(end.site, add(cell, end.image))),
    })),
  )
}

interface End {
  /** The vector from the atom to the middle of the bond, in Å. */
  readonly half: Vector
  /** The other atom, and its cell relative to the cell of this atom. */
  readonly site: number
  readonly image: Vector
}

const toKey = (site: number, [u, v, w]: Vector): string => `${site} ${u} ${v} ${w}`
