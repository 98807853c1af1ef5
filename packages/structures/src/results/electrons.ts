import type * as MlMatrix from 'ml-matrix'

import { groupBy } from '@materials-mock/json'
import type { Work } from '@materials-mock/work'
import values from '../../data/orbitals.json' with { type: 'json' }
import { computePlaneSpacings, listCells, toCartesian } from '../cell.js'
import { findBonds } from '../geometry/bonds.js'
import { ORIGIN, add, computeLength, dot, mapVector, round, scale, subtract } from '../vector.js'
import type { Vector } from '../vector.js'
import type { Electrons, Gap, StructureModel } from './structure-model.js'

/** The largest number of atoms of which electrons are computed. */
const MAX_ATOMS = 16

/** The least distance of lattice planes, in Å, and the least volume of an atom, in Å^3; diamond has 5.7. */
const [MIN_SPACING, MIN_VOLUME] = [0.5, 3]

/** The library of eigenvalues, of which a process has one. It takes 12 ms to load. */
let library: Pick<typeof MlMatrix, 'EigenvalueDecomposition'> | undefined

/**
 * The electrons of each element in bands of s and p orbitals, and the energies of these orbitals in a free atom, in eV.
 *
 * Source: Harrison, Electronic Structure and the Properties of Solids, 1980, Solid State Table. The energies of
 * hydrogen's p and of the noble gases are estimates. Where the table has no p, it is half of s. Metals of which it has
 * only d, or nothing, have −6 and −3, as their neighbours do. Electrons of d count where they take part in bonds: all in
 * the groups 3 to 5, and two fewer in 6 and 7, as in MoS2. Later groups have d as a core, as lanthanides have f.
 */
const ATOMS = new Map(Object.entries(values))

export async function loadEigenvalues(): Promise<void> {
  library ??= await import('ml-matrix')
}

/**
 * Computes the electrons of a material of at most 16 atoms, in steps of at most some 20 ms; undefined for others, for
 * cells that have far too many neighbours or are flat or long, and for neon and its like, which fill all bands of the
 * model. It first yields a promise to wait for, if the library of eigenvalues is not loaded.
 *
 * The model is tight binding with one s and three p orbitals of each atom, between atoms that have a bond: two-centre
 * integrals (Slater and Koster, Phys. Rev. 94 (1954) 1498) with Harrison's parameters. The gaps count the path too.
 */
export function* computeElectrons(
  model: StructureModel,
  path: readonly Vector[],
): Work<Electrons | undefined> {
  const isDense =
    Math.min(...computePlaneSpacings(model.vectors)) < MIN_SPACING ||
    model.volume < MIN_VOLUME * model.atoms.length
  if (isDense || model.atoms.length > MAX_ATOMS) return undefined
  if (library === undefined) yield loadEigenvalues()
  if (library === undefined) return undefined
  const { atoms, vectors, volume } = model
  const electrons = atoms.reduce((sum, { symbol }) => sum + ATOMS.get(symbol)!.electrons, 0)
  if (electrons === 8 * atoms.length) return undefined
  const wanted = GRID / atoms.length ** 2
  const length = Math.cbrt(wanted * volume)
  // Halves and thirds, where bands have their edges, are points of the grid.
  const counts = mapVector(
    ORIGIN,
    (_, axis) => 6 * Math.round(length / computeLength(vectors[axis]) / 6) || 2,
  )
  if (counts[0] * counts[1] * counts[2] > MAX_SHARE * wanted) return undefined
  const solve = createSolver(model, library)

  const onPath: Level[] = []
  for (const point of path) {
    onPath.push({ ...solve(point), point })
    yield 'finishing jobs'
  }
  const grid: GridLevel[] = []
  const half = counts[0] / 2
  for (const place of listCells([0, 1, 1], [half, counts[1], counts[2]])) {
    const point = mapVector(place, (each, axis) => each / counts[axis])
    // A point and its mirror image have the same energies, as time can be reversed.
    grid.push({ ...solve(point), point, count: place[0] % half === 0 ? 1 : 2 })
    yield 'finishing jobs'
  }

  const top = Math.ceil(electrons / 2) - 1
  const upper = ({ energies }: Level): number => energies[top + 1]!
  const lower = ({ energies }: Level): number => energies[top]!
  const levels = [...onPath, ...grid]
  const conduction = findLeast(levels, upper)
  const valence = findLeast(levels, (level) => -lower(level))
  const direct = findLeast(levels, (level) => upper(level) - lower(level))
  const isMetal = electrons % 2 === 1 || upper(conduction) < lower(valence) - TOUCH
  const sorted = grid
    .flatMap(({ energies, count }) => (count === 1 ? energies : [...energies, ...energies]))
    .toSorted((one, other) => one - other)
  const points = counts[0] * counts[1] * counts[2]
  const filled = sorted[Math.ceil((electrons * points) / 2) - 1]!
  const fermi = isMetal ? filled : (upper(conduction) + lower(valence)) / 2
  const isInGap = (energy: number): boolean =>
    !isMetal && energy > lower(valence) && energy < upper(conduction)
  const toPoint = ({ point }: Level): Vector => mapVector(point, (each) => round(each % 1, 4))
  const makeGap = (type: Gap['type'], from: Level, to: Level): Gap => ({
    type,
    value: isMetal ? 0 : Math.max(0, upper(to) - lower(from)),
    valence: toPoint(from),
    conduction: toPoint(to),
  })
  return {
    fermi,
    gaps: [makeGap('direct', direct, direct), makeGap('indirect', valence, conduction)],
    bands: valence.energies.map((_, band) => onPath.map(({ energies }) => energies[band]!)),
    ...(yield* sumStates(grid, points, atoms, fermi, isInGap)),
  }
}

/** The number of points of the grid for one atom. There are fewer for more, so that it takes some tenths of a second. */
const GRID = 2000

/** The largest multiple of that number: a flat or a long cell would need more. */
const MAX_SHARE = 16

/** Bands that overlap by less, in eV, touch. */
const TOUCH = 2e-3

/** The solution at a point in units of the edges of the reciprocal cell. */
interface Level extends Solution {
  readonly point: Vector
}

/** A level of the grid, and the number of the grid's points that have its energies. */
interface GridLevel extends Level {
  readonly count: number
}

/** Returns the first level with the least measure, apart from rounding: a point of the path, if there is one. */
const findLeast = (levels: readonly Level[], measure: (level: Level) => number): Level =>
  levels.reduce((one, other) => (measure(other) < measure(one) - 1e-4 ? other : one))

/** The width of the Gaussians, the range above the Fermi energy, in eV, and the number of energies. */
const [WIDTH, RANGE, COUNT] = [0.25, 10, 201]

/** The distance at which a Gaussian is 1e-11 of its height, in eV. It is 0 beyond. */
const REACH = 5 * WIDTH

/** Returns the density of states: a Gaussian for each energy of a grid, cut off in the gap. */
function* sumStates(
  grid: readonly GridLevel[],
  points: number,
  atoms: StructureModel['atoms'],
  fermi: number,
  isInGap: (energy: number) => boolean,
): Work<Pick<Electrons, 'energies' | 'states'>> {
  const from = Math.floor(Math.min(...grid.map(({ energies }) => energies[0]!))) - 1
  const step = (fermi + RANGE - from) / (COUNT - 1)
  const energies = Array.from({ length: COUNT }, (_, index) => from + step * index)
  const names = atoms.flatMap(({ symbol }) =>
    ['s', 'p', 'p', 'p'].map((kind) => `${symbol} ${kind}`),
  )
  const kinds = [...groupBy(names.keys(), (orbital) => names[orbital]!)].map(
    ([name, orbitals]) => ({ name, orbitals, sum: energies.map(() => 0) }),
  )
  const height = 1 / (points * WIDTH * Math.sqrt(Math.PI))
  for (const level of grid) {
    level.energies.forEach((energy, band) => {
      const first = Math.max(0, Math.ceil((energy - REACH - from) / step))
      const gaussian = energies
        .slice(first, Math.floor((energy + REACH - from) / step) + 1)
        .map((each) => level.count * height * Math.exp(-(((each - energy) / WIDTH) ** 2)))
      for (const { orbitals, sum } of kinds) {
        const part = orbitals.reduce((total, orbital) => total + level.share(orbital, band), 0)
        gaussian.forEach((each, at) => (sum[first + at]! += part * each))
      }
    })
    yield 'finishing jobs'
  }
  const states = kinds.map(({ name, sum }) => {
    const [element = '', electronicState = ''] = name.split(' ')
    const cut = sum.map((each, at) => (isInGap(energies[at]!) ? 0 : each))
    return { element, electronicState, values: cut }
  })
  return { energies, states }
}

interface Solution {
  /** The energies from the lowest, in eV. */
  readonly energies: readonly number[]
  /** Returns the share of an orbital in a band, of both spins. */
  readonly share: (orbital: number, band: number) => number
}

/**
 * Harrison's universal parameters ssσ, spσ, ppσ and ppπ, times ħ²/m, in eV Å² (Phys. Rev. B 24 (1981) 5835). An integral
 * is the parameter by the square of the distance.
 */
const PARAMETERS = [-1.32, 1.42, 2.22, -0.63].map((each) => 7.62 * each)

/** Returns a function that solves the Hamiltonian of a crystal for a point, in units of the edges of the reciprocal cell. */
function createSolver(
  { atoms: sites, vectors }: StructureModel,
  { EigenvalueDecomposition }: NonNullable<typeof library>,
): (point: Vector) => Solution {
  const { bonds } = findBonds({ sites, vectors, isPeriodic: true })
  const terms = sites.flatMap(({ symbol }) => {
    const { s, p } = ATOMS.get(symbol)!
    return [s, p, p, p]
  })
  const size = terms.length
  const integrals = bonds.map(({ from, to, image, length }) => {
    const way = subtract(add(sites[to]!.coordinate, image), sites[from]!.coordinate)
    const cosines = [0, ...scale(toCartesian(way, vectors), 1 / length)]
    const [ss = 0, sp = 0, sigma = 0, pi = 0] = PARAMETERS.map((each) => each / length ** 2)
    const block = cosines.flatMap((one, row) =>
      cosines.map((other, column) => {
        if (row === 0) return column === 0 ? ss : sp * other
        return column === 0 ? -sp * one : one * other * (sigma - pi) + (row === column ? pi : 0)
      }),
    )
    return { from: 4 * from, to: 4 * to, image, block }
  })
  return (point) => {
    // The matrix is complex. A real one of twice the size has each of its energies twice.
    const matrix = Array.from({ length: 2 * size }, () => new Float64Array(2 * size))
    const put = (row: number, column: number, real: number, imaginary: number): void => {
      matrix[row]![column]! += real
      matrix[row + size]![column + size]! += real
      matrix[row]![column + size]! -= imaginary
      matrix[row + size]![column]! += imaginary
    }
    terms.forEach((term, index) => put(index, index, term, 0))
    for (const { from, to, image, block } of integrals) {
      const phase = 2 * Math.PI * dot(point, image)
      const [real, imaginary] = [Math.cos(phase), Math.sin(phase)]
      block.forEach((value, index) => {
        const [row, column] = [from + (index >> 2), to + (index & 3)]
        put(row, column, value * real, value * imaginary)
        put(column, row, value * real, -value * imaginary)
      })
    }
    const solution = new EigenvalueDecomposition(matrix, { assumeSymmetric: true })
    const { realEigenvalues, eigenvectorMatrix } = solution
    return {
      energies: realEigenvalues.filter((_, index) => index % 2 === 0),
      share: (orbital, band) => {
        let sum = 0
        for (const row of [orbital, orbital + size]) {
          for (const column of [2 * band, 2 * band + 1])
            sum += eigenvectorMatrix.get(row, column) ** 2
        }
        return sum
      },
    }
  }
}
