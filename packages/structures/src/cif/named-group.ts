import { hall_symbol_entries_from_number, operations_from_number } from '@spglib/moyo-wasm'
import type { MoyoHallSymbolEntry } from '@spglib/moyo-wasm'

import { BodyInvalid, quote } from '@materials-mock/json'
import { toCartesian, toCellParameters, toCellVectors } from '../cell.js'
import type { CellParameters } from '../cell.js'
import { loadMoyo } from '../load-moyo.js'
import { ORIGIN, UNIT_VECTORS } from '../vector.js'
import type { Vector } from '../vector.js'

export interface SymmetryOperation {
  /** The rows of the rotation. */
  readonly rotation: readonly [Vector, Vector, Vector]
  readonly translation: Vector
}

/** The names that a CIF file has for its space group. */
export interface GroupNames {
  readonly hall: string | undefined
  /** It may end with the setting: `:1`, `:2`, `:H`, `:R`, or as ICSD writes it, `S`, `Z`, `O1`, `O2`. */
  readonly hermannMauguin: string | undefined
  /** The number in the International Tables, from 1 to 230. */
  readonly number: string | undefined
}

/**
 * With centring translations: by its Hall symbol, which says the setting, else by its
 * Hermann-Mauguin symbol, else by its number. Without a setting, the first whose axes fit: origin
 * 1, as ASE and pymatgen take it. Source: spglib's table of Hall symbols of S. R. Hall and R. W.
 * Grosse-Kunstleve (International Tables, volume B, section 1.4).
 * @throws BodyInvalid for a group that does not exist, or names of different groups
 */
export function findGroup(
  { hall, hermannMauguin, number }: GroupNames,
  cell: CellParameters,
): SymmetryOperation[] {
  const names = [hall, hermannMauguin, number].filter((each) => each !== undefined)
  const refuse = (): Error =>
    nameError(`one space group, not the different ones ${names.map(quote).join(', ')}`)
  const centred = findCentredTriclinic(hall, hermannMauguin)
  if (centred !== undefined) {
    const isSame = names.every((name) => centred.names.includes(toKey(name)))
    if (isSame) return centred.operations
    throw refuse()
  }
  loadMoyo()
  const settings = listSettings()
  const hallKey = toKey(hall ?? '')
  const all = [
    [hall, (entry) => toKey(entry.hall_symbol) === hallKey],
    [hermannMauguin, matchSymbol(hermannMauguin ?? '')],
    [number, (entry) => entry.number === Number(number)],
  ] as const satisfies readonly [string | undefined, (entry: MoyoHallSymbolEntry) => boolean][]
  let found = settings
  for (const [name, matches] of all) {
    if (name === undefined) continue
    if (!settings.some(matches)) throw nameError(`a known space group, not ${quote(name)}`)
    const left = found.filter(matches)
    const groups = new Set(found.map((entry) => entry.number))
    const isSameGroup = settings.some((entry) => groups.has(entry.number) && matches(entry))
    if (left.length === 0 && !isSameGroup) throw refuse()
    if (left.length > 0) found = left
  }
  const candidates = found.map(toOperations)
  const operations = candidates.find((each) => fits(each, cell)) ?? candidates[0]
  if (operations === undefined) throw nameError('a known space group')
  return operations
}

const CENTRINGS: Readonly<Record<string, readonly Vector[]>> = {
  a: [[0, 0.5, 0.5]],
  b: [[0.5, 0, 0.5]],
  c: [[0.5, 0.5, 0]],
  i: [[0.5, 0.5, 0.5]],
  f: [
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ],
}

/**
 * Returns the operations of a triclinic group with a centred cell, which the table of settings does not have: `C -1`,
 * as minerals are described in the axes of a related one, with all keys that name it.
 */
function findCentredTriclinic(
  hall = '',
  hermannMauguin = '',
): { readonly names: readonly string[]; readonly operations: SymmetryOperation[] } | undefined {
  const byHall = /^(-?)([abcfi])1$/.exec(toKey(hall))
  const bySymbol = /^([abcfi])(-?)1$/.exec(toKey(hermannMauguin))
  const letter = byHall?.[2] ?? bySymbol?.[1]
  if (letter === undefined) return undefined
  const sign = byHall?.[1] ?? bySymbol?.[2] ?? ''
  const translations: readonly Vector[] = [ORIGIN, ...(CENTRINGS[letter] ?? [])]
  const rotations = sign === '' ? [UNIT_VECTORS] : [UNIT_VECTORS, INVERSION]
  return {
    names: [`${sign}${letter}1`, `${letter}${sign}1`, sign === '' ? '1' : '2'],
    operations: rotations.flatMap((rotation) =>
      translations.map((translation) => ({ rotation, translation })),
    ),
  }
}

const INVERSION = [
  [-1, 0, 0],
  [0, -1, 0],
  [0, 0, -1],
] as const

/** The largest relative difference of lengths and angles that are equal by symmetry: files have few digits. */
const MAX_DIFFERENCE = 0.01

/** Whether the rotations leave a cell unchanged. */
function fits(operations: readonly SymmetryOperation[], cell: CellParameters): boolean {
  const edges = toCellVectors(cell)
  const names = ['a', 'b', 'c', 'alpha', 'beta', 'gamma'] as const
  return operations.every(({ rotation: [x, y, z] }) => {
    const rotated = toCellParameters([
      toCartesian([x[0], y[0], z[0]], edges),
      toCartesian([x[1], y[1], z[1]], edges),
      toCartesian([x[2], y[2], z[2]], edges),
    ])
    return names.every((name) => Math.abs(rotated[name] / cell[name] - 1) < MAX_DIFFERENCE)
  })
}

const nameError = (expected: string): Error => new BodyInvalid(`the CIF file must have ${expected}`)

/** Lists all 530 settings of the 230 groups, in the order of their Hall numbers. */
const listSettings = (): MoyoHallSymbolEntry[] =>
  Array.from({ length: 230 }, (_, index) => hall_symbol_entries_from_number(index + 1)).flat()

/** Leaves out what files write in many ways: spaces, underscores, capitals, brackets. In a Hall symbol, `=` is `"`. */
const toKey = (symbol: string): string =>
  symbol
    .replaceAll(/[\s_()]/g, '')
    .replaceAll('"', '=')
    .toLowerCase()

/** The origins as ICSD writes them after the symbol. It writes S for a group of one origin, too. */
const ORIGINS: Readonly<Record<string, string>> = { z: '2', o1: '1', o2: '2' }

/** The setting after a Hermann-Mauguin symbol. No symbol ends with one of these letters. */
const SETTING = /(?::\s*(\w+)|\s?([HRSZ]|O[12]))$/i

/** Returns whether a setting has a Hermann-Mauguin symbol, short or full, and the setting in it. */
function matchSymbol(text: string): (entry: MoyoHallSymbolEntry) => boolean {
  const found = SETTING.exec(text)
  const written = (found?.[1] ?? found?.[2])?.toLowerCase()
  const setting = ORIGINS[written ?? ''] ?? written
  const key = toKey(text.slice(0, found?.index))
  return (entry) => {
    if (!listSymbols(entry).includes(key)) return false
    if (written === 's') return !entry.setting.startsWith('2')
    return (
      setting === undefined || [entry.setting.toLowerCase(), entry.setting[0]].includes(setting)
    )
  }
}

/** Lists the keys of the symbols of a setting. */
function listSymbols({ hm_short: short, hm_full: full, number }: MoyoHallSymbolEntry): string[] {
  return [
    short,
    full,
    // A monoclinic full symbol has the other axes as 1: `P 1 21/n 1` is `P 21/n`.
    ...(number >= 3 && number <= 15 ? [full.replaceAll(/ 1(?= |$)/g, '')] : []),
    // The e of double glide planes was an a or b before 1992.
    ...(short.includes('e') ? [short.replace('e', 'a'), short.replace('e', 'b')] : []),
    // The last 1 of P 3 m 1, P 3 c 1, P -3 m 1 and P -3 c 1 is often left out; P 3 2 1 would be P 32.
    ...(/[mc] 1$/.test(short) ? [short.slice(0, -2)] : []),
    // The -3 of cubic groups was a 3 before 1983.
    ...(number >= 200 ? [short.replace('-3', '3')] : []),
  ].map(toKey)
}

function toOperations({ number, hall_number: value }: MoyoHallSymbolEntry): SymmetryOperation[] {
  const setting = { type: 'HallNumber', value } as const
  return operations_from_number(number, setting, false).map(({ rotation, translation }) => {
    const [a, d, g, b, e, h, c, f, i] = rotation // column by column
    return {
      rotation: [
        [a, b, c],
        [d, e, f],
        [g, h, i],
      ],
      translation,
    }
  })
}
