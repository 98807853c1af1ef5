import {
  asArray,
  asInt,
  asText,
  compare,
  double,
  fail,
  getType,
  int,
  integer,
  isArray,
  isFields,
  isLong,
  isNullish,
  isTagged,
  toFields,
  toInteger,
  toNumber,
  toOperandText,
  toText,
  isTrue,
} from './reference-values.js'
import type { Fields, Tagged, Value } from './reference-values.js'

// The reference implementation's operators of numbers, texts, arrays, objects and types, written
// from the pages of MongoDB's manual.

const asNumber = (value: Value): Tagged => (isTagged(value) ? value : fail('no number'))
const asFields = (value: Value): Fields => (isFields(value) ? value : fail('no object'))

/** Returns null if an operand is null or missing, else computes. */
const unlessNull =
  (compute: (...values: Value[]) => Value) =>
  (...values: Value[]): Value =>
    values.some(isNullish) ? null : compute(...values)

/** A function of doubles, whose result is a double. */
const onFloats =
  (compute: (...numbers: number[]) => number, isAllowed: (...numbers: number[]) => boolean) =>
  (...values: Value[]): Value => {
    if (values.some(isNullish)) return null
    const numbers = values.map((value) => toNumber(asNumber(value)))
    const isDefined = numbers.some(Number.isNaN) || isAllowed(...numbers)
    return isDefined ? double(compute(...numbers)) : fail('out of range')
  }

const always = (): boolean => true
const isRatio = (x = 0): boolean => Math.abs(x) <= 1

/** Writes the digits of a finite number, and the position of the decimal point. */
function toDigits(value: number): { digits: string; point: number } {
  let [numerator, exponent] = [value, 0]
  while (!Number.isInteger(numerator)) [numerator, exponent] = [numerator * 2, exponent + 1]
  // n / 2 ** e is n * 5 ** e / 10 ** e.
  const digits = String(BigInt(numerator) * 5n ** BigInt(exponent))
  return { digits: digits.padStart(exponent + 1, '0'), point: exponent }
}

/** Rounds the digits of a magnitude at a place, as on paper. */
function roundMagnitude(digits: string, point: number, place: number, isCut: boolean): string {
  const kept = digits.length - point + place
  if (place >= point) return `${digits}e-${point}`
  const padded = '0'.repeat(Math.max(0, -kept)) + digits
  const cut = Math.max(0, kept)
  const head = BigInt(padded.slice(0, cut) || '0')
  const tail = padded.slice(cut)
  const half = `5${'0'.repeat(tail.length - 1)}`
  const isUp = !isCut && (tail > half || (tail === half && head % 2n === 1n))
  return `${isUp ? head + 1n : head}e${-place}`
}

function round(isCut: boolean, value: Value, places: readonly Value[]): Value {
  if (isNullish(value)) return null
  const number = asNumber(value)
  const [placeValue = int(0)] = places
  if (places.length > 0 && isNullish(places[0])) return null
  const place = asInt(placeValue)
  if (place < -20 || place > 100) return fail('a place')
  const sign = toNumber(number) < 0 ? '-' : ''
  if (number.type === 'double') {
    if (!Number.isFinite(number.float)) return number
    const { digits, point } = toDigits(Math.abs(number.float))
    return double(Number(sign + roundMagnitude(digits, point, place, isCut)))
  }
  const digits = String(number.big).replace('-', '')
  const [head = '', zeros = '0'] = roundMagnitude(digits, 0, Math.min(0, place), isCut).split('e')
  const big = BigInt(sign + head + '0'.repeat(Number(zeros)))
  return isLong(big) ? integer(big, number) : fail('beyond 64 bits')
}

const keepIntegers =
  (compute: (float: number) => number) =>
  (value: Value): Value => {
    const number = asNumber(value)
    return number.type === 'double' ? double(compute(number.float)) : number
  }

function power(a: Value, b: Value): Value {
  const [base, exponent] = [asNumber(a), asNumber(b)]
  const [x, y] = [toNumber(base), toNumber(exponent)]
  if (x === 0 && y < 0) return fail('0 to a negative power')
  if (base.type === 'double' || exponent.type === 'double')
    return double(x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y)
  if (Math.abs(x) > 1 && (y < 0 || y > 64)) return double(x ** y)
  let product = 1n
  for (
    let times = Math.abs(x) <= 1 ? Math.abs(y % 2) || (y === 0 ? 0 : 2) : y;
    times > 0;
    times -= 1
  )
    product *= base.big
  return isLong(product) ? integer(product, base, exponent) : double(x ** y)
}

function remainder(a: Value, b: Value): Value {
  const [dividend, divisor] = [asNumber(a), asNumber(b)]
  if (toNumber(divisor) === 0) return fail('by zero')
  if (dividend.type === 'double' || divisor.type === 'double')
    return double(toNumber(dividend) % toNumber(divisor))
  return integer(dividend.big % divisor.big, dividend, divisor)
}

const combineBits =
  (start: bigint, combine: (a: bigint, b: bigint) => bigint) =>
  (...values: Value[]): Value => {
    const numbers: Tagged[] = []
    for (const value of values) {
      if (isNullish(value)) return null
      numbers.push(asNumber(value))
    }
    const bits = numbers.map((each) => (each.type === 'double' ? fail('no integer') : each.big))
    return integer(bits.reduce(combine, start), ...numbers)
  }

/** The numbers of a single array, or of all operands. */
const toNumbers = (values: readonly Value[]): readonly number[] =>
  (values.length === 1 && isArray(values[0]) ? values[0] : values).filter(isTagged).map(toNumber)

function average(...values: Value[]): Value {
  const numbers = toNumbers(values)
  if (numbers.length === 0) return null
  // Integers of few digits and halves have exact sums.
  return double(numbers.reduce((a, b) => a + b, 0) / numbers.length)
}

/** Each number moves the mean a little (Welford); a second pass would round in another way. */
const deviate =
  (isSample: boolean) =>
  (...values: Value[]): Value => {
    const numbers = toNumbers(values)
    const divisor = numbers.length - (isSample ? 1 : 0)
    if (divisor <= 0) return null
    const { squares } = numbers.reduce(
      ({ mean, squares: sum }, number, index) => {
        const next = mean + (number - mean) / (index + 1)
        return { mean: next, squares: sum + (number - mean) * (number - next) }
      },
      { mean: 0, squares: 0 },
    )
    return double(Math.sqrt(squares / divisor))
  }

const upper = (text: string): string => text.replace(/[a-z]/g, (each) => each.toUpperCase())
const lower = (text: string): string => text.replace(/[A-Z]/g, (each) => each.toLowerCase())

/** The text of a string or a number; none of null. */
const toPrintable = (value: Value): string =>
  isNullish(value) ? '' : typeof value === 'boolean' ? fail('no text') : toOperandText(value)

const toBytes = (text: string): number[] => [...new TextEncoder().encode(text)]

function substringBytes(value: Value, start: Value, count: Value): Value {
  const bytes = toBytes(toPrintable(value))
  const [from, length] = [start, count].map((each) => Math.trunc(toNumber(asNumber(each))))
  if (from === undefined || length === undefined || !(from >= 0) || Number.isNaN(length))
    return fail('no start')
  const isCut = (at: number): boolean => at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80
  const to = length < 0 ? bytes.length : from + length
  if (isCut(from) || isCut(to)) return fail('in a character')
  return new TextDecoder().decode(Uint8Array.from(bytes.slice(from, to)))
}

function substringCP(value: Value, start: Value, count: Value): Value {
  const characters = [...toPrintable(value)]
  const [from, length] = [asInt(start), asInt(count)]
  if (from < 0 || length < 0) return fail('below 0')
  return characters.filter((_, index) => index >= from && index < from + length).join('')
}

/** Tries each start, among bytes or characters. */
const findText =
  (split: (text: string) => readonly (string | number)[], isOfBytes: boolean) =>
  (value: Value, searched: Value, ...range: Value[]): Value => {
    if (isNullish(value)) return null
    const [units, part] = [split(asText(value)), split(asText(searched))]
    const [from = 0, end = units.length] = range.map(asInt)
    if (from < 0 || end < 0) return fail('below 0')
    const to = Math.min(end, units.length)
    const isAt = (at: number): boolean => part.every((unit, index) => units[at + index] === unit)
    // Bytes have to end in the range, characters to start in it.
    const lastStart = isOfBytes ? to - part.length : to - 1
    if (units.length === 0 && part.length === 0 && from === 0) return int(0)
    for (let at = from; at <= lastStart; at += 1) if (isAt(at)) return int(at)
    return int(-1)
  }

const BLANK = /[\0\t\n\v\f\r \u00a0\u1680\u2000-\u200a]/u

function trim(sides: string, operands: Named): Value {
  if (isNullish(operands.input)) return null
  const characters = [...asText(operands.input)]
  const hasChars = 'chars' in operands
  if (hasChars && isNullish(operands.chars)) return null
  const removed = hasChars ? [...asText(operands.chars)] : []
  const isRemoved = (each: string | undefined): boolean =>
    each !== undefined && (hasChars ? removed.includes(each) : BLANK.test(each))
  if (sides.includes('l')) while (isRemoved(characters[0])) characters.shift()
  if (sides.includes('r')) while (isRemoved(characters.at(-1))) characters.pop()
  return characters.join('')
}

function replace(isAll: boolean, { input, find, replacement }: Named): Value {
  const texts = [input, find, replacement]
  const isNull = texts.some(isNullish)
  for (const text of texts) if (!isNullish(text)) asText(text)
  if (isNull) return null
  const [characters, part] = [[...asText(input)], [...asText(find)]]
  let result = ''
  // An empty text is found before each character, and at the end.
  for (let at = 0; at <= characters.length;) {
    const isHere = part.every((each, index) => characters[at + index] === each)
    if (isHere) {
      result += asText(replacement)
      at += part.length
      if (!isAll) return result + characters.slice(at).join('')
      if (part.length > 0) continue
    }
    result += characters[at] ?? ''
    at += 1
  }
  return result
}

/** The patterns of the tests mean the same to JavaScript. */
function search(name: string, { input, regex, options }: Named): Value {
  const none = name === '$regexFindAll' ? [] : name === '$regexMatch' ? false : null
  const letters = isNullish(options) ? '' : asText(options)
  const pattern = isNullish(regex) ? undefined : asText(regex)
  if (isNullish(input) && pattern === undefined) return none
  const text = isNullish(input) ? '' : asText(input)
  if (isNullish(input) || pattern === undefined) return none
  const found = [...text.matchAll(new RegExp(pattern, `gu${letters}`))]
    .filter(({ index, 0: match }) => match !== '' || index < text.length || text === '')
    .map(
      (match) =>
        new Map<string, Value>([
          ['match', match[0]],
          ['idx', int(Array.from(text.slice(0, match.index)).length)],
          ['captures', [...match].slice(1).map((capture: string | undefined) => capture ?? null)],
        ]),
    )
  if (name === '$regexMatch') return found.length > 0
  return name === '$regexFind' ? (found[0] ?? null) : found
}

const SIZES: Readonly<Record<string, number>> = { int: 4, bool: 1, double: 8, long: 8, null: 0 }

/** https://bsonspec.org/spec.html */
function getSize(value: Value): number {
  if (typeof value === 'string') return 4 + toBytes(value).length + 1
  const entries = isArray(value)
    ? value.map((each, index) => [`${index}`, each] as const)
    : isFields(value)
      ? [...value]
      : undefined
  if (entries === undefined) return SIZES[getType(value)] as number
  return entries.reduce(
    (size, [name, each]) => size + 1 + toBytes(name).length + 1 + getSize(each),
    4 + 1,
  )
}

function fromEntries(value: Value): Value {
  const entries = asArray(value)
  const isPairs = isArray(entries[0])
  return toFields(
    entries.map((entry) => {
      const pair = isPairs ? asArray(entry) : ['k', 'v'].map((name) => asFields(entry).get(name))
      const length = isPairs ? pair.length : asFields(entry).size
      const isWhole = length === 2 && (isPairs || !pair.includes(undefined))
      return isWhole ? ([asText(pair[0]), pair[1]] as const) : fail('no entry')
    }),
  )
}

const setField = (operands: Named): Value => {
  const { field, input } = operands
  if (isNullish(input)) return null
  const others = [...asFields(input)]
  const { value } = operands
  if (value === undefined) return new Map(others.filter(([name]) => name !== field))
  return toFields([...others, [asText(field), value]])
}

const asCount = (value: Value): number => {
  const number = toNumber(asNumber(value))
  return Number.isInteger(number) && number > 0 ? number : fail('no count')
}

const present = (value: Value): readonly Value[] =>
  asArray(value).filter((each) => !isNullish(each))

/** The value of a field for `$sortArray`; an element that is no object has none. */
const follow = (element: Value, path: readonly string[]): Value =>
  path.reduce<Value>((value, name, depth) => {
    if (isArray(value)) return depth === 0 ? null : (value[Number(name)] ?? null)
    return isFields(value) ? (value.get(name) ?? null) : null
  }, element)

function sortArray({ input, sortBy }: Named): Value {
  if (isNullish(input)) return null
  const keys = isFields(sortBy) ? [...sortBy] : [['', sortBy] as const]
  return asArray(input).toSorted((a, b) => {
    for (const [path, direction] of keys) {
      const names = path === '' ? [] : path.split('.')
      const order = compare(follow(a, names), follow(b, names))
      if (order !== 0) return order * toNumber(direction as Tagged)
    }
    return 0
  })
}

/** Returns the rows of columns. */
export function zip(columns: readonly (readonly Value[])[], isLongest: boolean): Value {
  const lengths = columns.map((column) => column.length)
  const length = isLongest ? Math.max(...lengths) : Math.min(...lengths)
  return Array.from({ length }, (_, row) => columns.map((column) => column[row] ?? null))
}

function findPercentiles(input: Value, fractions: readonly number[]): readonly Value[] {
  // All percentiles of one number are that number, NaN too.
  if (isTagged(input)) return fractions.map(() => double(toNumber(input)))
  const numbers = (isArray(input) ? input : [])
    .filter(isTagged)
    .map(toNumber)
    .filter((number) => !Number.isNaN(number))
    .toSorted((a, b) => (a < b ? -1 : Number(a > b)))
  // The least number that so large a part of the numbers does not exceed.
  return fractions.map((fraction) => {
    const found = numbers.find((_, index) => index + 1 >= fraction * numbers.length)
    return found === undefined ? null : double(found)
  })
}

const CONVERTED: Readonly<Record<string, (value: Value) => Value>> = {
  bool: (value) => (isTagged(value) || typeof value === 'boolean' ? isTrue(value) : true),
  int: (value) => toInteger(value, 'int'),
  long: (value) => toInteger(value, 'long'),
  string: toText,
  double: (value) => {
    if (typeof value !== 'string') return double(toNumber(toScalar(value)))
    const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)
    return isNumber ? double(Number(value)) : fail('no number')
  },
}

const toScalar = (value: Value): Tagged =>
  typeof value === 'boolean' ? int(value ? 1 : 0) : asNumber(value)

const convertTo = (type: string, value: Value): Value =>
  (CONVERTED[type] ?? ((): Value => fail('no conversion')))(value)

/** The operators whose operands are a list, all of which are evaluated. */
export const POSITIONAL: Readonly<Record<string, (...values: Value[]) => Value>> = {
  $acos: onFloats(Math.acos, isRatio),
  $acosh: onFloats(Math.acosh, (x = 0) => x >= 1),
  $asin: onFloats(Math.asin, isRatio),
  $asinh: onFloats(Math.asinh, always),
  $atan: onFloats(Math.atan, always),
  $atan2: onFloats(Math.atan2 as (...numbers: number[]) => number, always),
  $atanh: onFloats(Math.atanh, isRatio),
  $cos: onFloats(Math.cos, Number.isFinite),
  $cosh: onFloats(Math.cosh, always),
  $sin: onFloats(Math.sin, Number.isFinite),
  $sinh: onFloats(Math.sinh, always),
  $tan: onFloats(Math.tan, Number.isFinite),
  $tanh: onFloats(Math.tanh, always),
  $degreesToRadians: onFloats((x = 0) => x * (Math.PI / 180), always),
  $radiansToDegrees: onFloats((x = 0) => x * (180 / Math.PI), always),
  $exp: onFloats(Math.exp, always),
  $ln: onFloats(Math.log, (x = 0) => x > 0),
  $log10: onFloats(Math.log10, (x = 0) => x > 0),
  $sqrt: onFloats(Math.sqrt, (x = 0) => x >= 0),
  $log: onFloats(
    (x = 0, base = 0) => Math.log(x) / Math.log(base),
    (x = 0, base = 0) => x > 0 && base > 0 && base !== 1,
  ),
  $ceil: unlessNull(keepIntegers(Math.ceil)),
  $floor: unlessNull(keepIntegers(Math.floor)),
  $round: (value, ...places) => round(false, value, places),
  $trunc: (value, ...places) => round(true, value, places),
  $pow: unlessNull(power),
  $mod: unlessNull(remainder),
  $bitAnd: combineBits(-1n, (a, b) => a & b),
  $bitOr: combineBits(0n, (a, b) => a | b),
  $bitXor: combineBits(0n, (a, b) => a ^ b),
  $bitNot: unlessNull((value) => {
    const number = asNumber(value)
    return number.type === 'double' ? fail('no integer') : integer(-number.big - 1n, number)
  }),
  $avg: average,
  $stdDevPop: deviate(false),
  $stdDevSamp: deviate(true),
  $toLower: (value) => lower(toPrintable(value)),
  $strcasecmp: (a, b) => int(Math.sign(compare(upper(toPrintable(a)), upper(toPrintable(b))))),
  $strLenBytes: (value) => int(toBytes(asText(value)).length),
  $binarySize: unlessNull((value) => int(toBytes(asText(value)).length)),
  $substr: substringBytes,
  $substrBytes: substringBytes,
  $substrCP: substringCP,
  $indexOfBytes: findText(toBytes, true),
  $indexOfCP: findText((text) => [...text], false),
  $bsonSize: unlessNull((value) => int(getSize(asFields(value)))),
  $arrayToObject: unlessNull(fromEntries),
  $toDouble: unlessNull((value) => convertTo('double', value)),
  $toLong: unlessNull((value) => convertTo('long', value)),
}

/** The evaluated operands of an operator with names. */
type Named = Readonly<Record<string, Value>>

/** The operators whose operands have names, all of which are evaluated. */
export const NAMED: Readonly<Record<string, (operands: Named) => Value>> = {
  $trim: (operands) => trim('lr', operands),
  $ltrim: (operands) => trim('l', operands),
  $rtrim: (operands) => trim('r', operands),
  $replaceOne: (operands) => replace(false, operands),
  $replaceAll: (operands) => replace(true, operands),
  $regexMatch: (operands) => search('$regexMatch', operands),
  $regexFind: (operands) => search('$regexFind', operands),
  $regexFindAll: (operands) => search('$regexFindAll', operands),
  $firstN: ({ n, input }) => asArray(input).slice(0, asCount(n)),
  $lastN: ({ n, input }) => asArray(input).slice(-asCount(n)),
  $maxN: ({ n, input }) =>
    present(input)
      .toSorted((a, b) => compare(b, a))
      .slice(0, asCount(n)),
  $minN: ({ n, input }) => present(input).toSorted(compare).slice(0, asCount(n)),
  $sortArray: sortArray,
  $median: ({ input }) => findPercentiles(input, [0.5])[0],
  $percentile: ({ input, p }) => findPercentiles(input, (p as Tagged[]).map(toNumber)),
  $getField: ({ field, input }) =>
    input === null ? null : isFields(input) ? input.get(asText(field)) : (asText(field), undefined),
  $setField: setField,
  $unsetField: setField,
}

/**
 * Converts as `$convert` does. Only a value without a conversion is replaced by `onError`.
 * @param evaluate returns an operand, or undefined if it is not there
 */
export function convert(evaluate: (name: string) => Value, has: (name: string) => boolean): Value {
  const [to, input] = [evaluate('to'), evaluate('input')]
  if (isNullish(input)) return has('onNull') ? evaluate('onNull') : null
  if (isNullish(to)) return null
  try {
    return convertTo(asText(to), input)
  } catch (error) {
    if (!(error instanceof ReferenceError) || !has('onError')) throw error
    return evaluate('onError')
  }
}
