import type { Json } from '../../../../json/json.js'
import { compareTexts } from '../../../values/compare-values.js'
import { defineFunction, defineStrict } from '../../define-function.js'
import type { Apply } from '../../define-function.js'
import { formatPrintf } from '../../format-number.js'
import { getNumberType, isNullish, isNumeric, toDouble } from '../../../values/value.js'
import { fold } from '../../parse-context.js'
import type { Expression, ParseContext, ParseOperator } from '../../parse-context.js'
import type { Value } from '../../../values/value.js'

/** Returns the text of a string or a number; that of null or a missing value is empty. */
export function toText(value: Value, context: ParseContext): string {
  if (isNullish(value)) return ''
  if (typeof value === 'string') {
    context.scope.spendText(value.length)
    return value
  }
  if (!isNumeric(value)) throw context.valueError('must be of strings or numbers', value)
  return getNumberType(value) === 'double' ? formatPrintf(toDouble(value)) : String(value)
}

/** Returns a string. */
export function takeString(value: Value, context: ParseContext): string {
  if (typeof value !== 'string') throw context.valueError('must be of strings', value)
  context.scope.spendText(value.length)
  return value
}

/** Counts the steps of searching a text in another. */
export function spendSearch(text: string, searched: string, { scope }: ParseContext): void {
  scope.spendText(text.length)
  scope.spend(Math.floor((text.length * searched.length) / 256))
}

/** Changes the case of the ASCII letters in a range of codes; other letters stay. */
function changeCase(text: string, from: number, to: number, { scope }: ParseContext): string {
  scope.spend(text.length >> 4)
  const bytes = Buffer.from(text)
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number
    if (byte >= from && byte <= to) bytes[index] = byte ^ CASE_BIT
  }
  return bytes.toString()
}

/** The bit in which the small and the capital letter of ASCII differ. */
const CASE_BIT = 0x20

const toUpper = (value: Value, context: ParseContext): string =>
  changeCase(toText(value, context), 0x61, 0x7a, context)

const toLower = (value: Value, context: ParseContext): string =>
  changeCase(toText(value, context), 0x41, 0x5a, context)

const concat: Apply = (operands, context) => {
  let joined = ''
  for (const operand of operands) {
    const value = operand()
    if (isNullish(value)) return null
    joined += takeString(value, context)
  }
  context.scope.spendText(joined.length)
  return joined
}

const split = defineStrict(2, ([text, separator], context) => {
  if (isNullish(text) || isNullish(separator)) return null
  const [whole, part] = [takeString(text, context), takeString(separator, context)]
  if (part === '') throw context.path.error('must have a separator that is not empty')
  spendSearch(whole, part, context)
  const parts = whole.split(part)
  context.scope.spend(parts.length)
  return parts
})

/** The characters that `$trim` removes without `chars`. */
const BLANKS: ReadonlySet<string> = new Set(
  '\0 \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a',
)

/** Defines `$trim`, `$ltrim` or `$rtrim`. */
const defineTrim =
  (hasStart: boolean, hasEnd: boolean): ParseOperator =>
  (operand, context) => {
    const operands = context.parseArguments(operand, ['input'], ['chars'])
    const inputContext = context.child('input')
    const input = inputContext.parse(operands.input as Json)
    const chars =
      operands.chars === undefined ? undefined : context.child('chars').parse(operands.chars)
    const evaluate = (): Value => {
      const text = input.evaluate()
      if (isNullish(text)) return null
      const whole = takeString(text, inputContext)
      context.scope.spend(whole.length >> 2)
      const characters = Array.from(whole)
      const removed = chars === undefined ? BLANKS : takeCharacters(chars, context)
      if (removed === undefined) return null
      let [from, to] = [0, characters.length]
      if (hasStart) while (from < to && removed.has(characters[from] as string)) from += 1
      if (hasEnd) while (from < to && removed.has(characters[to - 1] as string)) to -= 1
      return characters.slice(from, to).join('')
    }
    return fold({ evaluate }, [input, chars], context)
  }

function takeCharacters(chars: Expression, context: ParseContext): ReadonlySet<string> | undefined {
  const text = chars.evaluate()
  return isNullish(text) ? undefined : new Set(takeString(text, context.child('chars')))
}

/** Defines `$replaceOne` or `$replaceAll`: of a text, not of a pattern. */
const defineReplace =
  (isAll: boolean): ParseOperator =>
  (operand, context) => {
    const names = ['input', 'find', 'replacement']
    const operands = context.parseArguments(operand, names, [])
    const parsed = names.map((name) => context.child(name).parse(operands[name] as Json))
    return {
      evaluate: () => {
        const values = parsed.map((each) => each.evaluate())
        const texts = values.map((value, index) =>
          isNullish(value) ? undefined : takeString(value, context.child(names[index] as string)),
        )
        const [text, searched, replacement] = texts
        if (text === undefined || searched === undefined || replacement === undefined) return null
        spendSearch(text, searched, context)
        return isAll
          ? replaceAll(text, searched, replacement, context)
          : text.replace(searched, () => replacement)
      },
    }
  }

function replaceAll(
  text: string,
  searched: string,
  replacement: string,
  { scope }: ParseContext,
): string {
  // An empty text is found before each character, and at the end.
  const parts = searched === '' ? ['', ...text, ''] : text.split(searched)
  scope.spend(parts.length)
  scope.spendText(text.length + parts.length * replacement.length)
  return parts.join(replacement)
}

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/#string-expression-operators */
export const TEXTS: Readonly<Record<string, ParseOperator>> = {
  $concat: defineFunction(concat, { folding: 'runs' }),
  $ltrim: defineTrim(true, false),
  $replaceAll: defineReplace(true),
  $replaceOne: defineReplace(false),
  $rtrim: defineTrim(false, true),
  $split: split,
  $strcasecmp: defineStrict(2, ([a, b], context) =>
    Math.sign(compareTexts(toUpper(a, context), toUpper(b, context), context.scope)),
  ),
  $toLower: defineStrict(1, ([value], context) => toLower(value, context)),
  $toUpper: defineStrict(1, ([value], context) => toUpper(value, context)),
  $trim: defineTrim(true, true),
}
