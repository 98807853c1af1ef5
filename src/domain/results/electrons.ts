import type * as MlMatrix from 'ml-matrix'

import {
  computeDeterminant,
  computePlaneSpacings,
  listCells,
  toCartesian,
  toCrystalCoordinates,
} from '../materials/cell.js'
import type { CellVectors } from '../materials/cell.js'
import { findAtomicNumber } from '../materials/elements.js'
import { findBonds } from '../materials/geometry/bonds.js'
import type { Site } from '../materials/geometry/crystal.js'
import {
  ORIGIN,
  UNIT_VECTORS,
  add,
  computeLength,
  cross,
  dot,
  mapVector,
  round,
  scale,
  subtract,
} from '../materials/vector.js'
import type { Vector } from '../materials/vector.js'
import type { Electrons, StructureModel } from './structure-model.js'

/** The largest number of atoms of which electrons are computed. */
const MAX_ATOMS = 16

/** The library of eigenvalues, of which a process has one. It takes 12 ms to load. */
let library: Pick<typeof MlMatrix, 'EigenvalueDecomposition'> | undefined

/** Loads the library of eigenvalues. */
export async function loadEigenvalues(): Promise<void> {
  library ??= await import('ml-matrix')
}

/**
 * Computes the electrons of a material of at most 16 atoms, in steps of at most some 20 ms; undefined for others. It
 * first yields a promise to wait for, if the library of eigenvalues is not loaded.
 *
 * The model is tight binding with one s and three p orbitals of each atom, between atoms that have a bond: two-centre
 * integrals (Slater and Koster, Phys. Rev. 94 (1954) 1498) with Harrison's parameters. Gaps, Fermi energy and
 * states are those of the primitive cell, so each cell of a material has the same. The gaps count the path too.
 */
export function* computeElectrons(
  model: StructureModel,
  path: readonly Vector[],
): Generator<Promise<void> | undefined, Electrons | undefined> {
  if (model.atoms.length > MAX_ATOMS) return undefined
  if (library === undefined) yield loadEigenvalues()
  const { sites, edges } = findPrimitive(model)
  const vectors = edges.map((edge) => toCartesian(edge, model.vectors)) as unknown as CellVectors
  const solveWhole = createSolver(model.atoms, model.vectors)
  const solvePrimitive = createSolver(sites, vectors)
  if (solveWhole === undefined || solvePrimitive === undefined) return undefined
  const solve = (point: Vector, weight = 0): Level => ({ ...solvePrimitive(point), point, weight })

  const levels: Level[] = []
  const along: (readonly number[])[] = []
  for (const point of path) {
    const level = solve(mapVector(ORIGIN, (_, axis) => dot(edges[axis], point)))
    levels.push(level)
    yield
    along.push(sites.length === model.atoms.length ? level.energies : solveWhole(point).energies)
    yield
  }
  const spacings = computePlaneSpacings(vectors)
  const length = Math.cbrt((GRID * Math.abs(computeDeterminant(vectors))) / sites.length ** 2)
  const counts = mapVector(spacings, (spacing) => {
    // Halves and thirds, where bands have their edges, are points of the grid.
    const count = length / spacing
    return count < 1 ? 1 : count < 3 ? 2 : 6 * Math.max(1, Math.round(count / 6))
  })
  for (const place of listCells(
    ORIGIN,
    mapVector(counts, (count) => count - 1),
  )) {
    const mirror = mapVector(place, (each, axis) => (counts[axis] - each) % counts[axis])
    const [i, j, k] = subtract(place, mirror)
    if ((i || j || k) > 0) continue // the energies at −k are those at k
    levels.push(
      solve(
        mapVector(place, (each, axis) => each / counts[axis]),
        i || j || k ? 2 : 1,
      ),
    )
    yield
  }

  const electrons = sites.reduce((sum, { symbol }) => sum + countElectrons(symbol), 0)
  const top = Math.ceil(electrons / 2) - 1
  const upper = ({ energies }: Level): number => energies[top + 1] ?? Infinity
  const lower = ({ energies }: Level): number => energies[top] ?? -Infinity
  const conduction = findLeast(levels, upper)
  const valence = findLeast(levels, (each) => -lower(each))
  const direct = findLeast(levels, (each) => upper(each) - lower(each))
  const isMetal = electrons % 2 === 1 || upper(conduction) < lower(valence) - TOUCH
  const grid = levels.filter(({ weight }) => weight > 0)
  const fermi = isMetal ? fillStates(grid, electrons) : (upper(conduction) + lower(valence)) / 2
  const toPoint = ({ point }: Level): Vector =>
    mapVector(toCartesian(point, invert(edges)), (each) => round(each % 1, 4))
  const isInGap = (energy: number): boolean =>
    !isMetal && energy > lower(valence) && energy < upper(conduction)
  return {
    fermi,
    gaps: [[direct, direct] as const, [valence, conduction] as const].map(([from, to]) => ({
      value: isMetal ? 0 : Math.max(0, upper(to) - lower(from)),
      valence: toPoint(from),
      conduction: toPoint(to),
    })),
    bands: (along[0] ?? []).map((_, band) => along.map((energies) => energies[band] ?? 0)),
    ...sumStates(grid, sites, fermi, isInGap, model.atoms.length / sites.length),
  }
}

/** The number of points of the grid for one atom. There are fewer for more atoms, so that it takes some 0.1 s. */
const GRID = 2000

/** Bands that overlap by less, in eV, touch. */
const TOUCH = 2e-3

/** The energies at a point, from the lowest, in eV. */
interface Level {
  readonly point: Vector
  /** The number of points of the grid for which it stands. */
  readonly weight: number
  readonly energies: readonly number[]
  /** Returns the share of an orbital in a band. */
  readonly share: (orbital: number, band: number) => number
}

/** Returns the first level with the least measure, apart from rounding: a point of the path, if there is one. */
const findLeast = (levels: readonly Level[], measure: (level: Level) => number): Level =>
  levels.reduce((one, other) => (measure(other) < measure(one) - 1e-4 ? other : one))

/** Returns the energy up to which the states of a grid hold the electrons. */
function fillStates(grid: readonly Level[], electrons: number): number {
  const states = grid
    .flatMap(({ energies, weight }) => energies.map((energy) => ({ energy, weight })))
    .toSorted((one, other) => one.energy - other.energy)
  let room = (electrons / 2) * grid.reduce((sum, { weight }) => sum + weight, 0)
  return states.find(({ weight }) => (room -= weight) <= 0)?.energy ?? 0
}

/** The width of the Gaussians, the range above the Fermi energy, in eV, and the number of energies. */
const [WIDTH, RANGE, COUNT] = [0.25, 10, 201]

/** Returns the density of states of some primitive cells: a Gaussian for each energy of a grid, cut off in the gap. */
function sumStates(
  grid: readonly Level[],
  sites: readonly Site[],
  fermi: number,
  isInGap: (energy: number) => boolean,
  cells: number,
): Pick<Electrons, 'energies' | 'states'> {
  const from = Math.floor(Math.min(...grid.map(({ energies }) => energies[0] ?? 0))) - 1
  const step = (fermi + RANGE - from) / (COUNT - 1)
  const energies = Array.from({ length: COUNT }, (_, index) => from + step * index)
  const unit = grid.reduce((sum, { weight }) => sum + weight, 0) * WIDTH * Math.sqrt(Math.PI)
  const states = [...new Set(sites.map(({ symbol }) => symbol))].flatMap((element) =>
    ['s', 'p'].map((kind) => {
      const orbitals = sites.flatMap(({ symbol }, index) =>
        symbol === element ? (kind === 's' ? [0] : [1, 2, 3]).map((each) => 4 * index + each) : [],
      )
      const values = energies.map(() => 0)
      for (const { energies: own, share, weight } of grid) {
        for (const [band, energy] of own.entries()) {
          const part = orbitals.reduce((sum, orbital) => sum + share(orbital, band), 0)
          const height = (2 * cells * weight * part) / unit
          const last = Math.min(COUNT - 1, (energy + 4 * WIDTH - from) / step)
          for (let at = Math.ceil((energy - 4 * WIDTH - from) / step); at <= last; at += 1)
            values[at]! += height * Math.exp(-(((energies[at]! - energy) / WIDTH) ** 2))
        }
      }
      return {
        legend: { element, electronicState: `${findShell(element)}${kind}`, spin: 0.5 },
        values: values.map((value, at) => (isInGap(energies[at]!) ? 0 : value)),
      }
    }),
  )
  return { energies, states }
}

/**
 * Finds the primitive cell of a structure: its sites, and its edges in units of the edges of the cell, which are its
 * shortest translations.
 */
function findPrimitive({ atoms, vectors }: StructureModel): {
  sites: readonly Site[]
  edges: CellVectors
} {
  const isLattice = (vector: Vector): boolean =>
    computeLength(
      toCartesian(
        mapVector(vector, (each) => each - Math.round(each)),
        vectors,
      ),
    ) < 0.01
  const isSame = (one: Vector, other: Vector): boolean => isLattice(subtract(one, other))
  const translations = atoms
    .map(({ coordinate }) => subtract(coordinate, atoms[0]!.coordinate))
    .filter((shift) =>
      atoms.every((atom) =>
        atoms.some(
          ({ symbol, coordinate }) =>
            symbol === atom.symbol && isSame(add(atom.coordinate, shift), coordinate),
        ),
      ),
    )
  const short = [...listCells([-1, -1, -1], [1, 1, 1])]
    .flatMap((cell) =>
      translations.map((each) =>
        add(
          cell,
          mapVector(each, (value) => value - Math.floor(value)),
        ),
      ),
    )
    .map((edge) => ({ edge, way: toCartesian(edge, vectors) }))
    .filter(({ way }) => computeLength(way) > 0.01)
    .toSorted((one, other) => computeLength(one.way) - computeLength(other.way))
  /** Picks a shortest translation: of several, the one at the smallest angles, so that each cell gives the same. */
  const pick = (
    isFit: (edge: Vector) => boolean,
    ...former: readonly Vector[]
  ): Vector | undefined => {
    const fitting = short.filter(({ edge }) => isFit(edge))
    const longest = computeLength(fitting[0]?.way ?? ORIGIN) + 0.01
    const near = toCartesian(former.reduce(add, ORIGIN), vectors)
    const found = fitting.filter(({ way }) => computeLength(way) < longest)
    return found.toSorted((one, other) => round(dot(other.way, near) - dot(one.way, near), 1))[0]
      ?.edge
  }
  const volume = 1 / translations.length
  const a = pick(() => true) ?? ORIGIN
  const b = pick((each) => computeLength(cross(a, each)) > 1e-3, a) ?? ORIGIN
  const c = pick(
    (each) => Math.abs(Math.abs(computeDeterminant([a, b, each])) / volume - 1) < 0.01,
    a,
    b,
  )
  if (c === undefined) return { sites: atoms, edges: UNIT_VECTORS } // a very long and thin cell
  const edges: CellVectors = [a, b, c]
  const sites = atoms
    .filter(({ coordinate }, index) =>
      atoms
        .slice(0, index)
        .every(
          (other) =>
            !translations.some((each) => isSame(subtract(coordinate, each), other.coordinate)),
        ),
    )
    .map(({ symbol, label, coordinate }) => ({
      symbol,
      label,
      coordinate: toCrystalCoordinates(coordinate, edges),
    }))
  return { sites, edges }
}

/** Returns the edges of the reciprocal cell. */
function invert([a, b, c]: CellVectors): CellVectors {
  const factor = 1 / computeDeterminant([a, b, c])
  return [scale(cross(b, c), factor), scale(cross(c, a), factor), scale(cross(a, b), factor)]
}

/**
 * Harrison's universal parameters ssσ, spσ, ppσ and ppπ, times ħ²/m, in eV Å² (Electronic Structure and the Properties
 * of Solids, 1980). An integral is the parameter by the square of the distance.
 */
const PARAMETERS = [-1.32, 1.42, 2.22, -0.63].map((each) => 7.62 * each)

/**
 * Returns a function that solves the Hamiltonian of a crystal for a point, in units of the edges of the reciprocal
 * cell; undefined for a cell with far too many neighbours.
 */
function createSolver(
  sites: readonly Site[],
  vectors: CellVectors,
): ((point: Vector) => Pick<Level, 'energies' | 'share'>) | undefined {
  const { bonds, isComplete } = findBonds({ sites, vectors, isPeriodic: true })
  if (!isComplete || library === undefined) return undefined
  const { EigenvalueDecomposition } = library
  const terms = sites.flatMap(({ symbol }) => [0, 1, 1, 1].map((kind) => findTerms(symbol)[kind]!))
  const integrals = bonds.map(({ from, to, image, length }) => {
    const way = subtract(add(sites[to]!.coordinate, image), sites[from]!.coordinate)
    const cosines = [0, ...scale(toCartesian(way, vectors), 1 / length)]
    const [ss = 0, sp = 0, sigma = 0, pi = 0] = PARAMETERS.map((each) => each / length ** 2)
    const values = cosines.flatMap((one, row) =>
      cosines.map((other, column) => {
        if (row === 0) return column === 0 ? ss : sp * other
        return column === 0 ? -sp * one : one * other * (sigma - pi) + (row === column ? pi : 0)
      }),
    )
    return { from: 4 * from, to: 4 * to, image, values }
  })
  return (point) => {
    const phases = integrals.map(({ image }) => 2 * Math.PI * dot(point, image))
    // At points such as Γ, X and L, the matrix is real. Any other is a real one of twice the size, with each energy twice.
    const isReal = phases.every((phase) => Math.abs(Math.sin(phase)) < 1e-12)
    const [size, copies] = [terms.length, isReal ? 1 : 2]
    const matrix = Array.from({ length: copies * size }, () => new Float64Array(copies * size))
    const put = (row: number, column: number, real: number, imaginary = 0): void => {
      matrix[row]![column]! += real
      if (isReal) return
      matrix[row + size]![column + size]! += real
      matrix[row]![column + size]! -= imaginary
      matrix[row + size]![column]! += imaginary
    }
    terms.forEach((term, index) => put(index, index, term))
    integrals.forEach(({ from, to, values }, bond) => {
      const [real, imaginary] = [Math.cos(phases[bond]!), Math.sin(phases[bond]!)]
      values.forEach((value, index) => {
        const [row, column] = [from + (index >> 2), to + (index & 3)]
        put(row, column, value * real, value * imaginary)
        put(column, row, value * real, -value * imaginary)
      })
    })
    const solution = new EigenvalueDecomposition(matrix, { assumeSymmetric: true })
    const { realEigenvalues: values, eigenvectorMatrix: states } = solution
    const order = values
      .map((_, index) => index)
      .toSorted((one, other) => values[one]! - values[other]!)
    const columns = order.filter((_, index) => index % copies === 0)
    return {
      energies: columns.map((column) => values[column]!),
      share: (orbital, band) =>
        states.get(orbital, columns[band]!) ** 2 +
        (isReal ? 0 : states.get(orbital + size, columns[band]!) ** 2),
    }
  }
}

/**
 * Harrison's term values of s and p in eV (the same book, Solid State Table). Those of hydrogen's p and of the noble
 * gases are estimates. Where the table has no p, it is half of s. Transition metals and others that are not here,
 * of which the table has d or nothing, have −6 and −3, as their neighbours do.
 */
const TERMS: ReadonlyMap<string, readonly [s: number, p: number]> = new Map(
  (
    'H -13.6 -3.4,He -23.4,Li -5.48,Be -8.17 -4.14,B -12.54 -6.64,C -17.52 -8.97,N -23.04 -11.47,O -29.14 -14.13,' +
    'F -35.8 -16.99,Ne -43.2 -20,Na -5.13,Mg -6.86 -2.99,Al -10.11 -4.86,Si -13.55 -6.52,P -17.1 -8.33,' +
    'S -20.8 -10.27,Cl -24.63 -12.31,Ar -28.7 -14.5,K -4.19,Ca -5.41,Cu -6.92 -1.83,Zn -8.4 -3.38,Ga -11.37 -4.9,' +
    'Ge -14.38 -6.36,As -17.33 -7.91,Se -20.32 -9.53,Br -23.35 -11.2,Kr -26.5 -12.9,Rb -3.94,Sr -5,Ag -6.41 -2.05,' +
    'Cd -7.7 -3.38,In -10.12 -4.69,Sn -12.5 -5.94,Sb -14.8 -7.24,Te -17.11 -8.59,I -19.42 -9.97,Xe -21.8 -11.4,' +
    'Cs -3.56,Ba -4.45,Au -6.48 -2.38,Hg -7.68 -3.48,Tl -9.92 -4.61,Pb -12.07 -5.77,Bi -14.15 -6.97'
  )
    .split(',')
    .map((entry) => {
      const [symbol = '', s, p = Number(s) / 2] = entry.split(' ')
      return [symbol, [Number(s), Number(p)]]
    }),
)

const findTerms = (symbol: string): readonly [s: number, p: number] => TERMS.get(symbol) ?? [-6, -3]

/** The atomic numbers after which a shell begins. */
const SHELLS = [0, 2, 10, 18, 36, 54, 86]

/** Returns the number of the outermost shell of an atom. */
const findShell = (symbol: string): number =>
  SHELLS.filter((last) => last < findAtomicNumber(symbol)).length

/**
 * Returns the number of electrons that an atom gives to the bands. There are no d orbitals, so d electrons count where
 * they take part in bonds: all in the groups 3 to 5, and two fewer in 6 and 7, as in MoS2. Later groups have d as a
 * core: two electrons of s, or one in copper's group. Lanthanides and actinides give three.
 */
function countElectrons(symbol: string): number {
  const shell = findShell(symbol)
  const place = findAtomicNumber(symbol) - (SHELLS[shell - 1] ?? 0)
  const group = shell < 6 ? place : place > 17 ? place - 14 : Math.min(3, place)
  if (shell < 4 || group < 6) return group
  if (group < 8) return group - 2
  return group > 12 ? group - 10 : group === 11 ? 1 : 2
}
