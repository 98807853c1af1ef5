/** The number of digits to which MongoDB rounds a double when it makes a decimal of it. */
const DECIMAL_DIGITS = 15

/**
 * Whether a number is a multiple of another one, which is above 0. As in MongoDB, both are decimals:
 * 0.3 is a multiple of 0.1.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  const a = toDecimal(value)
  const b = toDecimal(divisor)
  const exponent = Math.min(a.exponent, b.exponent)
  return scale(a, exponent) % scale(b, exponent) === 0n
}

/** A decimal number: `digits * 10 ** exponent`. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

function toDecimal(value: number): Decimal {
  // A whole number within 64 bits is an integer in MongoDB, which is not rounded.
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63)
    return { digits: BigInt(value), exponent: 0 }
  const [mantissa, exponent] = value.toExponential(DECIMAL_DIGITS - 1).split('e')
  const digits = BigInt((mantissa as string).replace('.', ''))
  return { digits, exponent: Number(exponent) - (DECIMAL_DIGITS - 1) }
}

const scale = ({ digits, exponent }: Decimal, to: number): bigint =>
  digits * 10n ** BigInt(exponent - to)
