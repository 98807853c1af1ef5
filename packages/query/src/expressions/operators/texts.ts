import { compareTexts } from '../../values/compare-values.js'
import {
  countCodePoints,
  getNumberType,
  isNullish,
  isNumeric,
  toDouble,
  toLong,
} from '../../values/value.js'
import type { Value } from '../../values/value.js'
import {
  defineBinary,
  defineFunction,
  defineStrict,
  defineUnary,
  defineVariadic,
} from '../define-function.js'
import type { Apply } from '../define-function.js'
import { fold, STRING } from '../parse-context.js'
import type { Expression, ParseContext, ParseOperator } from '../parse-context.js'
import { takeIndex } from './arrays.js'
import { formatPrintf } from './number-texts.js'

/** Returns the text of a string or a number, or an empty text for null or a missing value. */
function toText(value: Value, context: ParseContext): string {
  if (isNullish(value)) return ''
  if (typeof value === 'string') {
    context.scope.spendText(value.length)
    return value
  }
  if (!isNumeric(value)) throw context.valueError('must be of strings or numbers', value)
  return getNumberType(value) === 'double' ? formatPrintf(toDouble(value)) : String(value)
}

/** Counts the steps of searching a text in another. */
function spendSearch(text: string, searched: string, { scope }: ParseContext): void {
  scope.spendText(text.length)
  scope.spend(Math.floor((text.length * searched.length) / 256))
}

/** Changes the case of the ASCII letters in a range of codes; other letters stay. */
function changeCase(text: string, from: number, to: number, { scope }: ParseContext): string {
  scope.spend(text.length >> 4)
  const bytes = Buffer.from(text)
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]!
    if (byte >= from && byte <= to) bytes[index] = byte ^ CASE_BIT
  }
  return bytes.toString()
}

/** The bit in which lower-case and upper-case letters of ASCII differ. */
const CASE_BIT = 0x20

const toUpper = (value: Value, context: ParseContext): string =>
  changeCase(toText(value, context), 0x61, 0x7a, context)

const toLower = (value: Value, context: ParseContext): string =>
  changeCase(toText(value, context), 0x41, 0x5a, context)

function split(text: string, separator: string, context: ParseContext): Value {
  if (separator === '') throw context.path.error('must have a separator that is not empty')
  spendSearch(text, separator, context)
  const parts = text.split(separator)
  context.scope.spend(parts.length)
  return parts
}

/** The characters that `$trim` removes without `chars`. */
const BLANKS: ReadonlySet<string> = new Set(
  '\0 \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a',
)

/** Defines `$trim`, `$ltrim` or `$rtrim`. */
const defineTrim =
  (hasStart: boolean, hasEnd: boolean): ParseOperator =>
  (operand, context) => {
    const operands = context.parseNamed(operand, ['input'], ['chars'])
    const { input, chars } = operands
    const evaluate = (): Value => {
      const text = input.evaluate()
      if (isNullish(text)) return null
      const whole = context.take(STRING, text, 'input')
      context.scope.spend(whole.length >> 2)
      const characters = Array.from(whole)
      const removed = chars === undefined ? BLANKS : takeCharacters(chars, context)
      if (removed === undefined) return null
      let [from, to] = [0, characters.length]
      if (hasStart) while (from < to && removed.has(characters[from]!)) from += 1
      if (hasEnd) while (from < to && removed.has(characters[to - 1]!)) to -= 1
      return characters.slice(from, to).join('')
    }
    return fold({ evaluate }, Object.values(operands), context)
  }

function takeCharacters(chars: Expression, context: ParseContext): ReadonlySet<string> | undefined {
  const text = chars.evaluate()
  return isNullish(text) ? undefined : new Set(context.take(STRING, text, 'chars'))
}

/** Defines `$replaceOne` or `$replaceAll`: of a text, not of a pattern. */
const defineReplace =
  (
    replace: (texts: readonly [string, string, string], context: ParseContext) => string,
  ): ParseOperator =>
  (operand, context) => {
    const operands = Object.entries(context.parseNamed(operand, ['input', 'find', 'replacement']))
    return {
      evaluate: () => {
        const values = operands.map(([name, each]) => [name, each.evaluate()] as const)
        const texts = values.map(([name, value]) =>
          isNullish(value) ? undefined : context.take(STRING, value, name),
        )
        if (texts.includes(undefined)) return null
        const [text, searched] = texts as [string, string, string]
        spendSearch(text, searched, context)
        return replace(texts as [string, string, string], context)
      },
    }
  }

function replaceAll(
  [text, searched, replacement]: readonly [string, string, string],
  { scope }: ParseContext,
): string {
  // An empty text is found before each character, and at the end.
  const parts = searched === '' ? ['', ...text, ''] : text.split(searched)
  scope.spend(parts.length)
  scope.spendText(text.length + parts.length * replacement.length)
  return parts.join(replacement)
}

/** `[text, start, count]`, in characters (code points). */
const substringCP = defineStrict(3, ([value, start, count], context) => {
  const text = toText(value, context)
  const from = takeIndex(start, 'a start', context)
  const length = takeIndex(count, 'a count', context)
  context.scope.spend(text.length >> 2)
  return [...text].slice(from, from + length).join('')
})

/** `[text, start, count]`, in UTF-8 bytes. A count below 0 means the rest of the text. */
const substringBytes = defineStrict(3, ([value, start, count], context) => {
  const bytes = Buffer.from(toText(value, context))
  const from = takeBytes(start, 'a start', context)
  if (from < 0) throw context.valueError('must have a start from 0', start)
  const length = takeBytes(count, 'a count', context)
  const to = length < 0 ? bytes.length : Math.min(bytes.length, from + length)
  const cut = [from, to].find((end) => isInsideCharacter(bytes, end))
  if (cut !== undefined)
    throw context.path.error(`must not cut a character, which byte ${cut} is in`)
  return bytes.toString('utf8', from, to)
})

/** Returns a number of bytes without its fraction. */
function takeBytes(value: Value, name: string, context: ParseContext): number {
  const integer = toLong(value)
  if (integer === undefined) throw context.valueError(`must have ${name} that is a number`, value)
  return Number(integer)
}

/** Whether a byte continues a character of UTF-8. */
const isInsideCharacter = (bytes: Buffer, position: number): boolean =>
  position < bytes.length && (bytes[position]! & 0xc0) === 0x80

/** Finds the position of a text in units (bytes or characters) between `from` and `to`, or -1. */
type Find = (text: string, searched: string, from: number, to: number | undefined) => number

/** Defines `[text, searched, start, end]`. The result for null is null. */
function defineIndexOf(find: Find): ParseOperator {
  const apply: Apply = ([text, searched, start, end], context) => {
    const value = text?.()
    if (isNullish(value)) return null
    const whole = context.take(STRING, value)
    const part = context.take(STRING, searched?.())
    spendSearch(whole, part, context)
    const from = start === undefined ? 0 : takeIndex(start(), 'a start', context)
    return find(whole, part, from, end && takeIndex(end(), 'an end', context))
  }
  return defineFunction(apply, { min: 2, max: 4 })
}

/** The text must end before `to`. */
const findBytes: Find = (text, searched, from, to) => {
  const bytes = Buffer.from(text)
  const end = Math.min(bytes.length, to ?? Infinity)
  if (from > end) return -1
  if (searched === '') return from
  return bytes.subarray(0, end).indexOf(Buffer.from(searched), from)
}

/** The text must start before `to`. An empty text is not found at the end of another text. */
const findCharacters: Find = (text, searched, from, to) => {
  if (text === '' && searched === '') return from === 0 ? 0 : -1
  const characters = [...text]
  const end = Math.min(characters.length, to ?? Infinity)
  if (from >= end) return -1
  const unit = characters.slice(0, from).join('').length
  const found = text.indexOf(searched, unit)
  if (found < 0) return -1
  const position = from + countCodePoints(text, unit, found)
  return position < end ? position : -1
}

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/#string-expression-operators */
export const TEXTS: Readonly<Record<string, ParseOperator>> = {
  $binarySize: defineUnary(STRING, (text) => Buffer.byteLength(text)),
  $concat: defineVariadic(STRING, 'runs', (texts, { scope }) => {
    const joined = texts.join('')
    scope.spendText(joined.length)
    return joined
  }),
  $indexOfBytes: defineIndexOf(findBytes),
  $indexOfCP: defineIndexOf(findCharacters),
  $ltrim: defineTrim(true, false),
  $replaceAll: defineReplace(replaceAll),
  $replaceOne: defineReplace(([text, searched, replacement]) =>
    text.replace(searched, () => replacement),
  ),
  $rtrim: defineTrim(false, true),
  $split: defineBinary(STRING, split),
  $strLenBytes: defineStrict(1, ([value], context) =>
    Buffer.byteLength(context.take(STRING, value)),
  ),
  $strLenCP: defineStrict(1, ([value], context) => {
    const text = context.take(STRING, value)
    context.scope.spend(text.length >> 2)
    return countCodePoints(text)
  }),
  $strcasecmp: defineStrict(2, ([a, b], context) =>
    Math.sign(compareTexts(toUpper(a, context), toUpper(b, context), context.scope)),
  ),
  $substr: substringBytes,
  $substrBytes: substringBytes,
  $substrCP: substringCP,
  $toLower: defineStrict(1, ([value], context) => toLower(value, context)),
  $toUpper: defineStrict(1, ([value], context) => toUpper(value, context)),
  $trim: defineTrim(true, true),
}
