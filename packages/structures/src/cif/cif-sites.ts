import { BodyInvalid, BoundExceeded } from '@materials-mock/json'
import type { CellParameters, CellVectors } from '../cell.js'
import { ELEMENTS } from '../elements.js'
import { visitNeighbourPairs } from '../geometry/neighbour-pairs.js'
import { MAX_COORDINATE, checkAtomCount } from '../structure.js'
import { mapVector } from '../vector.js'
import type { Vector } from '../vector.js'
import { createConversion } from './cartesian-axes.js'
import { findKnownValues, findValues, lineError, parseCifNumber } from './cif-block.js'
import type { CifBlock, CifToken } from './cif-block.js'
import { applyOperation } from './space-group.js'
import type { SymmetryOperation } from './named-group.js'

interface CifSite {
  readonly symbol: string
  /** In crystal coordinates. */
  readonly point: Vector
  readonly line: number
}

/**
 * Cartesian coordinates become crystal coordinates, where a file has no others.
 * @throws BodyInvalid for a missing coordinate, an unknown element or a partially occupied site,
 * with its line
 */
export function parseSites(block: CifBlock, cell: CellParameters): CifSite[] {
  const isCartesian =
    findKnownValues(block, '_atom_site_fract_x').length === 0 &&
    findKnownValues(block, CARTESIAN_X).length > 0
  const toPoint = isCartesian ? createConversion(block, cell) : (point: Vector): Vector => point
  const xs = getColumn(block, isCartesian ? CARTESIAN_X : '_atom_site_fract_x')
  const ys = getColumn(block, isCartesian ? '_atom_site_cartn_y' : '_atom_site_fract_y', xs.length)
  const zs = getColumn(block, isCartesian ? '_atom_site_cartn_z' : '_atom_site_fract_z', xs.length)
  const hasTypes = findValues(block, TYPE).length > 0
  const names = getColumn(block, hasTypes ? TYPE : '_atom_site_label', xs.length)
  const parseName = hasTypes ? findTypeSymbol : findLabelSymbol
  const hasOccupancies = findValues(block, OCCUPANCY).length > 0
  if (hasOccupancies) getColumn(block, OCCUPANCY, xs.length).forEach(checkOccupancy)
  return xs.map((x, index) => ({
    symbol: parseSymbol(names[index] ?? x, parseName),
    point: toPoint([
      parseCoordinate(x),
      parseCoordinate(ys[index] ?? x),
      parseCoordinate(zs[index] ?? x),
    ]),
    line: x.line,
  }))
}

const CARTESIAN_X = '_atom_site_cartn_x'
const TYPE = '_atom_site_type_symbol'
const OCCUPANCY = '_atom_site_occupancy'

function getColumn(block: CifBlock, tag: string, length?: number): readonly CifToken[] {
  const column = findValues(block, tag)
  if (column.length === 0) throw new BodyInvalid(`the CIF file has no ${tag}, which it must have`)
  if (length !== undefined && column.length !== length) {
    const rows = `one value for each of its ${length} atom sites`
    throw new BodyInvalid(`the CIF file must have ${tag} with ${rows}, not ${column.length}`)
  }
  return column
}

function parseCoordinate(token: CifToken): number {
  const value = parseCifNumber(token)
  if (value !== undefined && Math.abs(value) <= MAX_COORDINATE) return value
  const expected = `an atom site with coordinates up to ${MAX_COORDINATE}`
  throw lineError(token.line, expected, token.text)
}

function checkOccupancy(token: CifToken): void {
  const value = token.isMissing ? 1 : parseCifNumber(token)
  if (value !== undefined && Math.abs(value - 1) <= 1e-4) return
  const expected = 'an atom site with the occupancy 1, because a material has whole atoms'
  throw lineError(token.line, expected, token.text)
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
 * `Si1`, `O2A`; in old databases the letter of the site follows, as in `Ob1`. Undefined if a label
 * in capitals can mean two elements, as `CA1` calcium or carbon, and for a word, as `Wat`.
 */
function findLabelSymbol(text: string): string | undefined {
  const [word] = /^[A-Z][a-z]+/.exec(text) ?? []
  const [, beforeSite] = /^([A-Z][a-z]?)[a-l]\d/.exec(text) ?? []
  if (word !== undefined) return findElement(word) ?? findElement(beforeSite ?? '')
  const one = findElement(text.slice(0, 1))
  const other = /^[A-Z]{2}/i.test(text) ? findElement(text.slice(0, 2)) : undefined
  return one !== undefined && other !== undefined ? undefined : (one ?? other)
}

const findElement = (letters: string): string | undefined => {
  const symbol = letters.slice(0, 1).toUpperCase() + letters.slice(1).toLowerCase()
  if (symbol === 'D' || symbol === 'T') return 'H' // deuterium and tritium
  return ELEMENTS.has(symbol) ? symbol : undefined
}

/** The largest number of images of all sites under all operations. More would delay other requests. */
const MAX_IMAGES = 20_000

/**
 * The images of the sites within the cell, in steps. Images at one place are one atom.
 * @throws BodyInvalid for atoms of two elements at one place; BoundExceeded for more than 20,000
 * images or 10,000 atoms, and too many close together
 */
export function* expandSites(
  sites: readonly CifSite[],
  operations: readonly SymmetryOperation[],
  edges: CellVectors,
): Generator<void, CifSite[], void> {
  const count = sites.length * operations.length
  if (count > MAX_IMAGES) {
    const bound = `at most ${MAX_IMAGES} images of atom sites under its symmetry operations`
    throw new BoundExceeded(`the CIF file must have ${bound}, not ${count}`)
  }
  const images = sites.flatMap((site) =>
    operations.map((operation) => ({
      ...site,
      point: wrap(applyOperation(operation, site.point)),
    })),
  )
  yield
  const firsts = yield* findFirsts(images, edges)
  const atoms = images.filter(({ symbol, line }, index) => {
    const other = images[firsts.get(index) ?? index]
    if (other === undefined || other.symbol === symbol) return !firsts.has(index)
    const place = `a place where ${other.symbol} of line ${other.line} is not`
    throw new BodyInvalid(`line ${line} of the CIF file must be ${symbol} at ${place}`)
  })
  checkAtomCount('the CIF file', atoms.length)
  return atoms
}

const wrap = (point: Vector): Vector => mapVector(point, (value) => value - Math.floor(value))

/** Atoms nearer than this distance, in Å, are one atom, because the coordinates of files have few digits. */
const TOLERANCE = 0.1

/**
 * The first one at each place, by the indexes of images.
 * @throws BoundExceeded for too many images
 */
function* findFirsts(
  images: readonly CifSite[],
  vectors: CellVectors,
): Generator<void, ReadonlyMap<number, number>, void> {
  const points = images.map(({ point }) => point)
  const firsts = new Map<number, number>()
  const isComplete = yield* visitNeighbourPairs(
    { points, vectors, isPeriodic: true },
    TOLERANCE,
    ({ from, to }) => {
      if (from !== to) firsts.set(to, Math.min(from, firsts.get(to) ?? from))
    },
  )
  if (isComplete) return firsts
  throw new BoundExceeded('the CIF file must have fewer images of atom sites so close together')
}
