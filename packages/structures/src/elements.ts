import values from '../data/elements.json' with { type: 'json' }

export interface Element {
  readonly symbol: string
  /** The atomic number. */
  readonly number: number
  /** The standard atomic weight in daltons, or the mass number of the longest-lived isotope. */
  readonly mass: number
  /** On Pauling's scale; 0 if the platform's table has no value. */
  readonly electronegativity: number
  /** The covalent radius in Å; for an element after curium, the radius of curium. */
  readonly radius: number
  /** The atomic radius in Å: bonds in crystals are about as long as the sum of two. */
  readonly atomicRadius: number
}

/**
 * The elements by symbol: hydrogen to lawrencium, in the order of their atomic numbers. `packages/structures/data/elements.json` has
 * their values.
 *
 * Masses: IUPAC, abridged standard atomic weights 2021 (Prohaska et al., Pure Appl. Chem. 94 (2022) 573).
 * Electronegativities: the platform's `periodic-table.js`, because the platform orders the elements of its formulas
 * by them. They are Pauling's values, some of them before later revisions. Radii: Cordero et al., Dalton Trans. 2008,
 * 2832; the values of sp3 carbon, and of low-spin Mn, Fe and Co. Atomic radii: Slater, J. Chem. Phys. 41 (1964) 3199;
 * of hydrogen, Becke, J. Chem. Phys. 88 (1988) 2547. Elements without a value have that of a neighbour.
 */
export const ELEMENTS: ReadonlyMap<string, Element> = new Map(
  values.map((each, index) => [each.symbol, { ...each, number: index + 1 }]),
)

/** Returns the electronegativity of an element; 0 for an element without a value, and for an unknown symbol. */
export const findElectronegativity = (symbol: string): number =>
  ELEMENTS.get(symbol)?.electronegativity ?? 0

/**
 * The nonmetals, and the metalloids that textbooks agree on: B, Si, Ge, As, Sb, Te. Astatine and radon
 * are counted with their groups.
 */
const NONMETALS: ReadonlySet<string> = new Set(
  'H He B C N O F Ne Si P S Cl Ar Ge As Se Br Kr Sb Te I Xe At Rn'.split(' '),
)

/** Whether an element is a nonmetal or a metalloid. */
export const isNonmetal = (symbol: string): boolean => NONMETALS.has(symbol)

/** Returns the atomic number of an element; 1 for an unknown symbol. */
export const findAtomicNumber = (symbol: string): number => ELEMENTS.get(symbol)?.number ?? 1

/** Returns the covalent radius of an element in Å; the radius of hydrogen for an unknown symbol. */
export const findCovalentRadius = (symbol: string): number => ELEMENTS.get(symbol)?.radius ?? 0.31

export const findAtomicRadius = (symbol: string): number =>
  ELEMENTS.get(symbol)?.atomicRadius ?? 0.35
