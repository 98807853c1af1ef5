import { computeVolume } from '../cell.js'
import { ELEMENTS } from '../elements.js'
import { countElements, formatReducedFormula } from '../formula.js'
import { round } from '../vector.js'
import type { StructureInput } from '../structure.js'
import { BINARY, ELEMENTARY, HALF_HEUSLER, HEUSLER, PEROVSKITE } from './prototypes.js'
import type { Prototype } from './prototypes.js'
import type { Random } from '../../random.js'

/** Elements in a fixed ratio, and the crystal structures that they can have. */
export interface Composition {
  /** The elements, in the order in which the sites of the polymorphs refer to them. */
  readonly symbols: readonly string[]
  readonly polymorphs: readonly Prototype[]
  /** In Å^3. */
  readonly volumePerAtom: number
}

/**
 * Draws a composition of random elements whose formula is not in `usedFormulas`, and adds its
 * formula to them. After 100 tries without a new formula, a formula is repeated.
 */
export function drawComposition(random: Random, usedFormulas: Set<string>): Composition {
  for (let tries = 1; ; tries += 1) {
    const composition = drawAnyComposition(random)
    const formula = formatComposition(composition)
    if (!usedFormulas.has(formula) || tries === 100) {
      usedFormulas.add(formula)
      return composition
    }
  }
}

/**
 * Builds the structure of a composition in one of its polymorphs.
 * @param expansion multiplies the volume of the cell
 */
export function buildStructure(
  { symbols, volumePerAtom }: Composition,
  { type, cell, sites }: Prototype,
  expansion: number,
): Required<StructureInput> {
  const volume = volumePerAtom * expansion * sites.length
  const scale = Math.cbrt(volume / computeVolume(cell))
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
      coordinates: sites.map(([, coordinate], id) => ({
        id,
        value: coordinate.map((value) => round(value, 9)),
      })),
      units: 'crystal',
      constraints: [],
      labels: [],
    },
  }
}

/** Noble gases that form no compounds. */
const INERT: ReadonlySet<string> = new Set(['He', 'Ne', 'Ar'])

/** The elements that form compounds and have a standard atomic weight, not a mass number. */
const ANY = [...ELEMENTS.values()]
  .filter(({ symbol, mass }) => !INERT.has(symbol) && !Number.isInteger(mass))
  .map(({ symbol }) => symbol)

const ANIONS = ['O', 'S', 'Se', 'F', 'Cl', 'Br', 'I', 'N', 'H']

/** A class of compounds: its crystal structures, and the candidates for each of its elements. */
interface CompoundClass {
  readonly polymorphs: readonly Prototype[]
  readonly candidates: readonly (readonly string[])[]
}

const CLASSES: readonly CompoundClass[] = [
  { polymorphs: ELEMENTARY, candidates: [ANY] },
  { polymorphs: BINARY, candidates: [ANY, ANY] },
  { polymorphs: PEROVSKITE, candidates: [ANY, ANY, ANIONS] },
  { polymorphs: HALF_HEUSLER, candidates: [ANY, ANY, ANY] },
  { polymorphs: HEUSLER, candidates: [ANY, ANY, ANY] },
]

function drawAnyComposition(random: Random): Composition {
  const { polymorphs, candidates } = pick(CLASSES, random)
  const symbols: string[] = []
  for (const elements of candidates) {
    const unused = elements.filter((symbol) => !symbols.includes(symbol))
    symbols.push(pick(unused, random))
  }
  return { symbols, polymorphs, volumePerAtom: 10 + 20 * random() }
}

function pick<Value>(values: readonly Value[], random: Random): Value {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new RangeError('values must have at least one entry')
  return value
}

function formatComposition({ symbols, polymorphs }: Composition): string {
  const sites = polymorphs[0]?.sites ?? []
  return formatReducedFormula(countElements(sites.map(([element]) => symbols[element] ?? '')))
}
