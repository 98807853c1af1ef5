import { cellVolume } from '../cell.js'
import { elements } from '../elements.js'
import { countElements, reducedFormula } from '../formula.js'
import { binary, elementary, halfHeusler, heusler, perovskite } from './prototypes.js'
import { round } from '../round.js'
import type { Prototype } from './prototypes.js'
import type { Random } from './random.js'
import type { StructureInput } from '../structure.js'

/** Elements in a ratio, and the structures that they are made up to have. */
export interface Composition {
  readonly symbols: readonly string[]
  readonly polymorphs: readonly Prototype[]
  /** In Å^3. */
  readonly volumePerAtom: number
}

/**
 * A compound of random elements whose formula is not yet among the `known` ones, to which it is
 * added. Where a hundred tries find none, one that is known comes again.
 */
export const drawCompound = (random: Random, known: Set<string>): Composition => {
  for (let tries = 1; ; tries += 1) {
    const compound = drawAny(random)
    const formula = formulaOf(compound)
    if (!known.has(formula) || tries === 100) {
      known.add(formula)
      return compound
    }
  }
}

/** The structure of a compound in one of its polymorphs, with cells of this many times the volume. */
export const buildStructure = (
  { symbols, volumePerAtom }: Composition,
  { type, cell, sites }: Prototype,
  expansion: number,
): Required<StructureInput> => {
  const volume = volumePerAtom * expansion * sites.length
  const scale = Math.cbrt(volume / cellVolume(cell))
  return {
    lattice: {
      type,
      a: round(cell.a * scale, 6),
      b: round(cell.b * scale, 6),
      c: round(cell.c * scale, 6),
      alpha: cell.alpha,
      beta: cell.beta,
      gamma: cell.gamma,
      units: { length: 'angstrom', angle: 'degree' },
    },
    basis: {
      elements: sites.map(([element], id) => ({ id, value: symbols[element] ?? '' })),
      coordinates: sites.map(([, at], id) => ({ id, value: at.map((n) => round(n, 9)) })),
      units: 'crystal',
      constraints: [],
      labels: [],
    },
  }
}

/**
 * Those that have an electronegativity and a standard weight: neither the noble gases that form
 * nothing, nor what decays (whose mass is a mass number, a whole one).
 */
const all = [...elements.values()]
  .filter(({ electronegativity, mass }) => electronegativity < Infinity && !Number.isInteger(mass))
  .map(({ symbol }) => symbol)

const anions = ['O', 'S', 'Se', 'F', 'Cl', 'Br', 'I', 'N', 'H']

/** The kinds of compounds: their structures, and the elements that each of their places can have. */
const kinds: readonly { polymorphs: readonly Prototype[]; places: readonly string[][] }[] = [
  { polymorphs: elementary, places: [all] },
  { polymorphs: binary, places: [all, all] },
  { polymorphs: perovskite, places: [all, all, anions] },
  { polymorphs: halfHeusler, places: [all, all, all] },
  { polymorphs: heusler, places: [all, all, all] },
]

const drawAny = (random: Random): Composition => {
  const { polymorphs, places } = pick(kinds, random)
  const symbols: string[] = []
  for (const place of places) {
    const others = place.filter((symbol) => !symbols.includes(symbol))
    symbols.push(pick(others, random))
  }
  return { symbols, polymorphs, volumePerAtom: 10 + 20 * random() }
}

const pick = <Value>(values: readonly Value[], random: Random): Value => {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new RangeError('there is nothing to pick from')
  return value
}

const formulaOf = ({ symbols, polymorphs }: Composition): string => {
  const sites = polymorphs[0]?.sites ?? []
  return reducedFormula(countElements(sites.map(([element]) => symbols[element] ?? '')))
}
