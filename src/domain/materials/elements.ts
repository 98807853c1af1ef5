/** A chemical element. */
export interface Element {
  readonly symbol: string
  /** The atomic number. */
  readonly number: number
  /**
   * The standard atomic weight in daltons; for an element without it, the mass number of the
   * longest-lived isotope.
   */
  readonly mass: number
  /** On Pauling's scale; 0 if the platform's table has no value. */
  readonly electronegativity: number
  /** The covalent radius in Å; for an element after curium, the radius of curium. */
  readonly radius: number
  /** The atomic radius in Å: bonds in crystals are about as long as the sum of two. */
  readonly atomicRadius: number
}

type Row = readonly [
  symbol: string,
  mass: number,
  electronegativity: number,
  radius: number,
  atomicRadius: number,
]

/**
 * Hydrogen to lawrencium, in the order of their atomic numbers.
 *
 * Masses: IUPAC, abridged standard atomic weights 2021 (Prohaska et al., Pure Appl. Chem. 94 (2022)
 * 573). Electronegativities: the platform's `periodic-table.js`, because the platform orders the
 * elements of its formulas by them. They are Pauling's values, some of them before later revisions.
 * Radii: Cordero et al., Dalton Trans. 2008, 2832; the values of sp3 carbon, and of low-spin Mn, Fe and Co.
 * Atomic radii: Slater, J. Chem. Phys. 41 (1964) 3199; of hydrogen, Becke, J. Chem. Phys. 88 (1988) 2547.
 * Elements without a value have that of a neighbour.
 */
const ROWS: readonly Row[] = [
  ['H', 1.008, 2.2, 0.31, 0.35],
  ['He', 4.0026, 0, 0.28, 0.35],
  ['Li', 6.94, 0.98, 1.28, 1.45],
  ['Be', 9.0122, 1.57, 0.96, 1.05],
  ['B', 10.81, 2.04, 0.84, 0.85],
  ['C', 12.011, 2.55, 0.76, 0.7],
  ['N', 14.007, 3.04, 0.71, 0.65],
  ['O', 15.999, 3.44, 0.66, 0.6],
  ['F', 18.998, 3.98, 0.57, 0.5],
  ['Ne', 20.18, 0, 0.58, 0.5],
  ['Na', 22.99, 0.93, 1.66, 1.8],
  ['Mg', 24.305, 1.31, 1.41, 1.5],
  ['Al', 26.982, 1.61, 1.21, 1.25],
  ['Si', 28.085, 1.9, 1.11, 1.1],
  ['P', 30.974, 2.19, 1.07, 1],
  ['S', 32.06, 2.58, 1.05, 1],
  ['Cl', 35.45, 3.16, 1.02, 1],
  ['Ar', 39.95, 0, 1.06, 1],
  ['K', 39.098, 0.82, 2.03, 2.2],
  ['Ca', 40.078, 1, 1.76, 1.8],
  ['Sc', 44.956, 1.36, 1.7, 1.6],
  ['Ti', 47.867, 1.54, 1.6, 1.4],
  ['V', 50.942, 1.63, 1.53, 1.35],
  ['Cr', 51.996, 1.66, 1.39, 1.4],
  ['Mn', 54.938, 1.55, 1.39, 1.4],
  ['Fe', 55.845, 1.83, 1.32, 1.4],
  ['Co', 58.933, 1.88, 1.26, 1.35],
  ['Ni', 58.693, 1.91, 1.24, 1.35],
  ['Cu', 63.546, 1.9, 1.32, 1.35],
  ['Zn', 65.38, 1.65, 1.22, 1.35],
  ['Ga', 69.723, 1.81, 1.22, 1.3],
  ['Ge', 72.63, 2.01, 1.2, 1.25],
  ['As', 74.922, 2.18, 1.19, 1.15],
  ['Se', 78.971, 2.55, 1.2, 1.15],
  ['Br', 79.904, 2.96, 1.2, 1.15],
  ['Kr', 83.798, 0, 1.16, 1.15],
  ['Rb', 85.468, 0.82, 2.2, 2.35],
  ['Sr', 87.62, 0.95, 1.95, 2],
  ['Y', 88.906, 1.22, 1.9, 1.8],
  ['Zr', 91.224, 1.33, 1.75, 1.55],
  ['Nb', 92.906, 1.6, 1.64, 1.45],
  ['Mo', 95.95, 2.16, 1.54, 1.45],
  ['Tc', 97, 1.9, 1.47, 1.35],
  ['Ru', 101.07, 2.2, 1.46, 1.3],
  ['Rh', 102.91, 2.28, 1.42, 1.35],
  ['Pd', 106.42, 2.2, 1.39, 1.4],
  ['Ag', 107.87, 1.93, 1.45, 1.6],
  ['Cd', 112.41, 1.69, 1.44, 1.55],
  ['In', 114.82, 1.78, 1.42, 1.55],
  ['Sn', 118.71, 1.96, 1.39, 1.45],
  ['Sb', 121.76, 2.05, 1.39, 1.45],
  ['Te', 127.6, 2.1, 1.38, 1.4],
  ['I', 126.9, 2.66, 1.39, 1.4],
  ['Xe', 131.29, 0, 1.4, 1.4],
  ['Cs', 132.91, 0.79, 2.44, 2.6],
  ['Ba', 137.33, 0.89, 2.15, 2.15],
  ['La', 138.91, 1.1, 2.07, 1.95],
  ['Ce', 140.12, 1.12, 2.04, 1.85],
  ['Pr', 140.91, 1.13, 2.03, 1.85],
  ['Nd', 144.24, 1.14, 2.01, 1.85],
  ['Pm', 145, 0, 1.99, 1.85],
  ['Sm', 150.36, 1.17, 1.98, 1.85],
  ['Eu', 151.96, 0, 1.98, 1.85],
  ['Gd', 157.25, 1.2, 1.96, 1.8],
  ['Tb', 158.93, 1.2, 1.94, 1.75],
  ['Dy', 162.5, 0, 1.92, 1.75],
  ['Ho', 164.93, 1.23, 1.92, 1.75],
  ['Er', 167.26, 1.24, 1.89, 1.75],
  ['Tm', 168.93, 1.25, 1.9, 1.75],
  ['Yb', 173.05, 1.1, 1.87, 1.75],
  ['Lu', 174.97, 1.27, 1.87, 1.75],
  ['Hf', 178.49, 1.3, 1.75, 1.55],
  ['Ta', 180.95, 1.5, 1.7, 1.45],
  ['W', 183.84, 1.7, 1.62, 1.35],
  ['Re', 186.21, 1.9, 1.51, 1.35],
  ['Os', 190.23, 2.2, 1.44, 1.3],
  ['Ir', 192.22, 2.2, 1.41, 1.35],
  ['Pt', 195.08, 2.28, 1.36, 1.35],
  ['Au', 196.97, 2.54, 1.36, 1.35],
  ['Hg', 200.59, 2, 1.32, 1.5],
  ['Tl', 204.38, 1.62, 1.45, 1.9],
  ['Pb', 207.2, 1.8, 1.46, 1.8],
  ['Bi', 208.98, 2.02, 1.48, 1.6],
  ['Po', 209, 2, 1.4, 1.9],
  ['At', 210, 2.2, 1.5, 1.9],
  ['Rn', 222, 0, 1.5, 1.9],
  ['Fr', 223, 0.7, 2.6, 2.6],
  ['Ra', 226, 0.9, 2.21, 2.15],
  ['Ac', 227, 1.1, 2.15, 1.95],
  ['Th', 232.04, 1.3, 2.06, 1.8],
  ['Pa', 231.04, 1.5, 2, 1.8],
  ['U', 238.03, 1.38, 1.96, 1.75],
  ['Np', 237, 1.36, 1.9, 1.75],
  ['Pu', 244, 1.28, 1.87, 1.75],
  ['Am', 243, 1.3, 1.8, 1.75],
  ['Cm', 247, 1.3, 1.69, 1.75],
  ['Bk', 247, 1.3, 1.69, 1.75],
  ['Cf', 251, 1.3, 1.69, 1.75],
  ['Es', 252, 1.3, 1.69, 1.75],
  ['Fm', 257, 1.3, 1.69, 1.75],
  ['Md', 258, 1.3, 1.69, 1.75],
  ['No', 259, 1.3, 1.69, 1.75],
  ['Lr', 262, 0, 1.69, 1.75],
]

/** The elements by symbol. */
export const ELEMENTS: ReadonlyMap<string, Element> = new Map(
  ROWS.map(([symbol, mass, electronegativity, radius, atomicRadius], index) => [
    symbol,
    { symbol, number: index + 1, mass, electronegativity, radius, atomicRadius },
  ]),
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

/** Returns the atomic radius of an element in Å; the radius of hydrogen for an unknown symbol. */
export const findAtomicRadius = (symbol: string): number =>
  ELEMENTS.get(symbol)?.atomicRadius ?? 0.35
