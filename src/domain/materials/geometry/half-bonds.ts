import { toCartesian } from '../cell.js'
import type { Vector } from '../cell.js'
import type { Bond } from './bonds.js'
import type { Crystal } from './crystal.js'
import type { PlacedAtom } from './supercell.js'

/** The half of a bond that belongs to one of its atoms. */
export interface HalfBond {
  /** The index of the atom's site. */
  readonly site: number
  /** The position of the atom, Cartesian in Å. */
  readonly from: Vector
  /** The middle of the bond. */
  readonly to: Vector
}

/**
 * Returns the halves of the bonds of all atoms in a picture, so that each atom has all its bonds. The
 * bond to an atom beyond the border of the cell, which is not in the picture, ends in its middle.
 */
export function placeHalfBonds(
  { sites, vectors }: Crystal,
  atoms: readonly PlacedAtom[],
  bonds: readonly Bond[],
): HalfBond[] {
  const halves = sites.map((): Vector[] => [])
  for (const { from, to, image } of bonds) {
    const [start, end] = [sites[from]?.coordinate, sites[to]?.coordinate]
    if (start === undefined || end === undefined) continue
    const bond: Vector = [
      end[0] + image[0] - start[0],
      end[1] + image[1] - start[1],
      end[2] + image[2] - start[2],
    ]
    const [x, y, z] = toCartesian(bond, vectors)
    halves[from]?.push([x / 2, y / 2, z / 2])
    halves[to]?.push([-x / 2, -y / 2, -z / 2])
  }
  return atoms.flatMap(({ site, position: [x, y, z] }) =>
    (halves[site] ?? []).map(([dx, dy, dz]): HalfBond => ({
      site,
      from: [x, y, z],
      to: [x + dx, y + dy, z + dz],
    })),
  )
}
