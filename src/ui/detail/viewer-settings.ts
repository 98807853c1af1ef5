import { DEFAULT_SETTINGS, MAX_REPEATS } from '../structure/settings.js'
import type { ViewerSettings } from '../structure/settings.js'

const REPEATS: ReadonlySet<unknown> = new Set(
  Array.from({ length: MAX_REPEATS }, (_, index) => index + 1),
)

/** Returns the settings that differ from the default ones as JSON, for the address; else an empty text. */
export function formatSettings(settings: ViewerSettings): string {
  const changed = Object.entries(settings).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(DEFAULT_SETTINGS[name as keyof ViewerSettings]),
  )
  return changed.length === 0 ? '' : JSON.stringify(Object.fromEntries(changed))
}

/** Parses settings of an address. What is no possible setting is left out. */
export function parseSettings(text: string): Partial<ViewerSettings> {
  let parsed: Record<string, unknown>
  try {
    parsed = (JSON.parse(text || '{}') ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
  return Object.fromEntries(
    Object.entries(DEFAULT_SETTINGS).flatMap(([name, usual]): [string, unknown][] =>
      isSetting(name, usual, parsed[name]) ? [[name, parsed[name]]] : [],
    ),
  )
}

function isSetting(name: string, usual: unknown, value: unknown): boolean {
  if (name === 'supercell') return Array.isArray(value) && isSupercell(value)
  if (name === 'projection') return value === 'perspective' || value === 'parallel'
  return typeof value === typeof usual
}

const isSupercell = (repeats: readonly unknown[]): boolean =>
  repeats.length === 3 && repeats.every((each) => REPEATS.has(each))
