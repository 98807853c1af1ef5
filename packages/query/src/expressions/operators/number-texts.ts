import { parseDecimal } from '@materials-mock/json'

/** Formats a double as C's `%.16g` does, which MongoDB uses for numbers in strings. */
export const formatPrintf = (value: number): string =>
  Number.isFinite(value) ? formatDigits(value, value.toExponential(15)) : formatSpecial(value)

const formatSpecial = (value: number): string =>
  Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf'

/** Formats a double with the fewest digits that parse to the same double, as `$toString` does. */
export const formatShortest = (value: number): string =>
  Number.isFinite(value) ? formatDigits(value, value.toExponential()) : String(value)

/** @param exponential the digits, as `toExponential` returns them */
function formatDigits(value: number, exponential: string): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const [mantissa = '', power = ''] = exponential.replace(/^-/, '').split('e')
  const digits = mantissa.replace('.', '').replace(/(?<!0)0+$/, '') || '0'
  const exponent = Number(power)
  if (exponent < -4 || exponent > 15) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
    const magnitude = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${magnitude}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  const fraction = digits.slice(exponent + 1)
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** The smallest double with full precision. C reports inexact smaller numbers as out of range. */
const MIN_NORMAL = 2 ** -1022

const INFINITY = /^[+-]?inf(inity)?$/i
const NOT_A_NUMBER = /^[+-]?nan(\(\w*\))?$/i
const HEXADECIMAL = /^([+-]?)0x([\da-f]*)(?:\.([\da-f]*))?(?:p([+-]?\d{1,6}))?$/i

/**
 * Reads a double as MongoDB does, with C's `strtod`: decimal, hexadecimal, infinite or NaN. MongoDB
 * refuses a text that begins with `0x`, but accepts `+0x` and `0X`.
 * @returns undefined for another text, and for a number that is too large or too small
 */
export function parseDouble(text: string): number | undefined {
  if (INFINITY.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  if (NOT_A_NUMBER.test(text)) return Number.NaN
  const value = parseDecimal(text)
  if (value === undefined) return text.startsWith('0x') ? undefined : parseHexadecimal(text)
  const isSmall = Math.abs(value) < MIN_NORMAL && /[1-9]/.test(text.replace(/e.*/i, ''))
  return isSmall ? undefined : value
}

/** Reads `+0x1.8p1`: hexadecimal digits, and an exponent of 2. */
function parseHexadecimal(text: string): number | undefined {
  const [, sign = '', whole = '', fraction = '', power = '0'] = HEXADECIMAL.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  if (whole + fraction === '' || digits.length > MAX_DIGITS) return undefined
  const mantissa = BigInt(`0x0${digits}`)
  const exponent = Number(power) - 4 * fraction.length
  // Two steps, because one power of 2 can be beyond the range of a double.
  const half = Math.trunc(exponent / 2)
  const value = Number(mantissa) * 2 ** half * 2 ** (exponent - half)
  const isSmall = mantissa > 0n && value < MIN_NORMAL && !isExact(mantissa, exponent)
  if (!Number.isFinite(value) || isSmall) return undefined
  return sign === '-' ? -value : value
}

/** The largest number of digits. No double has as many. */
const MAX_DIGITS = 250

/** Whether a number below MIN_NORMAL is a multiple of the smallest double. */
const isExact = (mantissa: bigint, exponent: number): boolean =>
  exponent >= -1074 || (exponent > -3000 && mantissa % 2n ** BigInt(-1074 - exponent) === 0n)
