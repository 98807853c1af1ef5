import type { Basis, Lattice } from '@materials-mock/api'
import { BodyInvalid, parseDecimal } from '@materials-mock/json'
import { computeDeterminant, toCellParameters, toCrystalCoordinates } from './cell.js'
import type { CellVectors } from './cell.js'
import { ELEMENTS } from './elements.js'
import {
  MAX_COORDINATE,
  MAX_LENGTH,
  MIN_LENGTH,
  checkAtomCount,
  isWithinBounds,
  toLattice,
} from './structure.js'
import { mapVector, round } from './vector.js'
import type { Vector } from './vector.js'

interface PoscarMaterial {
  /** The comment in line 1; undefined if it is empty. */
  readonly name?: string
  readonly lattice: Lattice
  readonly basis: Required<Omit<Basis, 'labels' | 'cell'>>
}

/** The number of atoms that are parsed in one step. */
const ATOMS_PER_STEP = 100

/**
 * Parses a POSCAR file (https://vasp.at/wiki/POSCAR), in steps. Lines after the coordinates are
 * ignored. Files of VASP 4 have their elements in the comment, or behind the coordinates. All is
 * rounded to 9 decimals. Left-handed edges become right-handed ones with the same coordinates,
 * which mirrors the structure, as on the platform.
 * @throws BodyInvalid for a line, with its number, the expected content and its text
 */
export function* parsePoscar(text: string): Generator<void, PoscarMaterial, void> {
  const lines = new PoscarLines(text)
  const name = lines.trimmed(1)
  const { edges, factors } = parsePoscarCell(lines)
  const { counts, end } = parseCounts(lines)
  const isSelective = /^s/i.test(lines.words(end + 1, MODE)[0])
  const modeNumber = isSelective ? end + 2 : end + 1
  const isCartesian = parseIsCartesian(lines, modeNumber)
  const basis: PoscarMaterial['basis'] = {
    elements: [],
    coordinates: [],
    units: 'crystal',
    constraints: [],
  }
  for (const [symbol, count] of counts) {
    for (let n = 1; n <= count; n += 1) {
      const id = basis.elements.length
      const number = modeNumber + 1 + id
      const expected = `the coordinates of ${symbol} atom ${n} of ${count}`
      const point = parseVector(lines, number, expected)
      const coordinate = isCartesian
        ? toCrystalCoordinates(scaleVector(point, factors), edges)
        : point
      if (!isWithinBounds(coordinate))
        throw lines.error(number, `${expected}, at most ${MAX_COORDINATE} cells away`)
      basis.elements.push({ id, value: symbol })
      basis.coordinates.push({ id, value: coordinate.map(roundTo9) })
      if (isSelective) basis.constraints.push({ id, value: parseFlags(lines, number) })
      if (id % ATOMS_PER_STEP === 0) yield
    }
  }
  return { ...(name && { name }), lattice: toLattice(edges), basis }
}

const MODE = '"Selective dynamics", "Direct" or "Cartesian"'

interface PoscarCounts {
  /** An element may occur more than once. */
  readonly counts: readonly [symbol: string, count: number][]
  readonly end: number
}

function parseCounts(lines: PoscarLines): PoscarCounts {
  const first = lines.words(6, 'the elements')
  const vasp4Counts = parseAll(first, parseCount)
  const end = vasp4Counts === undefined ? 7 : 6
  const words = vasp4Counts === undefined ? first : findVasp4Elements(lines, vasp4Counts)
  const expected = `a number of atoms for each of ${words.join(' ')}`
  const numbers = lines.words(end, expected).map(parseCount)
  if (numbers.length !== words.length) throw lines.error(end, expected)
  const counts = words.map((word, index): [symbol: string, count: number] => {
    const symbol = withoutPotential(word)
    if (!ELEMENTS.has(symbol)) throw lines.error(6, 'symbols of chemical elements')
    const count = numbers[index]
    if (count === undefined) throw lines.error(end, expected)
    return [symbol, count]
  })
  checkAtomCount(
    `line ${end} of the POSCAR file`,
    counts.reduce((sum, [, count]) => sum + count, 0),
  )
  return { counts, end }
}

/** The words of its comment, or those behind the coordinates, as ASE and pymatgen write them. */
function findVasp4Elements(lines: PoscarLines, counts: readonly number[]): readonly string[] {
  checkAtomCount(
    'line 6 of the POSCAR file',
    counts.reduce((sum, count) => sum + count, 0),
  )
  const inComment = parseAll(lines.trimmed(1).split(/\s+/), parseElement)
  const written = findWrittenElements(lines, counts)
  if (inComment === undefined && written === undefined) {
    const places =
      'line 1 has only their symbols, or the coordinates of each atom end with its symbol'
    throw lines.error(6, `the elements, unless ${places}, as in files of VASP 4`)
  }
  if (
    inComment?.length === counts.length &&
    written !== undefined &&
    `${inComment}` !== `${written}`
  )
    throw lines.error(1, `the elements behind the coordinates, ${written.join(' ')}`)
  return written ?? inComment ?? []
}

/** Returns the elements behind the coordinates; undefined if there are none, or if they do not fit the counts. */
function findWrittenElements(
  lines: PoscarLines,
  counts: readonly number[],
): readonly string[] | undefined {
  const isSelective = /^s/i.test(lines.trimmed(7))
  const column = isSelective ? 6 : 3 // after the flags
  let number = isSelective ? 9 : 8
  const elements: string[] = []
  for (const count of counts) {
    const end = number + count
    const found = new Set<string | undefined>()
    for (; number < end; number += 1)
      found.add(parseElement(lines.trimmed(number).split(/\s+/)[column] ?? ''))
    const [element] = found
    if (element === undefined || found.size > 1) return undefined
    elements.push(element)
  }
  return elements
}

function parseAll<Value>(
  words: readonly string[],
  parse: (word: string) => Value | undefined,
): Value[] | undefined {
  const parsed = words.map(parse).filter((each) => each !== undefined)
  return parsed.length === words.length ? parsed : undefined
}

function parseElement(word: string): string | undefined {
  const symbol = withoutPotential(word)
  return ELEMENTS.has(symbol) ? symbol : undefined
}

/** Removes the name of the potential that VASP 6 may append to a symbol: `Ti_sv`, `Ti/1a2b3c`. */
const withoutPotential = (word: string): string => word.replace(/[_/].*/, '')

/** Parses "Direct" or "Cartesian" by the first letter, as VASP does: C or K is Cartesian. */
function parseIsCartesian(lines: PoscarLines, number: number): boolean {
  const expected = '"Direct" or "Cartesian"'
  const letter = lines.words(number, expected)[0].charAt(0).toLowerCase()
  if (!'dck'.includes(letter)) throw lines.error(number, expected)
  return letter !== 'd'
}

function parseFlags(lines: PoscarLines, number: number): boolean[] {
  const expected = 'three coordinates and three flags, T or F'
  return [3, 4, 5].map((index) => {
    const flag = parseFlag(lines.words(number, expected)[index] ?? '')
    if (flag === undefined) throw lines.error(number, expected)
    return flag
  })
}

const roundTo9 = (value: number): number => round(value, 9)

interface PoscarCell {
  /** The edges in Å. */
  readonly edges: CellVectors
  /** The factors that scale the x, y and z components of Cartesian coordinates in the file to Å. */
  readonly factors: Vector
}

/**
 * Lines 2 to 5. The scale is a factor, a volume in Å^3 (below 0), or three factors (VASP 6).
 * @throws BodyInvalid for a line with other numbers, or for edges that lie in a plane
 */
function parsePoscarCell(lines: PoscarLines): PoscarCell {
  const scale = parseScale(lines)
  const edges: CellVectors = [parseEdge(lines, 3), parseEdge(lines, 4), parseEdge(lines, 5)]
  const { a, b, c } = toCellParameters(edges)
  const volume = Math.abs(computeDeterminant(edges))
  if (!(volume > 1e-6 * a * b * c))
    throw lines.error(5, 'an edge outside the plane of the edges in lines 3 and 4')

  // A number below 0 is a volume.
  const factor = typeof scale === 'number' && scale < 0 ? Math.cbrt(-scale / volume) : scale
  const factors: Vector = typeof factor === 'number' ? [factor, factor, factor] : factor
  const scaled: CellVectors = [
    scaleVector(edges[0], factors),
    scaleVector(edges[1], factors),
    scaleVector(edges[2], factors),
  ]
  const lengths = scaled.map((edge) => Math.hypot(...edge))
  const wrong = lengths.findIndex((length) => !(length >= MIN_LENGTH && length <= MAX_LENGTH))
  if (wrong !== -1) {
    const range = `from ${MIN_LENGTH} to ${MAX_LENGTH} Å`
    throw lines.error(3 + wrong, `an edge whose length, times the scale, is ${range}`)
  }
  return { edges: scaled, factors }
}

/** Parses an edge. Its numbers are limited, so that the volume of three edges is finite. */
function parseEdge(lines: PoscarLines, number: number): Vector {
  const edge = parseVector(lines, number, 'the three numbers of an edge')
  if (edge.every((each) => Math.abs(each) <= MAX_NUMBER)) return edge
  throw lines.error(number, `the three numbers of an edge, up to ${MAX_NUMBER}`)
}

/** The largest number of an edge. The cube of a larger number would overflow a double. */
const MAX_NUMBER = 1e100

/**
 * @param expected for the message
 * @throws BodyInvalid if the line does not start with three numbers
 */
function parseVector(lines: PoscarLines, number: number, expected: string): Vector {
  const [x, y, z] = lines.words(number, expected).map(parseNumber)
  if (x === undefined || y === undefined || z === undefined) throw lines.error(number, expected)
  return [x, y, z]
}

/** Multiplies each component of a vector by its own factor. */
const scaleVector = (vector: Vector, factors: Vector): Vector =>
  mapVector(vector, (value, axis) => value * factors[axis])

function parseScale(lines: PoscarLines): number | Vector {
  const expected = 'a scaling factor, a volume below 0, or three factors above 0'
  const [x, y, z] = lines.words(2, expected).map(parseNumber)
  if (x === undefined || x === 0) throw lines.error(2, expected)
  if (y === undefined) return x
  if (z === undefined || Math.min(x, y, z) <= 0) throw lines.error(2, expected)
  return [x, y, z]
}

class PoscarLines {
  readonly #lines: readonly string[]

  constructor(text: string) {
    this.#lines = text.split(/\r\n|\r|\n/)
  }

  /**
   * Returns the words of a line, without the comment that starts at `!` or `#`.
   * @param expected a description of the expected line, for the message
   * @throws BodyInvalid if there are no words
   */
  words(number: number, expected: string): [string, ...string[]] {
    const text = this.trimmed(number).replace(/[!#].*/, '')
    const [first, ...others] = text.split(/\s+/).filter(Boolean)
    if (first === undefined) throw this.error(number, expected)
    return [first, ...others]
  }

  /** Returns a BodyInvalid that describes the expected line and quotes the actual line. */
  error(number: number, expected: string): Error {
    const found =
      number > this.#lines.length ? 'but the file ends before it' : `not "${this.trimmed(number)}"`
    return new BodyInvalid(`line ${number} of the POSCAR file must be ${expected}, ${found}`)
  }

  trimmed(number: number): string {
    return (this.#lines[number - 1] ?? '').trim()
  }
}

/** Parses a number in Fortran's notation (`1`, `-.5`, `1.0E-3`, `1.0d0`); undefined if invalid. */
const parseNumber = (word: string): number | undefined => parseDecimal(word.replace(/d/i, 'e'))

/** Parses a whole number above 0; undefined if invalid. */
const parseCount = (word: string): number | undefined =>
  /^\+?0*[1-9]\d*$/.test(word) ? Number(word) : undefined

/** Parses a boolean in Fortran's notation (`T`, `F`, `.TRUE.`, `.false.`); undefined if invalid. */
function parseFlag(word: string): boolean | undefined {
  if (/^(t|\.t\.|\.?true\.?)$/i.test(word)) return true
  return /^(f|\.f\.|\.?false\.?)$/i.test(word) ? false : undefined
}
