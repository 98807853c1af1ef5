import { toObject, tryParseJson } from '@materials-mock/json'
import type { Supercell } from './supercell.js'

/**
 * The cells that can be drawn: that of the material, and the standard ones of its symmetry. The usual one is the
 * conventional cell of a material that is given by a primitive one, and that of the material otherwise.
 */
export const UNIT_CELLS = ['usual', 'given', 'primitive', 'conventional'] as const
export type UnitCell = (typeof UNIT_CELLS)[number]

export interface ViewerSettings {
  readonly unitCell: UnitCell
  readonly supercell: Supercell
  readonly bonds: boolean
  readonly labels: boolean
  readonly axes: boolean
  readonly cell: boolean
  /** Whether parallel lines are parallel in the picture, without vanishing points. */
  readonly parallel: boolean
}

export const DEFAULT_SETTINGS: ViewerSettings = {
  unitCell: 'usual',
  supercell: [1, 1, 1],
  bonds: true,
  labels: false,
  axes: true,
  cell: true,
  parallel: false,
}

/** The possible numbers of cells along an edge. */
export const REPEATS: readonly number[] = [1, 2, 3, 4, 5]

/** Returns the settings that differ from the defaults as JSON for the address, or an empty text. */
export function formatSettings(settings: ViewerSettings): string {
  const changed = Object.entries(settings).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(DEFAULT_SETTINGS[name as keyof ViewerSettings]),
  )
  return changed.length === 0 ? '' : JSON.stringify(Object.fromEntries(changed))
}

/** Parses settings of an address. Missing and impossible settings have their defaults. */
export function parseSettings(text: string): ViewerSettings {
  const parsed = toObject(tryParseJson(text))
  const entries = Object.entries(DEFAULT_SETTINGS).map(([name, usual]): [string, unknown] => [
    name,
    isSetting(name, usual, parsed[name]) ? parsed[name] : usual,
  ])
  return Object.fromEntries(entries) as unknown as ViewerSettings
}

function isSetting(name: string, usual: unknown, value: unknown): boolean {
  if (name === 'supercell') return Array.isArray(value) && isSupercell(value)
  if (name === 'unitCell') return UNIT_CELLS.includes(value as UnitCell)
  return typeof value === typeof usual
}

const isSupercell = (counts: readonly number[]): boolean =>
  counts.length === 3 && counts.every((each) => REPEATS.includes(each))
