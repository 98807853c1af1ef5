import { hall_symbol_entries_from_number, operations_from_number } from '@spglib/moyo-wasm'
import type { MoyoHallSymbolEntry } from '@spglib/moyo-wasm'

import { BodyInvalid } from '../../../errors.js'
import { quote } from '../../../json/quote.js'
import { loadMoyo } from '../load-moyo.js'
import type { Vector } from '../vector.js'

/** A symmetry operation on crystal coordinates: a rotation, then a translation. */
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
 * Returns the operations of a space group, with its centring translations: by its Hall symbol, which
 * also says the setting; else by its Hermann-Mauguin symbol, else by its number. Without a setting, it is
 * the one that ASE and pymatgen take: the first of the group, with the origin 1, and hexagonal axes.
 *
 * Source: the settings and operations of spglib's library, which has them from the table of Hall symbols
 * of S. R. Hall and R. W. Grosse-Kunstleve (International Tables, volume B, section 1.4).
 * @throws BodyInvalid for a group that does not exist, or names of different groups; the message quotes
 * the names
 */
export function findGroup({ hall, hermannMauguin, number }: GroupNames): SymmetryOperation[] {
  loadMoyo()
  const settings = listSettings()
  const all = [
    [hall, (entry) => toKey(entry.hall_symbol) === toKey(hall ?? '')],
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
    if (left.length === 0 && !isSameGroup) {
      const names = [hall, hermannMauguin, number].filter((each) => each !== undefined)
      throw nameError(`one space group, not the different ones ${names.map(quote).join(', ')}`)
    }
    if (left.length > 0) found = left
  }
  const [entry] = found
  if (entry === undefined) throw nameError('a known space group')
  return toOperations(entry)
}

const nameError = (expected: string): Error => new BodyInvalid(`the CIF file must have ${expected}`)

/** Lists all 530 settings of the 230 groups, in the order of their Hall numbers. */
const listSettings = (): MoyoHallSymbolEntry[] =>
  Array.from({ length: 230 }, (_, index) => hall_symbol_entries_from_number(index + 1)).flat()

/** Leaves out what files write in many ways: spaces, underscores, capitals, brackets. */
const toKey = (symbol: string): string => symbol.replaceAll(/[\s_()]/g, '').toLowerCase()

/** The settings as ICSD writes them after the symbol. */
const SETTINGS: Readonly<Record<string, string>> = { s: '1', z: '2', o1: '1', o2: '2' }

/** Returns whether a setting has a Hermann-Mauguin symbol, short or full, and the setting in it. */
function matchSymbol(text: string): (entry: MoyoHallSymbolEntry) => boolean {
  const [, symbol = '', written] =
    /^(.*?)(?:\s*:\s*(\w+)|\s+([HRSZ]|O[12]))?$/i
      .exec(text.trim())
      ?.map((part, index, parts) => (index === 2 ? (part ?? parts[3]) : part)) ?? []
  const setting = SETTINGS[written?.toLowerCase() ?? ''] ?? written
  const key = toKey(symbol)
  return (entry) =>
    listSymbols(entry).includes(key) &&
    (setting === undefined || entry.setting.toLowerCase().endsWith(setting.toLowerCase()))
}

/** The full symbol of a monoclinic setting has the other axes as 1: `P 1 21/n 1` is `P 21/n`. */
const listSymbols = ({ hm_short: short, hm_full: full, number }: MoyoHallSymbolEntry): string[] => {
  const withoutAxes = number >= 3 && number <= 15 ? [full.replaceAll(/ 1(?= |$)/g, '')] : []
  // The e of double glide planes, of 1992, was an a or b before.
  const older = short.includes('e') ? [short.replace('e', 'a'), short.replace('e', 'b')] : []
  return [short, full, ...withoutAxes, ...older].map(toKey)
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
