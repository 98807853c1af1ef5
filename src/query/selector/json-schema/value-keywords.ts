import type { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import type { Json } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import { countCodePoints } from '../../values/code-points.js'
import { hasType, isBsonType } from '../../values/bson-types.js'
import { isInt64 } from '../../values/value.js'
import {
  defineRestriction,
  every,
  parseBoolean,
  parseCount,
  parseEntries,
  parseNames,
  parseNumber,
  parseString,
  PASS,
  restrict,
  toUnorderedKey,
} from './keyword.js'
import type { Keyword, ParsedSchema, SchemaPlace, SchemaTarget, SchemaTest } from './keyword.js'

/** The types of `type`, and their BSON types. MongoDB has no `integer`. */
const JSON_TYPES: ReadonlyMap<string, string> = new Map([
  ['array', 'array'],
  ['boolean', 'bool'],
  ['null', 'null'],
  ['number', 'number'],
  ['object', 'object'],
  ['string', 'string'],
])

/** The keywords of values of any type. */
export const ANY_KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: defineType(parseJsonType),
  bsonType: defineType(parseBsonType),
  title: parseText,
  description: parseText,
  enum: (operand, { path, target }) => ({
    test: compileEnum(parseEntries(operand, path), path, target),
  }),
  allOf: defineBranches('every', every),
  anyOf: defineBranches('some', (tests) => (input) => tests.some((test) => test(input))),
  oneOf: (operand, place) => {
    const tests = parseBranches(operand, place).map(({ test }) => test)
    return { test: (input) => countPassing(tests, input) === 1 }
  },
  not: (operand, { path, target, parser }) => {
    const { test } = parser.parseSchema(operand, path, target)
    return { test: (input) => !test(input) }
  },
}

/** The keywords of numbers. */
export const NUMBER_KEYWORDS: Readonly<Record<string, Keyword>> = {
  minimum: defineLimit('exclusiveMinimum', (value, limit) => value > limit),
  exclusiveMinimum: defineExclusive('minimum'),
  maximum: defineLimit('exclusiveMaximum', (value, limit) => value < limit),
  exclusiveMaximum: defineExclusive('maximum'),
  multipleOf: defineRestriction('number', parseDivisor, isMultipleOf),
}

/** The keywords of strings. */
export const STRING_KEYWORDS: Readonly<Record<string, Keyword>> = {
  minLength: defineRestriction(
    'string',
    parseCount,
    (value: string, minimum) => countCodePoints(value) >= minimum,
  ),
  maxLength: defineRestriction(
    'string',
    parseCount,
    (value: string, maximum) => countCodePoints(value) <= maximum,
  ),
  pattern: (operand, { path, target, parser }) => {
    const pattern = parseString(operand, path)
    // An item is no string, so MongoDB does not compile the pattern.
    if (target.isItem) return { test: PASS }
    return { test: restrict(target, 'string', parser.parsePattern(pattern, path)) }
  },
}

function parseText(operand: Json, { path }: SchemaPlace): undefined {
  parseString(operand, path)
}

function defineType(parse: (name: string, path: InputPath) => string): Keyword {
  return (operand, { schema, schemaPath, path, target }) => {
    if ('type' in schema && 'bsonType' in schema)
      throw schemaPath.error('must not have both type and bsonType')
    const names = Array.isArray(operand)
      ? parseNames(parseEntries(operand, path), path)
      : [parseString(operand, path)]
    const types = names.map((name) => parse(name, path))
    return { test: target.bind((value) => hasType(value, types)) }
  }
}

function parseJsonType(name: string, path: InputPath): string {
  const type = JSON_TYPES.get(name)
  if (type !== undefined) return type
  const known = [...JSON_TYPES.keys()].join(', ')
  if (name === 'integer')
    throw path.error('must not be "integer", which is not supported: use bsonType "int" or "long"')
  throw path.error(`must be one of ${known}, not ${quote(name)}`)
}

function parseBsonType(name: string, path: InputPath): string {
  if (isBsonType(name)) return name
  throw path.error(`must be the name of a BSON type, such as "int", not ${quote(name)}`)
}

function compileEnum(entries: readonly Json[], path: InputPath, target: SchemaTarget): SchemaTest {
  const keys = new Set<string>()
  for (const entry of entries) {
    const key = toUnorderedKey(entry)
    if (keys.has(key)) throw path.error(`must not have the entry ${quote(entry)} twice`)
    keys.add(key)
  }
  // Only an entry of the value's size can be equal to it, so a large value needs no key.
  const hasObject = entries.some(isJsonObject)
  const hasArray = entries.some(Array.isArray)
  return target.bind((value) => {
    if (value === undefined || (isJsonObject(value) && !hasObject)) return false
    if (Array.isArray(value) && !hasArray) return false
    return keys.has(toUnorderedKey(value))
  })
}

const parseBranches = (operand: Json, { path, target, parser }: SchemaPlace): ParsedSchema[] =>
  parseEntries(operand, path).map((branch, index) =>
    parser.parseSchema(branch, path.child(index), target),
  )

/** Defines a combination of schemas of the same value, which an explanation shows branch by branch. */
function defineBranches(
  combine: 'every' | 'some',
  join: (tests: readonly SchemaTest[]) => SchemaTest,
): Keyword {
  return (operand, place) => {
    const branches = parseBranches(operand, place)
    const test = join(branches.map((branch) => branch.test))
    const operator = combine === 'every' ? 'allOf' : 'anyOf'
    return {
      test,
      listParts: () => {
        const parts = branches.map((branch, index) => ({
          names: [],
          operator: `[${index}]`,
          test: branch.test,
          inner: { combine: 'every' as const, parts: branch.listParts() },
        }))
        return [{ names: [], operator, test, inner: { combine, parts } }]
      },
    }
  }
}

/** Counts the tests that pass, up to 2. */
function countPassing(tests: readonly SchemaTest[], input: Json): number {
  let count = 0
  for (const test of tests) {
    if (test(input)) count += 1
    if (count === 2) break
  }
  return count
}

/** Defines `minimum` or `maximum`, beside which a keyword can exclude the limit itself. */
function defineLimit(
  exclusive: string,
  isWithin: (value: number, limit: number) => boolean,
): Keyword {
  return (operand, { schema, path, target }) => {
    const limit = parseNumber(operand, path)
    const isExclusive = schema[exclusive] === true
    const test = restrict(
      target,
      'number',
      (value: number) => isWithin(value, limit) || (!isExclusive && value === limit),
    )
    return {
      test,
      ...(isExclusive && { listParts: () => [{ names: [], operator: exclusive, operand, test }] }),
    }
  }
}

function defineExclusive(limit: string): Keyword {
  return (operand, { schema, path }) => {
    parseBoolean(operand, path)
    if (limit in schema) return undefined
    throw path.error(`must be used with ${limit}`)
  }
}

function parseDivisor(operand: Json, path: InputPath): number {
  const divisor = parseNumber(operand, path)
  if (divisor > 0) return divisor
  throw path.error(`must be a number above 0, not ${quote(operand)}`)
}

/** The number of digits to which MongoDB rounds a double when it makes a decimal of it. */
const DECIMAL_DIGITS = 15

/**
 * Whether a number is a multiple of another one, which is above 0. As in MongoDB, both are decimals:
 * 0.3 is a multiple of 0.1.
 */
function isMultipleOf(value: number, divisor: number): boolean {
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
  if (isInt64(value)) return { digits: BigInt(value), exponent: 0 }
  const [mantissa, exponent] = value.toExponential(DECIMAL_DIGITS - 1).split('e')
  const digits = BigInt((mantissa as string).replace('.', ''))
  return { digits, exponent: Number(exponent) - (DECIMAL_DIGITS - 1) }
}

const scale = ({ digits, exponent }: Decimal, to: number): bigint =>
  digits * 10n ** BigInt(exponent - to)
