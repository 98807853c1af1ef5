import { analyze_cell, space_group_type } from '@spglib/moyo-wasm'
import type { MoyoCell } from '@spglib/moyo-wasm'

import { toCellVectors } from './cell.js'
import type { CellVectors } from './cell.js'
import { ELEMENTS } from './elements.js'
import type { Structure } from './structure.js'
import type { Vector } from './vector.js'

/** The tolerance of the platform's own search, in Å. */
export const SYMMETRY_TOLERANCE = 0.3

/** A cell of a crystal in the standard setting of the International Tables. */
export interface StandardCell {
  readonly vectors: CellVectors
  /** The atoms in crystal coordinates. */
  readonly atoms: readonly { readonly symbol: string; readonly coordinate: Vector }[]
}

/** The symmetry of a crystal. */
export interface Symmetry {
  /** The number of the space group in the International Tables, from 1 to 230. */
  readonly number: number
  /** The Hermann-Mauguin symbol as the platform writes it: `P6_3/mmc`. */
  readonly spaceGroupSymbol: string
  /** The Hermann-Mauguin symbol of the point group: `6/mmm`. */
  readonly pointGroupSymbol: string
  /** The Wyckoff letter and the site symmetry of each atom, in the order of the atoms. */
  readonly sites: readonly { readonly wyckoff: string; readonly siteSymmetry: string }[]
  readonly conventional: StandardCell
  readonly primitive: StandardCell
}

/** The largest number of atoms. */
const MAX_ATOMS = 150

/** The largest number of atoms of the rarest element: the time grows with its cube in a supercell. */
const MAX_TRANSLATIONS = 128

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
  if (!isSmallEnough(atoms)) return undefined
  const input: MoyoCell = {
    lattice: { basis: toCellVectors(cell).flat() as MoyoCell['lattice']['basis'] },
    positions: atoms.map(({ coordinate: [x, y, z] }) => [x, y, z]),
    numbers: atoms.map(({ symbol }) => ELEMENTS.get(symbol)?.number ?? 0),
  }
  const dataset = search(input)
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

/** Whether a search is short. A perfect supercell has as many translations as atoms of its rarest element. */
function isSmallEnough(atoms: Structure['atoms']): boolean {
  const counts = new Map<string, number>()
  for (const { symbol } of atoms) counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
  return atoms.length <= MAX_ATOMS && Math.min(...counts.values()) <= MAX_TRANSLATIONS
}

/** The library throws a text if the atoms are too near, or the cell too small, for the tolerance. */
function search(cell: MoyoCell): ReturnType<typeof analyze_cell> | undefined {
  try {
    return analyze_cell(JSON.stringify(cell), SYMMETRY_TOLERANCE, 'Standard')
  } catch {
    return undefined
  }
}

const SYMBOLS: readonly string[] = [...ELEMENTS.keys()]

function toStandardCell({ lattice: { basis }, positions, numbers }: MoyoCell): StandardCell {
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = basis
  return {
    vectors: [
      [ax, ay, az],
      [bx, by, bz],
      [cx, cy, cz],
    ],
    atoms: positions.map((coordinate, index) => ({
      symbol: SYMBOLS[(numbers[index] ?? 0) - 1] ?? '',
      coordinate,
    })),
  }
}
