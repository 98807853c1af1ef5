import { BodyInvalid, BoundExceeded, parseDecimal, quote } from '@materials-mock/json'
import { computeDeterminant } from '../cell.js'
import type { CellParameters } from '../cell.js'
import { ORIGIN, UNIT_VECTORS, dot, mapVector } from '../vector.js'
import type { Vector } from '../vector.js'
import { findKnownValues, findText, lineError } from './cif-block.js'
import type { CifBlock } from './cif-block.js'
import { findGroup } from './named-group.js'
import type { GroupNames, SymmetryOperation } from './named-group.js'

interface SpaceGroup {
  /** The symmetry operations; only the identity for P1. */
  readonly operations: readonly SymmetryOperation[]
  /** The operations that apply to the images under the others: centrings of a magnetic space group. */
  readonly centrings: readonly SymmetryOperation[]
}

/** The largest number of operations: that many have the largest space groups, with their centring translations. */
const MAX_OPERATIONS = 192

/**
 * Its operations, or those of the group that it names; P1 without both.
 * @throws BodyInvalid for an unknown group, different names, or a list without the identity;
 * BoundExceeded for more than 192 operations
 */
export function parseSpaceGroup(block: CifBlock, cell: CellParameters): SpaceGroup {
  const listed = parseOperations(block, ...OPERATIONS)
  return {
    operations: listed.length === 0 ? findOperations(block, cell) : listed,
    centrings: parseOperations(block, '_space_group_symop_magn_centering_xyz'),
  }
}

function findOperations(block: CifBlock, cell: CellParameters): readonly SymmetryOperation[] {
  const other = findText(block, ...OTHER_NAMES)
  const names: GroupNames = {
    hall: findText(block, '_space_group_name_hall', '_symmetry_space_group_name_hall'),
    hermannMauguin: findText(block, ...SYMBOLS),
    number: findText(block, '_space_group_it_number', '_symmetry_int_tables_number'),
  }
  if (Object.values(names).some((name) => name !== undefined)) {
    checkTransform(block)
    return findGroup(names, cell)
  }
  if (other === undefined || P1.test(other)) return [IDENTITY]
  const missing = 'but lists no symmetry operations (_space_group_symop_operation_xyz)'
  throw new BodyInvalid(`the CIF file has the space group ${quote(other)}, ${missing}`)
}

/**
 * Refuses a group in a setting of its own: its operations would have to be transformed.
 * Source: `_space_group.transform_Pp_abc` and `_space_group.transform_Qq_xyz` of the symmetry CIF dictionary.
 */
function checkTransform(block: CifBlock): void {
  for (const [token] of TRANSFORMS.map((tag) => findKnownValues(block, tag))) {
    const text = token?.text.toLowerCase().replaceAll(/\s/g, '')
    if (token === undefined || /^(?:a,b,c|x,y,z)(?:;0,0,0)?$/.test(text ?? '')) continue
    const expected =
      'the transformation a,b,c;0,0,0, or come with symmetry operations (_space_group_symop_operation_xyz)'
    throw lineError(token.line, expected, token.text)
  }
}

const TRANSFORMS = ['_space_group_transform_pp_abc', '_space_group_transform_qq_xyz']

/** Parses the operations of the first tag that has some; an empty list if none of the tags has. */
function parseOperations(block: CifBlock, ...tags: string[]): SymmetryOperation[] {
  const listed = findKnownValues(block, ...tags)
  if (listed.length > MAX_OPERATIONS) {
    const bound = `at most ${MAX_OPERATIONS} symmetry operations`
    throw new BoundExceeded(`the CIF file must have ${bound}, not ${listed.length}`)
  }
  const operations = listed.map(({ text, line }) => {
    const operation = parseSymmetryOperation(text)
    if (operation === undefined) throw lineError(line, 'a symmetry operation like x,y+1/2,-z', text)
    return operation
  })
  if (operations.length > 0 && !operations.some(isIdentity))
    throw new BodyInvalid('the CIF file must have the symmetry operation x,y,z in each list')
  return operations
}

/** The tags of Hermann-Mauguin symbols. The reference setting may not be the setting of the file. */
const SYMBOLS = [
  '_space_group_name_h-m_alt',
  '_symmetry_space_group_name_h-m',
  '_space_group_name_h-m_full',
  '_space_group_name_h-m_ref',
]

/** The tags of names whose groups are not looked up. */
const OTHER_NAMES = [
  '_space_group_name_schoenflies',
  '_space_group_magn_name_bns',
  '_space_group_magn_number_bns',
  // the superspace group of a modulated structure
  '_space_group_ssg_name',
  '_space_group_ssg_name_iucr',
  '_space_group_ssg_name_wjj',
]

/** P1 in the notations of Schoenflies (`C1.1`) and of BNS (`P 1`, `1.1`). */
const P1 = /^(P\s*1|C_?1[.^]1|1\.1)$/i

/** The operations of a magnetic space group come first, because others may be those of its parent. */
const OPERATIONS = [
  '_space_group_symop_magn_operation_xyz',
  '_space_group_symop_operation_xyz',
  '_symmetry_equiv_pos_as_xyz',
]

const IDENTITY: SymmetryOperation = {
  rotation: UNIT_VECTORS,
  translation: ORIGIN,
}

const isIdentity = (operation: SymmetryOperation): boolean =>
  JSON.stringify(operation) === JSON.stringify(IDENTITY)

/**
 * `-x+1/2, y, 0.5-z`, or `-1/2x-3/2y, x/2, 0.5*z`; undefined for other text. The time reversal of a
 * magnetic operation, `x,y,z,-1`, moves no atom. Sources: `_space_group_symop_operation_xyz` of the
 * core CIF dictionary, `_space_group_symop_magn_operation.xyz` of the magnetic one.
 */
function parseSymmetryOperation(text: string): SymmetryOperation | undefined {
  const parts = text.toLowerCase().replace(/\s+/g, '').split(',')
  if (parts.length === 4 && /^[+-]?1$/.test(parts[3] ?? '')) parts.pop()
  const [a, b, c, ...others] = parts.map(parseComponent)
  if (a === undefined || b === undefined || c === undefined || others.length > 0) return undefined
  const operation: SymmetryOperation = {
    rotation: [a.row, b.row, c.row],
    translation: [a.shift, b.shift, c.shift],
  }
  const determinant = Math.abs(computeDeterminant(operation.rotation))
  return Math.abs(determinant - 1) < 1e-3 ? operation : undefined // 0.333x has few digits
}

export const applyOperation = (
  { rotation, translation }: SymmetryOperation,
  point: Vector,
): Vector => mapVector(translation, (shift, axis) => dot(rotation[axis], point) + shift)

interface Component {
  readonly row: Vector
  readonly shift: number
}

/** A term without its sign: an axis that a number may multiply and divide, or a number or a fraction. */
const TERM = /^(?:([\d.]+)(?:\/(\d+))?(?:\*(?=[xyz]))?)?(?:([xyz])(?:\/(\d+))?)?$/

/** Parses a sum of terms, of which the first needs no sign. */
function parseComponent(text: string): Component | undefined {
  const row: [number, number, number] = [0, 0, 0]
  let shift = 0
  for (const term of text.split(/(?=[+-])/)) {
    const found = TERM.exec(term.replace(/^[+-]/, ''))
    const [, number, divisor = 1, axis, axisDivisor = 1] = found ?? []
    if (number === undefined && axis === undefined) return undefined
    const factor = (parseDecimal(number ?? '1') ?? NaN) / Number(divisor) / Number(axisDivisor)
    const value = term.startsWith('-') ? -factor : factor
    if (axis === undefined) shift += value
    else row['xyz'.indexOf(axis)] = (row['xyz'.indexOf(axis)] ?? 0) + value
  }
  return [shift, ...row].every(Number.isFinite) ? { row, shift } : undefined
}
