import { countCodePoints } from '../../../values/code-points.js'
import { defineFunction, defineStrict } from '../../define-function.js'
import type { Apply } from '../../define-function.js'
import { isNullish, isNumeric, toInt, toLong } from '../../../values/value.js'
import type { Evaluate, ParseContext, ParseOperator } from '../../parse-context.js'
import type { Value } from '../../../values/value.js'
import { spendSearch, takeString, toText } from './texts.js'

/** Returns an integer of 32 bits from 0. */
function takeIndex(value: Value, name: string, context: ParseContext): number {
  const index = isNumeric(value) ? toInt(value) : undefined
  if (index !== undefined && index >= 0) return index
  throw context.valueError(`must have ${name} that is an integer from 0`, value)
}

/** `[text, start, count]`, in characters (code points). */
const substringCP = defineStrict(3, ([value, start, count], context) => {
  const text = toText(value, context)
  const from = takeIndex(start, 'a start', context)
  const length = takeIndex(count, 'a count', context)
  context.scope.spend(text.length >> 2)
  return [...text].slice(from, from + length).join('')
})

/** `[text, start, count]`, in UTF-8 bytes; a count below 0 is the rest of the text. */
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
  const integer = isNumeric(value) ? toLong(value) : undefined
  if (integer === undefined) throw context.valueError(`must have ${name} that is a number`, value)
  return Number(integer)
}

/** Whether a byte continues a character of UTF-8. */
const isInsideCharacter = (bytes: Buffer, position: number): boolean =>
  position < bytes.length && ((bytes[position] as number) & 0xc0) === 0x80

/** Finds a text's position in units (bytes or characters), between `from` and `to`, or -1. */
type Find = (text: string, searched: string, from: number, to: number | undefined) => number

/** Defines `[text, searched, start, end]`, which is null for null. */
function defineIndexOf(find: Find): ParseOperator {
  const apply: Apply = ([text, searched, start, end], context) => {
    const value = text?.()
    if (isNullish(value)) return null
    const whole = takeString(value, context)
    const part = takeString(searched?.(), context)
    spendSearch(whole, part, context)
    const from = start === undefined ? 0 : takeIndex(start(), 'a start', context)
    return find(whole, part, from, takeEnd(end, context))
  }
  return defineFunction(apply, { min: 2, max: 4 })
}

const takeEnd = (end: Evaluate | undefined, context: ParseContext): number | undefined =>
  end === undefined ? undefined : takeIndex(end(), 'an end', context)

/** The text must end before `to`. */
const findBytes: Find = (text, searched, from, to) => {
  const bytes = Buffer.from(text)
  const end = Math.min(bytes.length, to ?? Infinity)
  if (from > end) return -1
  if (searched === '') return from
  return bytes.subarray(0, end).indexOf(Buffer.from(searched), from)
}

/** The text must start before `to`. An empty text is not found at the end of another one. */
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
export const SUBSTRINGS: Readonly<Record<string, ParseOperator>> = {
  $binarySize: defineStrict(1, ([value], context) =>
    isNullish(value) ? null : Buffer.byteLength(takeString(value, context)),
  ),
  $indexOfBytes: defineIndexOf(findBytes),
  $indexOfCP: defineIndexOf(findCharacters),
  $strLenBytes: defineStrict(1, ([value], context) =>
    Buffer.byteLength(takeString(value, context)),
  ),
  $strLenCP: defineStrict(1, ([value], context) => {
    const text = takeString(value, context)
    context.scope.spend(text.length >> 2)
    return countCodePoints(text)
  }),
  $substr: substringBytes,
  $substrBytes: substringBytes,
  $substrCP: substringCP,
}
