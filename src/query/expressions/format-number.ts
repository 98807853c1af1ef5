/** Formats a double as C's `%.16g` does, which MongoDB uses for numbers in strings. */
export const formatPrintf = (value: number): string =>
  Number.isFinite(value) ? formatDigits(value, value.toExponential(15)) : formatSpecial(value)

const formatSpecial = (value: number): string =>
  Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf'

/** Formats a double with the fewest digits that are read as the same double, as `$toString` does. */
export const formatShortest = (value: number): string =>
  Number.isFinite(value) ? formatDigits(value, value.toExponential()) : String(value)

/**
 * Writes digits without an exponent if it is from -4 to 15.
 * @param exponential the digits, as `toExponential` returns them
 */
function formatDigits(value: number, exponential: string): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const [mantissa = '', power = ''] = exponential.replace(/^-/, '').split('e')
  const digits = mantissa.replace('.', '').replace(/0+$/, '') || '0'
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
