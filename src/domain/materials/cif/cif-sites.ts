import { BodyInvalid, BoundExceeded } from '../../../errors.js'
import { ELEMENTS } from '../elements.js'
import { MAX_COORDINATE, checkAtomCount } from '../structure.js'
import type { Vector } from '../vector.js'
import { findValues, lineError, parseCifNumber } from './cif-block.js'
import type { CifBlock, CifToken } from './cif-block.js'
import { computePlaneSpacings } from '../cell.js'
import type { CellVectors } from '../cell.js'
import { applyOperation } from './space-group.js'
import type { SymmetryOperation } from './space-group.js'

/** An atom site of a CIF file. */
interface CifSite {
  readonly symbol: string
  /** In crystal coordinates. */
  readonly point: Vector
  /** The number of its line. */
  readonly line: number
}

/**
 * Parses the atom sites of a data block.
 * @throws BodyInvalid for a missing or malformed coordinate, an unknown element, or a site that is
 * occupied in part; the message has the number of the line
 */
export function parseSites(block: CifBlock): CifSite[] {
  const xs = getColumn(block, '_atom_site_fract_x')
  const ys = getColumn(block, '_atom_site_fract_y', xs.length)
  const zs = getColumn(block, '_atom_site_fract_z', xs.length)
  const hasTypes = findValues(block, TYPE).length > 0
  const names = getColumn(block, hasTypes ? TYPE : '_atom_site_label', xs.length)
  const parseName = hasTypes ? findTypeSymbol : findLabelSymbol
  const hasOccupancies = findValues(block, OCCUPANCY).length > 0
  if (hasOccupancies) getColumn(block, OCCUPANCY, xs.length).forEach(checkOccupancy)
  return xs.map((x, index) => ({
    symbol: parseSymbol(names[index] ?? x, parseName),
    point: [parseCoordinate(x), parseCoordinate(ys[index] ?? x), parseCoordinate(zs[index] ?? x)],
    line: x.line,
  }))
}

const TYPE = '_atom_site_type_symbol'
const OCCUPANCY = '_atom_site_occupancy'

function getColumn(block: CifBlock, tag: string, length?: number): readonly CifToken[] {
  const column = findValues(block, tag)
  if (column.length === 0) throw new BodyInvalid(`the CIF file must have ${tag}, and has none`)
  if (length !== undefined && column.length !== length) {
    const rows = `one value for each of its ${length} atom sites`
    throw new BodyInvalid(`the CIF file must have ${tag} with ${rows}, not ${column.length}`)
  }
  return column
}

function parseCoordinate(token: CifToken): number {
  const value = parseCifNumber(token)
  if (value !== undefined && Math.abs(value) <= MAX_COORDINATE) return value
  const expected = `an atom site with coordinates up to ${MAX_COORDINATE} cells`
  throw lineError(token.line, expected, token.text)
}

/** A site without an occupancy is occupied (the default of the core CIF dictionary). */
function checkOccupancy(token: CifToken): void {
  const value = token.isMissing ? 1 : parseCifNumber(token)
  if (value === undefined || Math.abs(value - 1) > 1e-4)
    throw lineError(token.line, 'an atom site with the occupancy 1', token.text)
}

function parseSymbol(token: CifToken, findSymbol: (text: string) => string | undefined): string {
  const symbol = findSymbol(token.text)
  if (symbol === undefined)
    throw lineError(token.line, "an atom site with a chemical element's symbol", token.text)
  return symbol
}

/** Finds the element of a type with its charge: `Si`, `SI`, `Fe3+`. */
function findTypeSymbol(text: string): string | undefined {
  const letters = /^([a-z]+)(?![a-z])/i.exec(text)?.[1] ?? ''
  return findElement(letters)
}

/**
 * Finds the element that a label starts with: `Si1`, `O2A`. In capitals, a label can mean two elements
 * (`CA1` is calcium or carbon), which is as bad as none.
 */
function findLabelSymbol(text: string): string | undefined {
  const two = /^[A-Z][a-z](?![a-z])/.exec(text)?.[0]
  if (two !== undefined) return findElement(two)
  const one = findElement(text.slice(0, 1))
  const other = /^[A-Z]{2}/i.test(text) ? findElement(text.slice(0, 2)) : undefined
  return one !== undefined && other !== undefined ? undefined : (one ?? other)
}

const findElement = (letters: string): string | undefined => {
  const symbol = letters.slice(0, 1).toUpperCase() + letters.slice(1).toLowerCase()
  return ELEMENTS.has(symbol) ? symbol : undefined
}

/** The number of images of all sites under all operations: more would hold up other requests. */
const MAX_IMAGES = 20_000

/**
 * Returns all atoms of the cell: the images of the sites under the symmetry operations, within the
 * cell. Images at one place are one atom.
 * @throws BodyInvalid for atoms of two elements at one place
 * @throws BoundExceeded for more than 20,000 images or 10,000 atoms
 */
export function expandSites(
  sites: readonly CifSite[],
  operations: readonly SymmetryOperation[],
  edges: CellVectors,
): CifSite[] {
  const count = sites.length * operations.length
  if (count > MAX_IMAGES) {
    const bound = `at most ${MAX_IMAGES} images of atom sites under its symmetry operations`
    throw new BoundExceeded(`the CIF file must have ${bound}, not ${count}`)
  }
  const places = new PlaceIndex(edges)
  const atoms: CifSite[] = []
  for (const { symbol, point, line } of sites) {
    for (const operation of operations) {
      const image = { symbol, point: wrap(applyOperation(operation, point)), line }
      const other = places.findNear(image.point)
      if (other === undefined) {
        places.add(image)
        atoms.push(image)
      } else if (other.symbol !== symbol) {
        const place = `a place where ${other.symbol} of line ${other.line} is not`
        throw new BodyInvalid(`line ${line} of the CIF file must be ${symbol} at ${place}`)
      }
    }
  }
  checkAtomCount('the CIF file', atoms.length)
  return atoms
}

const wrap = ([x, y, z]: Vector): Vector => [
  x - Math.floor(x),
  y - Math.floor(y),
  z - Math.floor(z),
]

/** Atoms that are nearer than this, in Å, are one atom: the coordinates of files have few digits. */
const TOLERANCE = 0.1

/** The atoms of a periodic cell by their places, so that a search looks at few of them. */
class PlaceIndex {
  readonly #edges: CellVectors
  readonly #axes: readonly [BinAxis, BinAxis, BinAxis]
  readonly #bins = new Map<number, CifSite[]>()

  constructor(edges: CellVectors) {
    const [a, b, c] = computePlaneSpacings(edges)
    this.#edges = edges
    this.#axes = [createAxis(a), createAxis(b), createAxis(c)]
  }

  add(atom: CifSite): void {
    const [x, y, z] = this.#axes
    const [a, b, c] = atom.point
    const key = hashBin(findBin(x, a, 0), findBin(y, b, 0), findBin(z, c, 0))
    const bin = this.#bins.get(key)
    if (bin === undefined) this.#bins.set(key, [atom])
    else bin.push(atom)
  }

  /** Finds an atom that is nearer to a point than the tolerance. */
  findNear(point: Vector): CifSite | undefined {
    const [xs, ys, zs] = this.#axes.map((axis, index) => findNearBins(axis, point[index] ?? 0))
    for (const x of xs ?? []) {
      for (const y of ys ?? []) {
        for (const z of zs ?? []) {
          const bin = this.#bins.get(hashBin(x, y, z))
          const atom = bin?.find((each) => this.#measure(each.point, point) < TOLERANCE)
          if (atom !== undefined) return atom
        }
      }
    }
    return undefined
  }

  /** Returns the distance of the nearest periodic images in Å. */
  #measure(left: Vector, right: Vector): number {
    const x = toNearest(left[0] - right[0])
    const y = toNearest(left[1] - right[1])
    const z = toNearest(left[2] - right[2])
    const [a, b, c] = this.#edges
    return Math.hypot(
      x * a[0] + y * b[0] + z * c[0],
      x * a[1] + y * b[1] + z * c[1],
      x * a[2] + y * b[2] + z * c[2],
    )
  }
}

const toNearest = (difference: number): number => difference - Math.round(difference)

/** How a crystal coordinate is divided into bins, each at least twice as wide as the tolerance. */
interface BinAxis {
  readonly count: number
  /** The tolerance in units of the bins. */
  readonly margin: number
}

function createAxis(spacing: number): BinAxis {
  const count = Math.max(1, Math.floor(spacing / (2 * TOLERANCE)))
  return { count, margin: (TOLERANCE / spacing) * count }
}

const findBin = ({ count }: BinAxis, coordinate: number, shift: number): number =>
  (Math.floor(coordinate * count + shift) + count) % count

/** Returns the one or two bins within the tolerance of a coordinate. */
function findNearBins(axis: BinAxis, coordinate: number): number[] {
  if (axis.count === 1) return [0]
  const first = findBin(axis, coordinate, -axis.margin)
  const last = findBin(axis, coordinate, axis.margin)
  return first === last ? [first] : [first, last]
}

/** Bins of one hash cost time only, because the distances are measured. */
const hashBin = (x: number, y: number, z: number): number =>
  Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663) ^ Math.imul(z, 83_492_791)
