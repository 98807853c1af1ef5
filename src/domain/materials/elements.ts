/** A chemical element. */
export interface Element {
  readonly symbol: string
  /**
   * The standard atomic weight in daltons; for an element without it, the mass number of the
   * longest-lived isotope.
   */
  readonly mass: number
  /** On Pauling's scale; 0 if the platform's table has no value. */
  readonly electronegativity: number
}

type Row = readonly [symbol: string, mass: number, electronegativity: number]

/**
 * Hydrogen to lawrencium, in the order of their atomic numbers.
 *
 * Masses: IUPAC, abridged standard atomic weights 2021 (Prohaska et al., Pure Appl. Chem. 94 (2022)
 * 573). Electronegativities: the platform's `periodic-table.js`, because the platform orders the
 * elements of its formulas by them. They are Pauling's values, some of them before later revisions.
 */
const ROWS: readonly Row[] = [
  ['H', 1.008, 2.2],
  ['He', 4.0026, 0],
  ['Li', 6.94, 0.98],
  ['Be', 9.0122, 1.57],
  ['B', 10.81, 2.04],
  ['C', 12.011, 2.55],
  ['N', 14.007, 3.04],
  ['O', 15.999, 3.44],
  ['F', 18.998, 3.98],
  ['Ne', 20.18, 0],
  ['Na', 22.99, 0.93],
  ['Mg', 24.305, 1.31],
  ['Al', 26.982, 1.61],
  ['Si', 28.085, 1.9],
  ['P', 30.974, 2.19],
  ['S', 32.06, 2.58],
  ['Cl', 35.45, 3.16],
  ['Ar', 39.95, 0],
  ['K', 39.098, 0.82],
  ['Ca', 40.078, 1],
  ['Sc', 44.956, 1.36],
  ['Ti', 47.867, 1.54],
  ['V', 50.942, 1.63],
  ['Cr', 51.996, 1.66],
  ['Mn', 54.938, 1.55],
  ['Fe', 55.845, 1.83],
  ['Co', 58.933, 1.88],
  ['Ni', 58.693, 1.91],
  ['Cu', 63.546, 1.9],
  ['Zn', 65.38, 1.65],
  ['Ga', 69.723, 1.81],
  ['Ge', 72.63, 2.01],
  ['As', 74.922, 2.18],
  ['Se', 78.971, 2.55],
  ['Br', 79.904, 2.96],
  ['Kr', 83.798, 0],
  ['Rb', 85.468, 0.82],
  ['Sr', 87.62, 0.95],
  ['Y', 88.906, 1.22],
  ['Zr', 91.224, 1.33],
  ['Nb', 92.906, 1.6],
  ['Mo', 95.95, 2.16],
  ['Tc', 97, 1.9],
  ['Ru', 101.07, 2.2],
  ['Rh', 102.91, 2.28],
  ['Pd', 106.42, 2.2],
  ['Ag', 107.87, 1.93],
  ['Cd', 112.41, 1.69],
  ['In', 114.82, 1.78],
  ['Sn', 118.71, 1.96],
  ['Sb', 121.76, 2.05],
  ['Te', 127.6, 2.1],
  ['I', 126.9, 2.66],
  ['Xe', 131.29, 0],
  ['Cs', 132.91, 0.79],
  ['Ba', 137.33, 0.89],
  ['La', 138.91, 1.1],
  ['Ce', 140.12, 1.12],
  ['Pr', 140.91, 1.13],
  ['Nd', 144.24, 1.14],
  ['Pm', 145, 0],
  ['Sm', 150.36, 1.17],
  ['Eu', 151.96, 0],
  ['Gd', 157.25, 1.2],
  ['Tb', 158.93, 1.2],
  ['Dy', 162.5, 0],
  ['Ho', 164.93, 1.23],
  ['Er', 167.26, 1.24],
  ['Tm', 168.93, 1.25],
  ['Yb', 173.05, 1.1],
  ['Lu', 174.97, 1.27],
  ['Hf', 178.49, 1.3],
  ['Ta', 180.95, 1.5],
  ['W', 183.84, 1.7],
  ['Re', 186.21, 1.9],
  ['Os', 190.23, 2.2],
  ['Ir', 192.22, 2.2],
  ['Pt', 195.08, 2.28],
  ['Au', 196.97, 2.54],
  ['Hg', 200.59, 2],
  ['Tl', 204.38, 1.62],
  ['Pb', 207.2, 1.8],
  ['Bi', 208.98, 2.02],
  ['Po', 209, 2],
  ['At', 210, 2.2],
  ['Rn', 222, 0],
  ['Fr', 223, 0.7],
  ['Ra', 226, 0.9],
  ['Ac', 227, 1.1],
  ['Th', 232.04, 1.3],
  ['Pa', 231.04, 1.5],
  ['U', 238.03, 1.38],
  ['Np', 237, 1.36],
  ['Pu', 244, 1.28],
  ['Am', 243, 1.3],
  ['Cm', 247, 1.3],
  ['Bk', 247, 1.3],
  ['Cf', 251, 1.3],
  ['Es', 252, 1.3],
  ['Fm', 257, 1.3],
  ['Md', 258, 1.3],
  ['No', 259, 1.3],
  ['Lr', 262, 0],
]

/** The elements by symbol. */
export const ELEMENTS: ReadonlyMap<string, Element> = new Map(
  ROWS.map(([symbol, mass, electronegativity]) => [symbol, { symbol, mass, electronegativity }]),
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

const ATOMIC_NUMBERS: ReadonlyMap<string, number> = new Map(
  ROWS.map(([symbol], index) => [symbol, index + 1]),
)

/** Returns the atomic number of an element; 1 for an unknown symbol. */
export const findAtomicNumber = (symbol: string): number => ATOMIC_NUMBERS.get(symbol) ?? 1

/**
 * Covalent radii of hydrogen to curium in Å, in the order of their atomic numbers (Cordero et al.,
 * Dalton Trans. 2008, 2832; the values of sp3 carbon, and of low-spin Mn, Fe and Co).
 */
const RADII = [
  0.31, 0.28, 1.28, 0.96, 0.84, 0.76, 0.71, 0.66, 0.57, 0.58, 1.66, 1.41, 1.21, 1.11, 1.07, 1.05,
  1.02, 1.06, 2.03, 1.76, 1.7, 1.6, 1.53, 1.39, 1.39, 1.32, 1.26, 1.24, 1.32, 1.22, 1.22, 1.2, 1.19,
  1.2, 1.2, 1.16, 2.2, 1.95, 1.9, 1.75, 1.64, 1.54, 1.47, 1.46, 1.42, 1.39, 1.45, 1.44, 1.42, 1.39,
  1.39, 1.38, 1.39, 1.4, 2.44, 2.15, 2.07, 2.04, 2.03, 2.01, 1.99, 1.98, 1.98, 1.96, 1.94, 1.92,
  1.92, 1.89, 1.9, 1.87, 1.87, 1.75, 1.7, 1.62, 1.51, 1.44, 1.41, 1.36, 1.36, 1.32, 1.45, 1.46,
  1.48, 1.4, 1.5, 1.5, 2.6, 2.21, 2.15, 2.06, 2, 1.96, 1.9, 1.87, 1.8, 1.69,
]

/**
 * Returns the covalent radius of an element in Å. Elements after curium get the radius of curium, and
 * unknown symbols the radius of hydrogen.
 */
export const findCovalentRadius = (symbol: string): number =>
  RADII[findAtomicNumber(symbol) - 1] ?? RADII.at(-1) ?? 1.69
