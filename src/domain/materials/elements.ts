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
}

type Row = readonly [symbol: string, mass: number, electronegativity: number, radius: number]

/**
 * Hydrogen to lawrencium, in the order of their atomic numbers.
 *
 * Masses: IUPAC, abridged standard atomic weights 2021 (Prohaska et al., Pure Appl. Chem. 94 (2022)
 * 573). Electronegativities: the platform's `periodic-table.js`, because the platform orders the
 * elements of its formulas by them. They are Pauling's values, some of them before later revisions.
 * Radii: Cordero et al., Dalton Trans. 2008, 2832; the values of sp3 carbon, and of low-spin Mn, Fe and Co.
 */
const ROWS: readonly Row[] = [
  ['H', 1.008, 2.2, 0.31],
  ['He', 4.0026, 0, 0.28],
  ['Li', 6.94, 0.98, 1.28],
  ['Be', 9.0122, 1.57, 0.96],
  ['B', 10.81, 2.04, 0.84],
  ['C', 12.011, 2.55, 0.76],
  ['N', 14.007, 3.04, 0.71],
  ['O', 15.999, 3.44, 0.66],
  ['F', 18.998, 3.98, 0.57],
  ['Ne', 20.18, 0, 0.58],
  ['Na', 22.99, 0.93, 1.66],
  ['Mg', 24.305, 1.31, 1.41],
  ['Al', 26.982, 1.61, 1.21],
  ['Si', 28.085, 1.9, 1.11],
  ['P', 30.974, 2.19, 1.07],
  ['S', 32.06, 2.58, 1.05],
  ['Cl', 35.45, 3.16, 1.02],
  ['Ar', 39.95, 0, 1.06],
  ['K', 39.098, 0.82, 2.03],
  ['Ca', 40.078, 1, 1.76],
  ['Sc', 44.956, 1.36, 1.7],
  ['Ti', 47.867, 1.54, 1.6],
  ['V', 50.942, 1.63, 1.53],
  ['Cr', 51.996, 1.66, 1.39],
  ['Mn', 54.938, 1.55, 1.39],
  ['Fe', 55.845, 1.83, 1.32],
  ['Co', 58.933, 1.88, 1.26],
  ['Ni', 58.693, 1.91, 1.24],
  ['Cu', 63.546, 1.9, 1.32],
  ['Zn', 65.38, 1.65, 1.22],
  ['Ga', 69.723, 1.81, 1.22],
  ['Ge', 72.63, 2.01, 1.2],
  ['As', 74.922, 2.18, 1.19],
  ['Se', 78.971, 2.55, 1.2],
  ['Br', 79.904, 2.96, 1.2],
  ['Kr', 83.798, 0, 1.16],
  ['Rb', 85.468, 0.82, 2.2],
  ['Sr', 87.62, 0.95, 1.95],
  ['Y', 88.906, 1.22, 1.9],
  ['Zr', 91.224, 1.33, 1.75],
  ['Nb', 92.906, 1.6, 1.64],
  ['Mo', 95.95, 2.16, 1.54],
  ['Tc', 97, 1.9, 1.47],
  ['Ru', 101.07, 2.2, 1.46],
  ['Rh', 102.91, 2.28, 1.42],
  ['Pd', 106.42, 2.2, 1.39],
  ['Ag', 107.87, 1.93, 1.45],
  ['Cd', 112.41, 1.69, 1.44],
  ['In', 114.82, 1.78, 1.42],
  ['Sn', 118.71, 1.96, 1.39],
  ['Sb', 121.76, 2.05, 1.39],
  ['Te', 127.6, 2.1, 1.38],
  ['I', 126.9, 2.66, 1.39],
  ['Xe', 131.29, 0, 1.4],
  ['Cs', 132.91, 0.79, 2.44],
  ['Ba', 137.33, 0.89, 2.15],
  ['La', 138.91, 1.1, 2.07],
  ['Ce', 140.12, 1.12, 2.04],
  ['Pr', 140.91, 1.13, 2.03],
  ['Nd', 144.24, 1.14, 2.01],
  ['Pm', 145, 0, 1.99],
  ['Sm', 150.36, 1.17, 1.98],
  ['Eu', 151.96, 0, 1.98],
  ['Gd', 157.25, 1.2, 1.96],
  ['Tb', 158.93, 1.2, 1.94],
  ['Dy', 162.5, 0, 1.92],
  ['Ho', 164.93, 1.23, 1.92],
  ['Er', 167.26, 1.24, 1.89],
  ['Tm', 168.93, 1.25, 1.9],
  ['Yb', 173.05, 1.1, 1.87],
  ['Lu', 174.97, 1.27, 1.87],
  ['Hf', 178.49, 1.3, 1.75],
  ['Ta', 180.95, 1.5, 1.7],
  ['W', 183.84, 1.7, 1.62],
  ['Re', 186.21, 1.9, 1.51],
  ['Os', 190.23, 2.2, 1.44],
  ['Ir', 192.22, 2.2, 1.41],
  ['Pt', 195.08, 2.28, 1.36],
  ['Au', 196.97, 2.54, 1.36],
  ['Hg', 200.59, 2, 1.32],
  ['Tl', 204.38, 1.62, 1.45],
  ['Pb', 207.2, 1.8, 1.46],
  ['Bi', 208.98, 2.02, 1.48],
  ['Po', 209, 2, 1.4],
  ['At', 210, 2.2, 1.5],
  ['Rn', 222, 0, 1.5],
  ['Fr', 223, 0.7, 2.6],
  ['Ra', 226, 0.9, 2.21],
  ['Ac', 227, 1.1, 2.15],
  ['Th', 232.04, 1.3, 2.06],
  ['Pa', 231.04, 1.5, 2],
  ['U', 238.03, 1.38, 1.96],
  ['Np', 237, 1.36, 1.9],
  ['Pu', 244, 1.28, 1.87],
  ['Am', 243, 1.3, 1.8],
  ['Cm', 247, 1.3, 1.69],
  ['Bk', 247, 1.3, 1.69],
  ['Cf', 251, 1.3, 1.69],
  ['Es', 252, 1.3, 1.69],
  ['Fm', 257, 1.3, 1.69],
  ['Md', 258, 1.3, 1.69],
  ['No', 259, 1.3, 1.69],
  ['Lr', 262, 0, 1.69],
]

/** The elements by symbol. */
export const ELEMENTS: ReadonlyMap<string, Element> = new Map(
  ROWS.map(([symbol, mass, electronegativity, radius], index) => [
    symbol,
    { symbol, number: index + 1, mass, electronegativity, radius },
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
