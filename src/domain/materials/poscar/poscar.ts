import type { Basis, Lattice } from '../../items/structure.js'
import { toCellParameters, toCrystalCoordinates } from '../cell.js'
import type { CellVectors } from '../cell.js'
import { ELEMENTS } from '../elements.js'
import { round } from '../round.js'
import { MAX_COORDINATE, checkAtomCount, isWithinBounds } from '../structure.js'
import { parsePoscarCell, parseVector, scaleVector } from './poscar-cell.js'
import { parseCount, parseFlag, PoscarLines } from './poscar-lines.js'

/** The content of a POSCAR file. */
export interface PoscarMaterial {
  /** The comment in line 1; missing if that is empty. */
  readonly name?: string
  readonly lattice: Lattice
  readonly basis: Required<Omit<Basis, 'labels' | 'cell'>>
}

/**
 * Parses a POSCAR file of VASP 5 or 6 (https://vasp.at/wiki/POSCAR): a comment, one or three scaling
 * factors or a volume, the edges, the elements, their counts, an optional "Selective dynamics",
 * "Direct" or "Cartesian", and a line for each atom. Later lines (velocities and so on) are ignored.
 *
 * The coordinates are returned in crystal units, for any orientation of the edges in the file.
 * Lengths, angles and coordinates are rounded to 9 decimals. Left-handed edges become right-handed
 * ones with the same coordinates, which mirrors the structure, as on the platform.
 * @throws BodyInvalid for an invalid line; the message has its number, what it must be and its text.
 * Files of VASP 4, which do not name their elements, are invalid
 */
export function parsePoscar(text: string): PoscarMaterial {
  const lines = new PoscarLines(text)
  const name = lines.comment()
  const { edges, factors } = parsePoscarCell(lines)
  const counts = parseCounts(lines)
  const isSelective = /^s/i.test(lines.words(8, MODE)[0])
  const modeNumber = isSelective ? 9 : 8
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
    }
  }
  return { ...(name && { name }), lattice: toLattice(edges), basis }
}

const MODE = '"Selective dynamics", "Direct" or "Cartesian"'

/** Parses the elements and their numbers of atoms. An element may occur more than once. */
function parseCounts(lines: PoscarLines): [symbol: string, count: number][] {
  const words = lines.words(6, 'the elements')
  if (words.every((word) => parseCount(word) !== undefined))
    throw lines.error(6, 'the elements, which VASP 5 files name and VASP 4 files do not')

  const expected = `a number of atoms for each of ${words.join(' ')}`
  const counts = lines.words(7, expected).map(parseCount)
  if (counts.length !== words.length) throw lines.error(7, expected)
  const parsed = words.map((word, index): [symbol: string, count: number] => {
    const symbol = withoutPotential(word)
    if (!ELEMENTS.has(symbol)) throw lines.error(6, 'symbols of chemical elements')
    const count = counts[index]
    if (count === undefined) throw lines.error(7, expected)
    return [symbol, count]
  })
  checkAtomCount(
    'line 7 of the POSCAR file',
    parsed.reduce((sum, [, count]) => sum + count, 0),
  )
  return parsed
}

/** Removes the name of the potential that VASP 6 may append to a symbol: `Ti_sv`, `Ti/1a2b3c`. */
const withoutPotential = (word: string): string => word.replace(/[_/].*/, '')

/** Parses "Direct" or "Cartesian" by the first letter alone, as VASP does: C or K is Cartesian. */
function parseIsCartesian(lines: PoscarLines, number: number): boolean {
  const expected = '"Direct" or "Cartesian"'
  const letter = lines.words(number, expected)[0].charAt(0).toLowerCase()
  if (!'dck'.includes(letter)) throw lines.error(number, expected)
  return letter !== 'd'
}

/** Parses the flags that say along which edges an atom may move. */
function parseFlags(lines: PoscarLines, number: number): boolean[] {
  const expected = 'three coordinates and three flags, T or F'
  return [3, 4, 5].map((index) => {
    const flag = parseFlag(lines.words(number, expected)[index] ?? '')
    if (flag === undefined) throw lines.error(number, expected)
    return flag
  })
}

function toLattice(edges: CellVectors): Lattice {
  const { a, b, c, alpha, beta, gamma } = toCellParameters(edges)
  return {
    type: 'TRI',
    a: roundTo9(a),
    b: roundTo9(b),
    c: roundTo9(c),
    alpha: roundTo9(alpha),
    beta: roundTo9(beta),
    gamma: roundTo9(gamma),
    units: { length: 'angstrom', angle: 'degree' },
  }
}

const roundTo9 = (value: number): number => round(value, 9)
