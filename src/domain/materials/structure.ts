import { BodyInvalid } from '../../errors.js'
import { cellVectors, isPossibleCell, toCrystal } from './cell.js'
import { elements } from './elements.js'
import type { CellParameters, Vector } from './cell.js'
import type { Basis, Lattice } from '../../schemas/structure.js'

/** What a material says of its structure; its types are checked, its sense is not. */
export interface StructureInput {
  readonly lattice?: Lattice
  readonly basis?: Basis
}

/** One atom: its element, the label that tells it from others of the element, and where it is. */
export interface Atom {
  readonly symbol: string
  readonly label: string
  /** In units of the cell's edges, as given: not wrapped into the cell. */
  readonly coordinate: Vector
}

/** A structure that makes sense: a possible cell and at least one atom of a known element. */
export interface Structure {
  readonly cell: CellParameters
  readonly atoms: readonly Atom[]
}

/**
 * The structure of a material, its atoms in the order of `basis.elements`. Cartesian coordinates
 * are taken in the platform's orientation of the cell (see `cellVectors`).
 *
 * @throws BodyInvalid naming the path and the value: a missing part, a length out of bounds, angles
 * that no cell has, units other than angstrom and degree, an unknown element, an id given twice, an
 * element without a coordinate or the reverse.
 */
export const readStructure = ({ lattice, basis }: StructureInput): Structure => {
  if (lattice === undefined) throw missing('lattice')
  if (basis === undefined) throw missing('basis')
  const cell = readCell(lattice)
  return { cell, atoms: readAtoms(basis, cell) }
}

const readCell = (lattice: Lattice): CellParameters => {
  checkUnits(lattice)
  const cell = {
    a: readNumber(lattice, 'a', LENGTH, isLength),
    b: readNumber(lattice, 'b', LENGTH, isLength),
    c: readNumber(lattice, 'c', LENGTH, isLength),
    alpha: readNumber(lattice, 'alpha', 'an angle between 0 and 180 degrees', isAngle),
    beta: readNumber(lattice, 'beta', 'an angle between 0 and 180 degrees', isAngle),
    gamma: readNumber(lattice, 'gamma', 'an angle between 0 and 180 degrees', isAngle),
  }
  if (!isPossibleCell(cell)) {
    const given = `${cell.alpha}, ${cell.beta} and ${cell.gamma}`
    throw new BodyInvalid(`lattice.alpha, beta and gamma must be angles of a cell, not ${given}`)
  }
  return cell
}

const checkUnits = ({ units = {} }: Lattice): void => {
  const { length = 'angstrom', angle = 'degree' } = units
  if (length !== 'angstrom') throw refused('lattice.units.length', '"angstrom"', length)
  if (angle !== 'degree') throw refused('lattice.units.angle', '"degree"', angle)
}

const readNumber = (
  lattice: Lattice,
  key: keyof CellParameters,
  wanted: string,
  isWanted: (value: number) => boolean,
): number => {
  const value = lattice[key]
  if (value === undefined) throw missing(`lattice.${key}`)
  if (!isWanted(value)) throw refused(`lattice.${key}`, wanted, value)
  return value
}

// Beyond these a volume or a density is more than a double can hold, or 0.
const [MIN_LENGTH, MAX_LENGTH] = [1e-6, 1e6]

const LENGTH = `a length from ${MIN_LENGTH} to ${MAX_LENGTH} angstrom`

const isLength = (value: number): boolean => value >= MIN_LENGTH && value <= MAX_LENGTH

const isAngle = (value: number): boolean => value > 0 && value < 180

const readAtoms = (basis: Basis, cell: CellParameters): Atom[] => {
  const symbols = byId('basis.elements', basis.elements)
  const coordinates = byId('basis.coordinates', basis.coordinates)
  const labels = byId('basis.labels', basis.labels ?? [])
  const vectors = basis.units === 'cartesian' ? cellVectors(cell) : undefined
  if (symbols.size === 0) throw new BodyInvalid('basis.elements must have at least one element')
  for (const id of coordinates.keys())
    if (!symbols.has(id)) throw unmatched('basis.coordinates', id, 'basis.elements')

  return [...symbols].map(([id, symbol], index) => {
    if (!elements.has(symbol))
      throw refused(`basis.elements.${index}.value`, "a chemical element's symbol", symbol)

    const given = coordinates.get(id)
    if (given === undefined) throw unmatched('basis.elements', id, 'basis.coordinates')
    const point: Vector = [given[0] ?? 0, given[1] ?? 0, given[2] ?? 0]
    const coordinate = vectors === undefined ? point : toCrystal(point, vectors)
    return { symbol, label: String(labels.get(id) ?? ''), coordinate }
  })
}

type Listed<Value> = readonly { readonly id: number; readonly value: Value }[]

const byId = <Value>(path: string, list: Listed<Value> | undefined): Map<number, Value> => {
  if (list === undefined) throw missing(path)
  const values = new Map<number, Value>()
  list.forEach(({ id, value }, index) => {
    if (values.has(id)) throw new BodyInvalid(`${path}.${index}.id must be unique, ${id} is not`)
    values.set(id, value)
  })
  return values
}

const missing = (path: string) => new BodyInvalid(`${path} must be there, and is missing`)

const refused = (path: string, wanted: string, value: number | string) =>
  new BodyInvalid(`${path} must be ${wanted}, not ${JSON.stringify(value)}`)

const unmatched = (path: string, id: number, other: string) =>
  new BodyInvalid(`${path} has an atom with id ${id}, and ${other} has none`)
