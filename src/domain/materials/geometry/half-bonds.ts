import { toCartesian } from '../cell.js'
import { add, scale, subtract } from '../vector.js'
import type { Vector } from '../vector.js'
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
  /** Whether the other half is not in the picture, because the other atom is beyond the border. */
  readonly isCut: boolean
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

/** A bond as one of its atoms sees it. */
interface End {
  /** From the atom to the middle of the bond, in Å. */
  readonly half: Vector
  /** The other atom, and its cell relative to that of this one. */
  readonly site: number
  readonly image: Vector
}

const toKey = (site: number, [u, v, w]: Vector): string => `${site} ${u} ${v} ${w}`
