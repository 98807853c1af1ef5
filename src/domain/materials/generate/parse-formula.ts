import { ELEMENTS } from '../elements.js'
import { countElements } from '../formula.js'
import type { ElementCount } from '../formula.js'

/** The number of atoms that a formula may have. */
const MAX_ATOMS = 500

/**
 * Parses a formula such as `SiO2`, or of all atoms of a cell, such as `Si3 O6`.
 * @returns the elements in the order of the platform's formulas; undefined for what is no formula of
 * known elements, with at most 500 atoms
 */
export function parseFormula(formula: string): ElementCount[] | undefined {
  if (!/^(?:[A-Z][a-z]?(?:[1-9]\d{0,2})? ?)+$/.test(formula)) return undefined
  const symbols: string[] = []
  for (const [, symbol = '', count = '1'] of formula.matchAll(/([A-Z][a-z]?)(\d*)/g)) {
    if (!ELEMENTS.has(symbol) || symbols.length + Number(count || 1) > MAX_ATOMS) return undefined
    for (let number = 0; number < Number(count || 1); number += 1) symbols.push(symbol)
  }
  return countElements(symbols)
}
