import { Type } from '@sinclair/typebox'

import { quote } from '@materials-mock/json'
import type { InputPath, Json } from '@materials-mock/json'
import { matchPattern } from '../../run-pattern.js'
import { hasType, parseTypes } from '../../values/bson-types.js'
import type { CandidateTest } from '../../values/compile-path.js'
import { isInt64 } from '../../values/value.js'
import { createFieldTest, defineTest } from '../operator.js'
import type { QueryOperator } from '../operator.js'
import { noteBsonType, noteType } from './notes.js'

const BsonType = Type.Union([Type.String(), Type.Number()], { examples: ['string', 'number'] })

/** Tests whether there is a value. MongoDB reads any operand except false, 0 and null as true. */
const parseExists: QueryOperator['parse'] = (operand, place) =>
  createFieldTest(place, operand, {
    compile: () => (value) => value !== undefined,
    isNegated: operand === false || operand === 0 || operand === null,
  })

/** Compiles the pattern of `$regex`, with the `$options` beside it. */
const parseRegex: QueryOperator['parse'] = (operand, place) => {
  const { operators, path, parser } = place
  const { $options: options = '' } = operators
  if (typeof operand !== 'string') throw path.error(`must be a string, not ${quote(operand)}`)
  if (typeof options !== 'string' || !/^[imsxu]*$/.test(options))
    throw path.error(`must have $options of the letters i, m, s and x, not ${quote(options)}`)
  const { expression, cost } = parser.patterns.compile(operand, options, path)
  const written = '$options' in operators ? { $regex: operand, $options: options } : operand
  return createFieldTest(place, written, {
    compile: () => (value) =>
      typeof value === 'string' && matchPattern(() => expression.test(value)),
    cost,
  })
}

/**
 * https://www.mongodb.com/docs/manual/reference/operator/query-element/ and
 * https://www.mongodb.com/docs/manual/reference/operator/query-evaluation/
 */
export const ELEMENT = {
  $exists: {
    schema: Type.Unsafe<unknown>({ description: 'true, or false for a missing field.' }),
    parse: parseExists,
  },
  $mod: defineTest({
    schema: Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
    parseOperand: parseMod,
    compile: compileMod,
  }),
  $type: defineTest({
    schema: Type.Union([BsonType, Type.Array(BsonType)]),
    parseOperand: parseTypes,
    compile: (types) => (value) => hasType(value, types),
    note: (_operand, values) => noteBsonType(values),
  }),
  $regex: {
    schema: Type.String({ description: 'A PCRE2 pattern.' }),
    parse: parseRegex,
    note: (_operand: Json, values: readonly Json[]) => noteType([''], values),
  },
  $options: {
    schema: Type.String({ description: 'Of $regex: i, m, s, x.' }),
    parse: (_operand, { operators, path }) => {
      if ('$regex' in operators) return undefined
      throw path.error('must be used with $regex')
    },
  } satisfies QueryOperator,
}

function parseMod(operand: Json, path: InputPath): readonly [divisor: number, remainder: number] {
  if (!Array.isArray(operand) || operand.length !== 2 || !operand.every(isNumber))
    throw path.error(`must be an array of two numbers, not ${quote(operand)}`)

  // MongoDB truncates both numbers.
  const [divisor, remainder] = operand.map((number) => Math.trunc(number)) as [number, number]
  if (!isInt64(divisor) || !isInt64(remainder))
    throw path.error(`must be within 64 bits, not ${quote(operand)}`)
  if (divisor === 0) throw path.error(`must have a divisor other than 0, not ${quote(operand)}`)
  return [divisor, remainder]
}

const isNumber = (value: Json): value is number => typeof value === 'number'

/** Truncates the value. The remainder has the value's sign, as in C. */
function compileMod([divisor, remainder]: readonly [number, number]): CandidateTest {
  return (value) => {
    if (typeof value !== 'number') return false
    const integer = Math.trunc(value)
    return isInt64(integer) && integer % divisor === remainder
  }
}
