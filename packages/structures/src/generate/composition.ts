import type { Random } from '../deterministic.js'
import { computeVolume } from '../cell.js'
import { ELEMENTS, findCovalentRadius } from '../elements.js'
import { countElements, formatReducedFormula } from '../formula.js'
import type { ElementCount } from '../formula.js'
import type { StructureInput } from '../structure.js'
import { round } from '../vector.js'
import { PROTOTYPES, createGridPrototype } from './prototypes.js'
import type { Prototype } from './prototypes.js'

/** Elements in a fixed ratio, and their possible crystal structures. */
export interface Composition {
  /** The elements, in the order in which the sites of the polymorphs refer to them. */
  readonly symbols: readonly string[]
  readonly polymorphs: readonly Prototype[]
  /** The volume in Å^3. */
  readonly volumePerAtom: number
}

/**
 * Of a formula that is not in `usedFormulas`, to which it is added. After 100 tries, one repeats.
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

/** @param expansion multiplies the volume of the cell */
export function buildStructure(
  { symbols, volumePerAtom }: Composition,
  { type, cell, sites }: Prototype,
  expansion: number,
): Required<Omit<StructureInput, 'isNonPeriodic'>> {
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

interface CompoundClass {
  readonly polymorphs: readonly Prototype[]
  readonly candidates: readonly (readonly string[])[]
}

const CLASSES: readonly CompoundClass[] = [
  { polymorphs: PROTOTYPES.elementary, candidates: [ANY] },
  { polymorphs: PROTOTYPES.binary, candidates: [ANY, ANY] },
  { polymorphs: PROTOTYPES.perovskite, candidates: [ANY, ANY, ANIONS] },
  { polymorphs: PROTOTYPES.halfHeusler, candidates: [ANY, ANY, ANY] },
  { polymorphs: PROTOTYPES.heusler, candidates: [ANY, ANY, ANY] },
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

/** The elements whose crystals have the structure of diamond. */
const DIAMOND_ELEMENTS: ReadonlySet<string> = new Set(['C', 'Si', 'Ge', 'Sn'])

/** The prototypes by the counts of the elements in their order: `1,2` for AB2. */
const BY_COUNTS: ReadonlyMap<string, readonly Prototype[]> = new Map([
  ['1', PROTOTYPES.elementary],
  ['1,1', PROTOTYPES.binary],
  ['1,2', PROTOTYPES.fluorite],
  ['1,1,3', PROTOTYPES.perovskite],
  ['1,1,1', PROTOTYPES.halfHeusler],
  ['1,1,2', PROTOTYPES.heusler],
])

export interface FormulaStructure {
  readonly prototype: Prototype
  readonly structure: Required<Omit<StructureInput, 'isNonPeriodic'>>
}

/**
 * A prototype of such a formula, or atoms on a cubic grid. The volume follows from covalent radii.
 * @param choice selects one of several prototypes, from 0
 * @param expansion multiplies the volume of the cell
 * @param isExact whether the cell must have exactly these atoms, not a multiple
 */
export function buildStructureOfFormula(
  counts: readonly ElementCount[],
  choice: number,
  expansion: number,
  isExact: boolean,
): FormulaStructure {
  const byCount = counts.toSorted(([, a], [, b]) => a - b)
  const symbols = byCount.map(([symbol]) => symbol)
  const [first = ''] = symbols
  const atoms = byCount.flatMap(([, count], element) => Array<number>(count).fill(element))
  const known =
    counts.length === 1 && DIAMOND_ELEMENTS.has(first)
      ? PROTOTYPES.diamond
      : BY_COUNTS.get(byCount.map(([, count]) => count).join())
  const candidates = known?.filter(({ sites }) => !isExact || sites.length === atoms.length) ?? []
  const prototype = candidates[choice % candidates.length] ?? createGridPrototype(atoms)
  const volumePerAtom =
    counts.reduce((total, [symbol, count]) => total + count * estimateVolume(symbol), 0) /
    counts.reduce((total, [, count]) => total + count, 0)
  const structure = buildStructure({ symbols, polymorphs: [], volumePerAtom }, prototype, expansion)
  return { prototype, structure }
}

/** Estimates the volume of an atom in a crystal, in Å^3: three times the volume of its covalent sphere. */
const estimateVolume = (symbol: string): number => 4 * Math.PI * findCovalentRadius(symbol) ** 3
