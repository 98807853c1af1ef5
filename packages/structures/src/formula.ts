import { ELEMENTS, findElectronegativity } from './elements.js'

/** The symbol of an element and its number of atoms, 1 or more. */
export type ElementCount = readonly [symbol: string, count: number]

/**
 * Counts the atoms of each element. The elements are sorted by rising electronegativity and then by symbol: the order
 * in which the platform writes formulas. Elements without an electronegativity come first, as on the platform.
 */
export function countElements(symbols: readonly string[]): ElementCount[] {
  const counts = new Map<string, number>()
  for (const symbol of symbols) counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
  return [...counts].toSorted(compareElectronegativities)
}

/** `SiO2` for `Si3 O6`; molecular nitrogen is `N`, as in OPTIMADE's `chemical_formula_reduced`. */
export function formatReducedFormula(counts: readonly ElementCount[]): string {
  return reduceCounts(counts)
    .map(([symbol, count]) => formatElement(symbol, count))
    .join('')
}

/** Returns the counts of the smallest cell with the same formula. */
function reduceCounts(counts: readonly ElementCount[]): ElementCount[] {
  const divisor = counts.map(([, count]) => count).reduce(greatestCommonDivisor, 0)
  return counts.map(([symbol, count]) => [symbol, count / divisor])
}

/** Returns the formula of all atoms of the cell, with spaces between the elements: `Si3 O6`. */
export const formatUnitCellFormula = (counts: readonly ElementCount[]): string =>
  counts.map(([symbol, count]) => formatElement(symbol, count)).join(' ')

const formatElement = (symbol: string, count: number): string =>
  count === 1 ? symbol : `${symbol}${count}`

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)

function compareElectronegativities([a]: ElementCount, [b]: ElementCount): number {
  const [left, right] = [findElectronegativity(a), findElectronegativity(b)]
  if (left !== right) return left < right ? -1 : 1
  return a < b ? -1 : 1
}

const MAX_ATOMS = 500

/**
 * `SiO2`, or of all atoms of a cell, `Si3 O6`.
 * @returns the elements in the order of the platform; undefined for no formula, and above 500 atoms
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
