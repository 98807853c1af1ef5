import type { InputPath } from '../../../json/input-path.js'
import type { Json, JsonObject } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import {
  parseBoolean,
  parseCount,
  parseNumber,
  parseString,
  withKeyword,
} from './keyword-operands.js'
import { isMultipleOf } from './multiple-of.js'
import type { KeywordsParser } from './schema-parser.js'
import { PASS, restrict } from './schema-target.js'

/** Compiles the keywords of numbers and strings. */
export const parseScalarKeywords: KeywordsParser = (schema, path, target, parser) => {
  const restrictNumber = (test: (value: number) => boolean) => restrict(target, 'number', test)
  const restrictString = (test: (value: string) => boolean) => restrict(target, 'string', test)
  const isMinimumExclusive = parseExclusive(schema, 'exclusiveMinimum', 'minimum', path)
  const isMaximumExclusive = parseExclusive(schema, 'exclusiveMaximum', 'maximum', path)
  return [
    ...withKeyword(schema, 'minimum', path, (operand, operandPath) => {
      const minimum = parseNumber(operand, operandPath)
      return restrictNumber(
        (value) => value > minimum || (!isMinimumExclusive && value === minimum),
      )
    }),
    ...withKeyword(schema, 'maximum', path, (operand, operandPath) => {
      const maximum = parseNumber(operand, operandPath)
      return restrictNumber(
        (value) => value < maximum || (!isMaximumExclusive && value === maximum),
      )
    }),
    ...withKeyword(schema, 'multipleOf', path, (operand, operandPath) => {
      const divisor = parseDivisor(operand, operandPath)
      return restrictNumber((value) => isMultipleOf(value, divisor))
    }),
    ...withKeyword(schema, 'minLength', path, (operand, operandPath) => {
      const minimum = parseCount(operand, operandPath)
      return restrictString((value) => countCodePoints(value) >= minimum)
    }),
    ...withKeyword(schema, 'maxLength', path, (operand, operandPath) => {
      const maximum = parseCount(operand, operandPath)
      return restrictString((value) => countCodePoints(value) <= maximum)
    }),
    ...withKeyword(schema, 'pattern', path, (operand, operandPath) => {
      const pattern = parseString(operand, operandPath)
      // An item is no string, so MongoDB does not compile the pattern.
      return target.isItem ? PASS : restrictString(parser.parsePattern(pattern, operandPath))
    }),
  ]
}

function parseExclusive(
  schema: JsonObject,
  keyword: string,
  limit: string,
  path: InputPath,
): boolean {
  const [isExclusive] = withKeyword(schema, keyword, path, parseBoolean)
  if (isExclusive === undefined) return false
  if (limit in schema) return isExclusive
  throw path.child(keyword).error(`must be used with ${limit}`)
}

function parseDivisor(operand: Json, path: InputPath): number {
  const divisor = parseNumber(operand, path)
  if (divisor > 0) return divisor
  throw path.error(`must be a number above 0, not ${quote(operand)}`)
}

function countCodePoints(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index += 1) {
    // A pair of surrogates is one code point.
    if ((text.codePointAt(index) as number) > 0xffff) index += 1
    count += 1
  }
  return count
}
