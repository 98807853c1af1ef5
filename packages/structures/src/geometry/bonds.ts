import { groupBy } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import { ELEMENTS, findCovalentRadius, findElectronegativity, isNonmetal } from '../elements.js'
import type { Vector } from '../vector.js'
import type { Crystal, Site } from './crystal.js'
import { visitNeighbourPairs } from './neighbour-pairs.js'

export interface Bond {
  /** The index of a site. */
  readonly from: number
  readonly to: number
  /** The cell of the second site, relative to the cell of the first; `[0, 0, 0]` in a molecule. */
  readonly image: Vector
  /** The length in Å. */
  readonly length: number
}

interface Bonds {
  readonly bonds: readonly Bond[]
  /** False if the search stopped because the cell has far too many neighbours. */
  readonly isComplete: boolean
}

/** Atoms are bonded up to this multiple of the sum of their covalent radii. */
export const BOND_FACTOR = 1.2

/** Atoms nearer than this distance, in Å, are one atom that is given twice. The shortest bond, H–H, has 0.74 Å. */
const MIN_LENGTH = 0.4

/**
 * Also across the border of a crystal's cell: no longer than 1.2 times the sum of the covalent
 * radii (Cordero et al., Dalton Trans. 2008, 2832). Unknown elements have none. The rule uses
 * distances, so it also finds contacts of ions (Na–Cl) and of metals (Mo–Mo in MoS2), which
 * `findBondKinds` tells apart.
 */
export function findBonds({ sites, vectors, isPeriodic }: Crystal): Bonds {
  const radii = sites.map(findRadius)
  const points = sites.map(({ coordinate }) => coordinate)
  const longest = radii.reduce((max, radius) => Math.max(max, radius), 0)
  const bonds: Bond[] = []
  const pairs = visitNeighbourPairs(
    { points, vectors, isPeriodic },
    Math.max(MIN_LENGTH, 2 * longest * BOND_FACTOR),
    ({ from, to, image, distance }) => {
      const [one = 0, other = 0] = [radii[from], radii[to]]
      const isNear = distance >= MIN_LENGTH && distance <= (one + other) * BOND_FACTOR
      if (isNear && one > 0 && other > 0) bonds.push({ from, to, image, length: distance })
    },
  )
  return { isComplete: runToEnd(pairs), bonds }
}

const findRadius = ({ symbol }: Site): number =>
  ELEMENTS.has(symbol) ? findCovalentRadius(symbol) : 0

/** The type of a bond, as far as the elements tell. */
type BondNature = 'covalent' | 'ionic' | 'metallic'

export interface BondKind {
  /** The symbols in the order of their electronegativities, for example `['Na', 'Cl']`. */
  readonly symbols: readonly [string, string]
  readonly nature: BondNature
  /** The bonds of one cell. */
  readonly bonds: readonly Bond[]
  /** The lengths of the shortest and the longest bond, in Å. */
  readonly lengths: readonly [shortest: number, longest: number]
  /** Not contacts of metal atoms that are bonded to nonmetals, such as Sr–Ti in SrTiO3. */
  readonly isDrawn: boolean
}

/** Sorts the bonds of a cell by the elements of their atoms, the shortest first. */
export function findBondKinds(sites: readonly Site[], bonds: readonly Bond[]): BondKind[] {
  const groups = groupBy(bonds, ({ from, to }) =>
    sortSymbols(sites[from]?.symbol ?? '', sites[to]?.symbol ?? '').join(' '),
  )
  const pairs = [...groups].map(
    ([key, group]) => [key.split(' ') as [string, string], group] as const,
  )
  const boundMetals = new Set(
    pairs
      .map(([symbols]) => symbols)
      .filter((symbols) => symbols.some(isNonmetal))
      .flat(),
  )
  const kinds = pairs.map(([symbols, group]): BondKind => {
    const nature = findBondNature(...symbols)
    const isContact = nature === 'metallic' && symbols.some((symbol) => boundMetals.has(symbol))
    return { symbols, nature, bonds: group, lengths: findLengths(group), isDrawn: !isContact }
  })
  return kinds.toSorted((a, b) => a.lengths[0] - b.lengths[0])
}

/** The difference of electronegativities from which a bond of a metal is called ionic. */
const IONIC_DIFFERENCE = 1.6

/**
 * Metallic between metals, ionic between a metal and a nonmetal that differ by at least 1.6 on
 * Pauling's scale (Na–Cl, Ti–O), else covalent (Ga–As, Mo–S, Si–O), as in textbooks.
 */
export function findBondNature(one: string, other: string): BondNature {
  if (!isNonmetal(one) && !isNonmetal(other)) return 'metallic'
  if (isNonmetal(one) && isNonmetal(other)) return 'covalent'
  const difference = Math.abs(findElectronegativity(one) - findElectronegativity(other))
  return difference >= IONIC_DIFFERENCE ? 'ionic' : 'covalent'
}

function sortSymbols(one: string, other: string): [string, string] {
  const difference = findElectronegativity(one) - findElectronegativity(other)
  return difference < 0 || (difference === 0 && one < other) ? [one, other] : [other, one]
}

const findLengths = (bonds: readonly Bond[]): [shortest: number, longest: number] =>
  bonds.reduce<[number, number]>(
    ([min, max], { length }) => [Math.min(min, length), Math.max(max, length)],
    [Infinity, 0],
  )
