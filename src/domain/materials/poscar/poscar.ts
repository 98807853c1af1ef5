import { cellParameters, toCrystal } from '../cell.js'
import { elements } from '../elements.js'
import { readPoscarCell, readVector, scaleVector } from './poscar-cell.js'
import { parseCount, parseFlag, PoscarLines } from './poscar-lines.js'
import { round } from '../round.js'
import type { CellVectors } from '../cell.js'
import type { Basis, Lattice } from '../../../schemas/structure.js'

/** What a POSCAR file says of a material: its cell, its atoms, and a name where line 1 has one. */
export interface PoscarMaterial {
  readonly name?: string
  readonly lattice: Lattice
  readonly basis: Required<Omit<Basis, 'labels'>>
}

/**
 * Reads a POSCAR file of VASP 5 or 6 (https://vasp.at/wiki/POSCAR): a comment, one or three scaling
 * factors or a volume, the edges, the elements, their counts, perhaps "Selective dynamics", "Direct"
 * or "Cartesian", and a line for each atom. What follows (velocities and so on) is not read.
 *
 * The coordinates come out in crystal units, whichever way the edges point in the file. The cell
 * keeps its lengths and angles, rounded to 9 decimals as the coordinates are; `describe` gives it
 * vectors in the platform's orientation. Left-handed edges become right-handed ones with the same
 * coordinates, as on the platform: the mirror image.
 *
 * @throws BodyInvalid naming the line, what it must be and what it is; for a file of VASP 4 too,
 * which does not name its elements.
 */
export const readPoscar = (text: string): PoscarMaterial => {
  const lines = new PoscarLines(text)
  const name = lines.comment()
  const { edges, factors } = readPoscarCell(lines)
  const counts = readCounts(lines)
  const isSelective = /^s/i.test(lines.words(8, MODE)[0])
  const mode = isSelective ? 9 : 8
  const isCartesian = readIsCartesian(lines, mode)
  const basis: PoscarMaterial['basis'] = {
    elements: [],
    coordinates: [],
    units: 'crystal',
    constraints: [],
  }
  for (const [symbol, count] of counts) {
    for (let n = 1; n <= count; n += 1) {
      const id = basis.elements.length
      const number = mode + 1 + id
      const point = readVector(lines, number, `the coordinates of ${symbol} ${n} of ${count}`)
      const at = isCartesian ? toCrystal(scaleVector(point, factors), edges) : point
      basis.elements.push({ id, value: symbol })
      basis.coordinates.push({ id, value: at.map(tidy) })
      if (isSelective) basis.constraints.push({ id, value: readFlags(lines, number) })
    }
  }
  return { ...(name && { name }), lattice: latticeOf(edges), basis }
}

const MODE = '"Selective dynamics", "Direct" or "Cartesian"'

/** The elements and how many atoms there are of each; an element may come again. */
const readCounts = (lines: PoscarLines): [symbol: string, count: number][] => {
  const words = lines.words(6, 'the elements')
  if (words.every((word) => parseCount(word) !== undefined))
    throw lines.refuse(6, 'the elements, which files of VASP 5 name and those of VASP 4 do not')

  const wanted = `a number of atoms for each of ${words.join(' ')}`
  const counts = lines.words(7, wanted).map(parseCount)
  if (counts.length !== words.length) throw lines.refuse(7, wanted)
  return words.map((word, index) => {
    const symbol = symbolOf(word)
    if (!elements.has(symbol)) throw lines.refuse(6, 'symbols of chemical elements')
    const count = counts[index]
    if (count === undefined) throw lines.refuse(7, wanted)
    return [symbol, count]
  })
}

/** VASP 6 may add what the potential is called: `Ti_sv`, `Ti/1a2b3c`. */
const symbolOf = (word: string): string => word.replace(/[_/].*/, '')

/** VASP looks at the first letter only: C or K is Cartesian. */
const readIsCartesian = (lines: PoscarLines, number: number): boolean => {
  const wanted = '"Direct" or "Cartesian"'
  const letter = lines.words(number, wanted)[0].charAt(0).toLowerCase()
  if (!'dck'.includes(letter)) throw lines.refuse(number, wanted)
  return letter !== 'd'
}

/** Along which edges an atom may move. */
const readFlags = (lines: PoscarLines, number: number): boolean[] => {
  const wanted = 'three coordinates and three of T and F'
  return [3, 4, 5].map((index) => {
    const flag = parseFlag(lines.words(number, wanted)[index] ?? '')
    if (flag === undefined) throw lines.refuse(number, wanted)
    return flag
  })
}

const latticeOf = (edges: CellVectors): Lattice => {
  const { a, b, c, alpha, beta, gamma } = cellParameters(edges)
  return {
    type: 'TRI',
    a: tidy(a),
    b: tidy(b),
    c: tidy(c),
    alpha: tidy(alpha),
    beta: tidy(beta),
    gamma: tidy(gamma),
    units: { length: 'angstrom', angle: 'degree' },
  }
}

const tidy = (value: number): number => round(value, 9)
