import { ELEMENTS } from '../elements.js'
import type { Bond } from './bonds.js'
import type { Site } from './crystal.js'

/** What holds two atoms together, as far as their elements tell. */
export type BondNature = 'covalent' | 'ionic' | 'metallic'

/** The bonds between atoms of two elements. */
export interface BondKind {
  /** The symbols in the order of their electronegativities, for example `['Na', 'Cl']`. */
  readonly symbols: readonly [string, string]
  readonly nature: BondNature
  /** The bonds of one cell. */
  readonly bonds: readonly Bond[]
  /** The shortest and the longest, in Å. */
  readonly lengths: readonly [shortest: number, longest: number]
  /**
   * Whether a textbook draws them: not the contacts of metal atoms that are bonded to nonmetals, as
   * Sr–Ti in SrTiO3.
   */
  readonly isDrawn: boolean
}

/** Sorts the bonds of a cell by the elements of their atoms, the shortest first. */
export function findBondKinds(sites: readonly Site[], bonds: readonly Bond[]): BondKind[] {
  const groups = new Map<string, Bond[]>()
  for (const bond of bonds) {
    const key = sortSymbols(sites[bond.from]?.symbol ?? '', sites[bond.to]?.symbol ?? '').join(' ')
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [bond])
    else group.push(bond)
  }
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
 * Returns what holds atoms of two elements together, by the textbook rule: metallic between metals,
 * ionic between a metal and a nonmetal whose electronegativities differ by at least 1.6 on Pauling's
 * scale (Na–Cl, Ti–O), else covalent (Ga–As, Mo–S, Si–O). Real bonds are something in between.
 */
export function findBondNature(one: string, other: string): BondNature {
  if (!isNonmetal(one) && !isNonmetal(other)) return 'metallic'
  if (isNonmetal(one) && isNonmetal(other)) return 'covalent'
  const difference = Math.abs(findElectronegativity(one) - findElectronegativity(other))
  return difference >= IONIC_DIFFERENCE ? 'ionic' : 'covalent'
}

/** Nonmetals and metalloids. */
const NONMETALS = new Set(
  'H He B C N O F Ne Si P S Cl Ar Ge As Se Br Kr Sb Te I Xe At Rn'.split(' '),
)

const isNonmetal = (symbol: string): boolean => NONMETALS.has(symbol)

const findElectronegativity = (symbol: string): number =>
  ELEMENTS.get(symbol)?.electronegativity ?? 0

function sortSymbols(one: string, other: string): [string, string] {
  const difference = findElectronegativity(one) - findElectronegativity(other)
  return difference < 0 || (difference === 0 && one < other) ? [one, other] : [other, one]
}

const findLengths = (bonds: readonly Bond[]): [shortest: number, longest: number] =>
  bonds.reduce<[number, number]>(
    ([min, max], { length }) => [Math.min(min, length), Math.max(max, length)],
    [Infinity, 0],
  )
