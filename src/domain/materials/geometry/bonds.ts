import { findCovalentRadius } from '../covalent-radii.js'
import { ELEMENTS } from '../elements.js'
import type { Vector } from '../vector.js'
import type { Crystal, Site } from './crystal.js'
import { visitNeighbourPairs } from './neighbour-pairs.js'

/** Two sites that are near enough for a bond. */
export interface Bond {
  /** The index of a site. */
  readonly from: number
  readonly to: number
  /** The cell of the second site, relative to that of the first; `[0, 0, 0]` in a molecule. */
  readonly image: Vector
  /** Å */
  readonly length: number
}

/** The bonds of a cell, each once. */
export interface Bonds {
  readonly bonds: readonly Bond[]
  /** False if the cell has absurdly many neighbours, so that the search stopped. */
  readonly isComplete: boolean
}

/** Atoms are bonded up to this multiple of the sum of their covalent radii. */
export const BOND_FACTOR = 1.2

/** Atoms nearer than this, in Å, are one atom that is given twice. The shortest bond, H–H, has 0.74. */
const MIN_LENGTH = 0.4

/**
 * Finds the bonds of a crystal's cell, also those across its border, or of a molecule. Two atoms have
 * a bond if they are no further apart than 1.2 times the sum of their covalent radii (Cordero et al.,
 * Dalton Trans. 2008, 2832). Elements that are not in the periodic table have no bonds.
 *
 * The rule knows distances, not electrons: contacts of ions (Na–Cl) and of metals (Mo–Mo in MoS2) are
 * found by it too. `findBondKinds` says which bonds are not covalent.
 */
export function findBonds({ sites, vectors, isPeriodic }: Crystal): Bonds {
  const radii = sites.map(findRadius)
  const points = sites.map(({ coordinate }) => coordinate)
  const longest = radii.reduce((max, radius) => Math.max(max, radius), 0)
  const bonds: Bond[] = []
  const isComplete = visitNeighbourPairs(
    { points, vectors, isPeriodic },
    Math.max(MIN_LENGTH, 2 * longest * BOND_FACTOR),
    ({ from, to, image, distance }) => {
      const [one = 0, other = 0] = [radii[from], radii[to]]
      const isNear = distance >= MIN_LENGTH && distance <= (one + other) * BOND_FACTOR
      if (isNear && one > 0 && other > 0) bonds.push({ from, to, image, length: distance })
    },
  )
  return { bonds, isComplete }
}

const findRadius = ({ symbol }: Site): number =>
  ELEMENTS.has(symbol) ? findCovalentRadius(symbol) : 0
