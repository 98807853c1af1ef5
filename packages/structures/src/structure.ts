import type { Basis, Lattice } from '@materials-mock/api'
import { BodyInvalid, BoundExceeded } from '@materials-mock/json'
import { isPossibleCell, toCellParameters, toCellVectors, toCrystalCoordinates } from './cell.js'
import type { CellParameters, CellVectors } from './cell.js'
import { ELEMENTS } from './elements.js'
import { round } from './vector.js'
import type { Vector } from './vector.js'

/** The fields of a material that define its structure. Only their types have been validated. */
export interface StructureInput {
  readonly lattice?: Lattice
  readonly basis?: Basis
  /** Whether it is a molecule, whose cell is only a box. */
  readonly isNonPeriodic?: boolean
}

export interface Atom {
  readonly symbol: string
  /** Distinguishes atoms of one element; empty if the atom has none. */
  readonly label: string
  /** The position in units of the cell's edges, not wrapped into the cell. */
  readonly coordinate: Vector
  /** For each edge, whether the atom may move; true without a constraint. */
  readonly constraint: readonly boolean[]
}

/** A validated structure: a possible cell, and at least one atom, all of known elements. */
export interface Structure {
  readonly cell: CellParameters
  readonly atoms: readonly Atom[]
}

/**
 * Atoms in the order of `basis.elements`. Cartesian coordinates refer to the platform's orientation
 * of the cell (see `toCellVectors`).
 * @throws BodyInvalid, with path and value, for what is missing, out of bounds, repeated, unknown,
 * or has no counterpart
 */
export function parseStructure({ lattice, basis }: StructureInput): Structure {
  if (lattice === undefined) throw missingError('lattice')
  if (basis === undefined) throw missingError('basis')
  const cell = parseCell(lattice)
  return { cell, atoms: parseAtoms(basis, cell) }
}

/** Returns the lattice of a cell's edges, with 9 decimals. Its type is not known: triclinic fits all. */
export const toLattice = (edges: CellVectors): Lattice => ({
  type: 'TRI',
  ...Object.fromEntries(
    Object.entries(toCellParameters(edges)).map(([name, value]) => [name, round(value, 9)]),
  ),
  units: { length: 'angstrom', angle: 'degree' },
})

function parseCell(lattice: Lattice): CellParameters {
  checkUnits(lattice)
  const cell = parseCellParameters((key, expected, isValid) => {
    const value = lattice[key]
    if (value === undefined) throw missingError(`lattice.${key}`)
    if (!isValid(value)) throw valueError(`lattice.${key}`, expected, value)
    return value
  })
  if (!isPossibleCell(cell)) {
    const angles = `${cell.alpha}, ${cell.beta} and ${cell.gamma}`
    throw new BodyInvalid(
      `lattice.alpha, beta and gamma must be the angles of a possible cell, not ${angles}`,
    )
  }
  return cell
}

function checkUnits({ units = {} }: Lattice): void {
  const { length = 'angstrom', angle = 'degree' } = units
  if (length !== 'angstrom') throw valueError('lattice.units.length', '"angstrom"', length)
  if (angle !== 'degree') throw valueError('lattice.units.angle', '"degree"', angle)
}

// Outside these bounds, a double overflows or underflows to 0 in volumes and densities.
export const MIN_LENGTH = 1e-6
export const MAX_LENGTH = 1e6

const LENGTH = `a length from ${MIN_LENGTH} to ${MAX_LENGTH} angstrom`
const ANGLE = 'an angle between 0 and 180 degrees'

const isLength = (value: number): boolean => value >= MIN_LENGTH && value <= MAX_LENGTH
const isAngle = (value: number): boolean => value > 0 && value < 180

/** @param parse called with its name, the expected value in words, and a test of the value */
export const parseCellParameters = (
  parse: (
    name: keyof CellParameters,
    expected: string,
    isValid: (value: number) => boolean,
  ) => number,
): CellParameters => ({
  a: parse('a', LENGTH, isLength),
  b: parse('b', LENGTH, isLength),
  c: parse('c', LENGTH, isLength),
  alpha: parse('alpha', ANGLE, isAngle),
  beta: parse('beta', ANGLE, isAngle),
  gamma: parse('gamma', ANGLE, isAngle),
})

/** The largest number of atoms of a structure. More would delay other requests. */
const MAX_ATOMS = 10_000

/** The largest crystal coordinate. Beyond it, a double does not have 9 decimals. */
export const MAX_COORDINATE = 1e6

/** @throws BoundExceeded for more than 10,000 */
export function checkAtomCount(name: string, count: number): void {
  if (count > MAX_ATOMS)
    throw new BoundExceeded(`${name} must have at most ${MAX_ATOMS} atoms, not ${count}`)
}

function parseAtoms(basis: Basis, cell: CellParameters): Atom[] {
  checkAtomCount('basis.elements', basis.elements?.length ?? 0)
  const symbols = indexById('basis.elements', basis.elements)
  const coordinates = indexById('basis.coordinates', basis.coordinates)
  const labels = indexById('basis.labels', basis.labels ?? [])
  const vectors = basis.units === 'cartesian' ? toCellVectors(cell) : undefined
  const constraints = indexById('basis.constraints', basis.constraints ?? [])
  if (symbols.size === 0) throw new BodyInvalid('basis.elements must have at least one element')
  for (const [name, values] of Object.entries({ coordinates, labels, constraints })) {
    for (const id of values.keys())
      if (!symbols.has(id)) throw unmatchedError(`basis.${name}`, id, 'basis.elements')
  }
  return [...symbols].map(([id, symbol], index) => {
    if (!ELEMENTS.has(symbol))
      throw valueError(`basis.elements.${index}.value`, "a chemical element's symbol", symbol)

    const value = coordinates.get(id)
    if (value === undefined) throw unmatchedError('basis.elements', id, 'basis.coordinates')
    const point: Vector = [value[0] ?? 0, value[1] ?? 0, value[2] ?? 0]
    const coordinate = vectors === undefined ? point : toCrystalCoordinates(point, vectors)
    if (!isWithinBounds(coordinate)) throw distanceError(basis, id)
    const constraint = [0, 1, 2].map((axis) => constraints.get(id)?.[axis] !== false)
    return { symbol, label: String(labels.get(id) ?? ''), coordinate, constraint }
  })
}

/** Whether a point in crystal coordinates is close enough for the precision of a double. */
export const isWithinBounds = (coordinate: Vector): boolean =>
  coordinate.every((each) => Math.abs(each) <= MAX_COORDINATE)

type ValuesWithIds<Value> = readonly { readonly id: number; readonly value: Value }[]

function indexById<Value>(
  path: string,
  array: ValuesWithIds<Value> | undefined,
): Map<number, Value> {
  if (array === undefined) throw missingError(path)
  const values = new Map<number, Value>()
  array.forEach(({ id, value }, index) => {
    if (values.has(id))
      throw new BodyInvalid(`${path}.${index}.id must be unique; ${id} is used twice`)
    values.set(id, value)
  })
  return values
}

const missingError = (path: string): Error =>
  new BodyInvalid(`${path} must be there, and is missing`)

const valueError = (path: string, expected: string, value: number | string): Error =>
  new BodyInvalid(`${path} must be ${expected}, not ${JSON.stringify(value)}`)

const unmatchedError = (path: string, id: number, other: string): Error =>
  new BodyInvalid(`${path} has an atom with id ${id}, and ${other} has none`)

function distanceError({ coordinates = [] }: Basis, id: number): Error {
  const index = coordinates.findIndex((coordinate) => coordinate.id === id)
  const value = JSON.stringify(coordinates[index]?.value)
  const path = `basis.coordinates.${index}.value`
  return new BodyInvalid(`${path} must be at most ${MAX_COORDINATE} cells away, not ${value}`)
}
