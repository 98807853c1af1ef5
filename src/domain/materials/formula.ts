import { elements } from './elements.js'

/** An element's symbol and how many atoms of it there are, 1 or more. */
export type ElementCount = readonly [symbol: string, count: number]

/**
 * The atoms of each element, by rising electronegativity on Pauling's scale and then by symbol: the
 * order in which IUPAC writes binary formulas (Nomenclature of Inorganic Chemistry, 2005, IR-4.4)
 * and the platform writes all of them. Elements without a value come last.
 */
export const countElements = (symbols: readonly string[]): ElementCount[] => {
  const counts = new Map<string, number>()
  for (const symbol of symbols) counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
  return [...counts].toSorted(byElectronegativity)
}

/**
 * The formula with the smallest whole numbers: `SiO2` of `Si3 O6`. An element alone is reduced like
 * any other, so that molecular nitrogen is `N`, as in OPTIMADE's `chemical_formula_reduced`.
 */
export const reducedFormula = (counts: readonly ElementCount[]): string => {
  const divisor = counts.map(([, count]) => count).reduce(greatestCommonDivisor, 0)
  return counts.map(([symbol, count]) => term(symbol, count / divisor)).join('')
}

/** The formula of all atoms of the cell, a space between the elements: `Si3 O6`, `Ga As`. */
export const unitCellFormula = (counts: readonly ElementCount[]): string =>
  counts.map(([symbol, count]) => term(symbol, count)).join(' ')

const term = (symbol: string, count: number): string => (count === 1 ? symbol : `${symbol}${count}`)

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)

const byElectronegativity = ([a]: ElementCount, [b]: ElementCount): number => {
  const [left, right] = [electronegativityOf(a), electronegativityOf(b)]
  if (left !== right) return left < right ? -1 : 1
  return a < b ? -1 : 1
}

const electronegativityOf = (symbol: string): number =>
  elements.get(symbol)?.electronegativity ?? Infinity
