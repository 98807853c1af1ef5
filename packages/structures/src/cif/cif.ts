import type { Basis, Lattice } from '@materials-mock/api'
import { BodyInvalid, quote } from '@materials-mock/json'
import { isPossibleCell, toCellVectors } from '../cell.js'
import type { CellParameters } from '../cell.js'
import { parseCellParameters } from '../structure.js'
import { round } from '../vector.js'
import { findText, findValues, parseCifBlocks, parseTagNumber } from './cif-block.js'
import type { CifBlock } from './cif-block.js'
import { expandSites, parseSites } from './cif-sites.js'
import { parseSpaceGroup } from './space-group.js'

export interface CifMaterial {
  /** The code of the data block; undefined if it is empty. */
  readonly name?: string
  /** The number of the structure in the Inorganic Crystal Structure Database. */
  readonly icsdId?: number
  readonly lattice: Lattice
  readonly basis: Basis
}

/**
 * One structure: its cell, sites, and all atoms within the cell, with 9 decimals, in steps.
 * @throws BodyInvalid for what is not CIF, missing data, a partial site or an unknown space group,
 * with its line; BoundExceeded for more than 100,000 words, 192 operations or 10,000 atoms
 */
export function* parseCif(text: string): Generator<void, CifMaterial, void> {
  const block = findStructure(parseCifBlocks(text))
  const cell = parseCell(block)
  const edges = toCellVectors(cell)
  const { operations, centrings } = parseSpaceGroup(block, cell)
  yield
  const images = yield* expandSites(parseSites(block, cell), operations, edges)
  const atoms = centrings.length === 0 ? images : yield* expandSites(images, centrings, edges)
  const icsdId = findText(block, '_database_code_icsd') ?? ''
  return {
    ...(block.code !== '' && { name: block.code }),
    ...(/^\d{1,9}$/.test(icsdId) && { icsdId: Number(icsdId) }),
    lattice: { type: 'TRI', ...cell, units: { length: 'angstrom', angle: 'degree' } },
    basis: {
      elements: atoms.map((atom, id) => ({ id, value: atom.symbol })),
      coordinates: atoms.map(({ point }, id) => ({ id, value: point.map(roundCoordinate) })),
      units: 'crystal',
      constraints: [],
    },
  }
}

/** Tags that only a block with a structure has. */
const STRUCTURE = ['_cell_length_a', '_atom_site_fract_x', '_atom_site_cartn_x']

function findStructure(blocks: readonly CifBlock[]): CifBlock {
  const structures = blocks.filter((block) => findValues(block, ...STRUCTURE).length > 0)
  const [block, other] = structures
  if (block === undefined)
    throw new BodyInvalid('the CIF file must have a data block with _cell_length_a')
  if (other === undefined) return block
  const codes = structures.map(({ code }) => code).join(', ')
  throw new BodyInvalid(
    `the CIF file must have one structure, not the structures of ${quote(codes)}`,
  )
}

function parseCell(block: CifBlock): CellParameters {
  const cell = parseCellParameters((name, ...rules) =>
    parseTagNumber(block, `_cell_${name.length === 1 ? 'length' : 'angle'}_${name}`, ...rules),
  )
  if (isPossibleCell(cell)) return cell
  const angles = `${cell.alpha}, ${cell.beta} and ${cell.gamma}`
  throw new BodyInvalid(
    `the CIF file must have angles of a possible cell, not ${angles} (_cell_angle_alpha, beta and gamma)`,
  )
}

/** Rounds before it wraps, so that 0.9999999999 becomes 0. */
const roundCoordinate = (value: number): number => round(value, 9) % 1
