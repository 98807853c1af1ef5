import { isJsonObject } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'

/** Formats a value for a cell, in one line. */
export function formatValue(value: Json | undefined): string {
  if (value === undefined || value === null) return '–'
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string')
    return TIME.test(value) ? value.slice(0, 16).replace('T', ' ') : value
  if (Array.isArray(value)) return value.map((each: Json) => formatValue(each)).join(', ')
  if (isJsonObject(value)) return Object.keys(value).join(', ')
  return ''
}

/** Formats a number with six significant digits, or more if its integer part has more, without grouping. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value)) return String(value)
  const { length } = String(Math.trunc(Math.abs(value)))
  return String(Number(value.toPrecision(Math.max(6, length))))
}

/** Returns a unit as it is written, such as `eV/Å` for `eV/angstrom`; nothing without a unit. */
export const formatUnits = (units: Json | undefined): string =>
  typeof units === 'string' ? units.replaceAll('angstrom', 'Å').replaceAll('^3', '³') : ''

/** A time, which is shown as `2024-07-05 11:00`, in UTC. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** Formats a time in ms since 1970 as `2024-07-05 11:00:09`, in UTC, like the times of items. */
export function formatMilliseconds(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? '–' : date.toISOString().slice(0, 19).replace('T', ' ')
}

/** Formats a time in s: `5.63 s`, `1 min 30 s`, `2 h 5 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${Number(seconds.toPrecision(3))} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  const minutes = Math.round(whole / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
