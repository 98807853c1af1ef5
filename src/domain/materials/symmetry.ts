import { analyze_cell, space_group_type } from '@spglib/moyo-wasm'
import type { MoyoCell } from '@spglib/moyo-wasm'

import type { StandardCell, Symmetry } from '../items/symmetry.js'
import { computePlaneSpacings, toCellVectors } from './cell.js'
import type { CellVectors } from './cell.js'
import { ELEMENTS } from './elements.js'
import { toLattice } from './structure.js'
import type { Structure } from './structure.js'
import { ORIGIN, add, computeLength, mapVector, round, subtract } from './vector.js'
import type { Vector } from './vector.js'

/** The tolerance of the platform's own search, in Å. */
export const SYMMETRY_TOLERANCE = 0.3

/** The largest number of atoms: the time grows with their cube in a perfect supercell. */
const MAX_ATOMS = 150

/** The largest number of atoms of the rarest element, each of which may be a translation of another one. */
const MAX_TRANSLATIONS = 100

/**
 * Finds the symmetry of a structure with the library of spglib's authors. Its module must be loaded
 * (`loadMoyo` in Node, `initSync` of the library in a browser). Returns undefined for a structure so
 * large that a search may hold other requests for more than 250 ms, and for one in which no symmetry
 * is found, because its atoms are nearer than the tolerance.
 *
 * Source: moyo (https://github.com/spglib/moyo), after Togo, Shinohara and Tanaka, Sci. Technol. Adv.
 * Mater. Meth. 4 (2024) 2384822.
 */
export function analyzeSymmetry({ cell, atoms }: Structure): Symmetry | undefined {
  const rarest = findRarest(atoms)
  if (atoms.length > MAX_ATOMS || rarest.length > MAX_TRANSLATIONS) return undefined
  const edges = toCellVectors(cell)
  const input: MoyoCell = {
    lattice: { basis: edges.flat() as MoyoCell['lattice']['basis'] },
    positions: atoms.map(({ coordinate: [x, y, z] }) => [x, y, z]),
    numbers: atoms.map(({ symbol }) => ELEMENTS.get(symbol)?.number ?? 0),
  }
  const dataset = search(input, findTolerance(edges, rarest))
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

/** Returns the atoms of the element with the fewest atoms. */
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
function findTolerance(edges: CellVectors, rarest: Structure['atoms']): number {
  const shortest = findShortestTranslation(edges, rarest)
  const longest = Math.max(...edges.map(computeLength))
  return Math.min(SYMMETRY_TOLERANCE, Math.sqrt(shortest ** 3 / longest / SAFETY))
}

/**
 * Returns a length in Å that no translation of the crystal is below: of those that the edges are, and of
 * those by which the atoms of the rarest element are moved to others of them.
 */
function findShortestTranslation(edges: CellVectors, rarest: Structure['atoms']): number {
  const spacings = computePlaneSpacings(edges)
  // A vector is at least as long as the planes through its ends are apart, along any of the edges.
  const measure = (vector: Vector): number =>
    Math.max(
      ...mapVector(vector, (value, axis) => Math.abs(value - Math.round(value)) * spacings[axis]),
    )
  const points = rarest.map(({ coordinate }) => coordinate)
  const [first = ORIGIN, ...others] = points
  const translation = others
    .map((point) => subtract(point, first))
    .toSorted((one, other) => measure(one) - measure(other))
    .find((each) =>
      points.every((point) => {
        const moved = add(point, each)
        return points.some((other) => measure(subtract(moved, other)) < SYMMETRY_TOLERANCE)
      }),
    )
  return Math.min(...spacings, ...(translation ? [measure(translation)] : []))
}

/** The library throws a text if the atoms are too near, or the cell too small, for the tolerance. */
function search(cell: MoyoCell, tolerance: number): ReturnType<typeof analyze_cell> | undefined {
  try {
    return analyze_cell(JSON.stringify(cell), tolerance, 'Standard')
  } catch {
    return undefined
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
