import { findCovalentRadius } from '../elements.js'
import type { ElementCount } from '../formula.js'

import type { StructureInput } from '../structure.js'
import { buildStructure } from './composition.js'
import { BINARY, DIAMOND, ELEMENTARY, FLUORITE, HALF_HEUSLER, HEUSLER } from './prototypes.js'
import { PEROVSKITE, createGridPrototype } from './prototypes.js'
import type { Prototype } from './prototypes.js'

/** The elements whose crystals have the structure of diamond. */
const DIAMOND_ELEMENTS: ReadonlySet<string> = new Set(['C', 'Si', 'Ge', 'Sn'])

/** The prototypes by the counts of the elements in their order: `1,2` for AB2. */
const PROTOTYPES: ReadonlyMap<string, readonly Prototype[]> = new Map([
  ['1', ELEMENTARY],
  ['1,1', BINARY],
  ['1,2', FLUORITE],
  ['1,1,3', PEROVSKITE],
  ['1,1,1', HALF_HEUSLER],
  ['1,1,2', HEUSLER],
])

/** A structure that has been made up, with the prototype that it is of. */
export interface FormulaStructure {
  readonly prototype: Prototype
  readonly structure: Required<StructureInput>
}

/**
 * Makes up a structure with a formula: a prototype of crystals with such a formula, or else atoms on
 * a cubic grid. The volume follows from the covalent radii.
 * @param counts the elements of one cell
 * @param choice selects one of several prototypes, from 0
 * @param expansion multiplies the volume of the cell
 * @param isExact whether the cell must have these atoms and no multiple of them
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
      ? DIAMOND
      : PROTOTYPES.get(byCount.map(([, count]) => count).join())
  const candidates = known?.filter(({ sites }) => !isExact || sites.length === atoms.length) ?? []
  const prototype = candidates[choice % candidates.length] ?? createGridPrototype(atoms)
  const volumePerAtom =
    counts.reduce((total, [symbol, count]) => total + count * estimateVolume(symbol), 0) /
    counts.reduce((total, [, count]) => total + count, 0)
  const structure = buildStructure({ symbols, polymorphs: [], volumePerAtom }, prototype, expansion)
  return { prototype, structure }
}

/** Estimates the volume of an atom in a crystal, in Å^3: three times that of its covalent sphere. */
const estimateVolume = (symbol: string): number => 4 * Math.PI * findCovalentRadius(symbol) ** 3
