import { analyze_cell, space_group_type } from '@spglib/moyo-wasm'
import type { MoyoCell } from '@spglib/moyo-wasm'

import type { StandardCell, Symmetry } from '@materials-mock/api'
import { computePlaneSpacings, toCellVectors } from './cell.js'
import type { CellVectors } from './cell.js'
import { ELEMENTS } from './elements.js'
import { toLattice } from './structure.js'
import type { Structure } from './structure.js'
import { ORIGIN, add, computeLength, round, subtract } from './vector.js'
import type { Vector } from './vector.js'

/** The tolerance of the platform's own search, in Å. */
export const SYMMETRY_TOLERANCE = 0.3

/** The largest number of atoms whose symmetry is searched. */
export const MAX_ATOMS = 150

/** The number of translations of a perfect supercell from which on a search takes too long: with their cube. */
const MAX_TRANSLATIONS = 64

/**
 * Finds the symmetry with the library of spglib's authors, moyo (https://github.com/spglib/moyo),
 * after Togo, Shinohara and Tanaka, Sci. Technol. Adv. Mater. Meth. 4 (2024) 2384822. Its module
 * must be loaded. Undefined for a structure so large that a search may hold others for more than
 * 250 ms, and if none is found because atoms are nearer than the tolerance.
 */
export function analyzeSymmetry({ cell, atoms }: Structure): Symmetry | undefined {
  if (atoms.length > MAX_ATOMS) return undefined
  const edges = toCellVectors(cell)
  const measure = createMeasure(edges)
  const translations = listTranslations(findRarest(atoms), measure)
  if (translations.length >= MAX_TRANSLATIONS) return undefined
  const input: MoyoCell = {
    lattice: { basis: edges.flat() as MoyoCell['lattice']['basis'] },
    positions: atoms.map(({ coordinate: [x, y, z] }) => [x, y, z]),
    numbers: atoms.map(({ symbol }) => ELEMENTS.get(symbol)?.number ?? 0),
  }
  const shortest = Math.min(...computePlaneSpacings(edges), ...translations.map(measure))
  const dataset = search(input, findTolerance(edges, shortest))
  if (dataset === undefined) return undefined
  const { hm_short: symbol, geometric_crystal_class: pointGroup } = space_group_type(dataset.number)
  return {
    number: dataset.number,
    spaceGroupSymbol: symbol.replaceAll(' ', ''),
    pointGroupSymbol: pointGroup,
    sites: dataset.wyckoffs.map((wyckoff, index) => ({
      wyckoff,
      siteSymmetry: dataset.site_symmetry_symbols[index] ?? '',
    })),
    conventional: toStandardCell(dataset.std_cell),
    primitive: toStandardCell(dataset.prim_std_cell),
  }
}

function findRarest(atoms: Structure['atoms']): Structure['atoms'] {
  const symbols = [...new Set(atoms.map(({ symbol }) => symbol))]
  const groups = symbols.map((each) => atoms.filter(({ symbol }) => symbol === each))
  return groups.toSorted((one, other) => one.length - other.length)[0] ?? []
}

/** How much shorter than the limit a tolerance is: in random cells, searches end from 10 on. */
const SAFETY = 20

/**
 * Returns the tolerance of the platform, or a smaller one for a cell that is long and thin. If a shear by
 * the shortest translation moves the longest edge by less than the tolerance, the library takes it for a
 * symmetry, and multiplies it without an end.
 */
function findTolerance(edges: CellVectors, shortest: number): number {
  const longest = Math.max(...edges.map(computeLength))
  return Math.min(SYMMETRY_TOLERANCE, Math.sqrt(shortest ** 3 / longest / SAFETY))
}

/**
 * Returns a function that tells how long a vector in crystal coordinates and its images are at least, in Å:
 * as far as the planes through its ends are apart, along any of the edges.
 */
function createMeasure(edges: CellVectors): (vector: Vector) => number {
  const [a, b, c] = computePlaneSpacings(edges)
  return ([x, y, z]) => Math.max(toNearest(x) * a, toNearest(y) * b, toNearest(z) * c)
}

const toNearest = (value: number): number => Math.abs(value - Math.round(value))

/** Within the tolerance, each atom to one of its element. Too many are not all listed. */
function listTranslations(
  atoms: Structure['atoms'],
  measure: (vector: Vector) => number,
): Vector[] {
  const [first, ...others] = atoms.map(({ coordinate }) => coordinate)
  const found: Vector[] = []
  for (const each of others) {
    const translation = subtract(each, first ?? ORIGIN)
    const isTranslation = atoms.every(({ symbol, coordinate }) => {
      const moved = add(coordinate, translation)
      return atoms.some(
        (other) =>
          other.symbol === symbol &&
          measure(subtract(moved, other.coordinate)) < SYMMETRY_TOLERANCE,
      )
    })
    if (isTranslation) found.push(translation)
    if (found.length === MAX_TRANSLATIONS) break
  }
  return found
}

/** The library throws a text if the atoms are too near, or the cell too small, for the tolerance. */
function search(cell: MoyoCell, tolerance: number): ReturnType<typeof analyze_cell> | undefined {
  try {
    return analyze_cell(JSON.stringify(cell), tolerance, 'Standard')
  } catch (error) {
    if (typeof error === 'string') return undefined
    throw error
  }
}

const SYMBOLS: readonly string[] = [...ELEMENTS.keys()]

function toStandardCell({ lattice: { basis }, positions, numbers }: MoyoCell): StandardCell {
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = basis.map(roundTo9) as typeof basis
  const [a, b, c]: CellVectors = [
    [ax, ay, az],
    [bx, by, bz],
    [cx, cy, cz],
  ]
  const { type: _, ...lattice } = toLattice([a, b, c])
  return {
    lattice: { ...lattice, vectors: { a: [...a], b: [...b], c: [...c] } },
    basis: {
      elements: numbers.map((number, id) => ({ id, value: SYMBOLS[number - 1] ?? '' })),
      coordinates: positions.map((position, id) => ({ id, value: position.map(roundTo9) })),
      units: 'crystal',
    },
  }
}

const roundTo9 = (value: number): number => round(value, 9)
