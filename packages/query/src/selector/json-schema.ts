import { isJsonArray, isJsonObject, quote } from '@materials-mock/json'
import type { InputPath, Json, JsonObject } from '@materials-mock/json'
import type { PatternBudget } from '../compile-pattern.js'
import { TEXT_COST } from '../condition.js'
import type { Combination, Condition, ItemTest } from '../condition.js'
import { matchPattern } from '../run-pattern.js'
import { hasType, isBsonType } from '../values/bson-types.js'
import { compilePath } from '../values/compile-path.js'
import { countCodePoints, isInt64 } from '../values/value.js'

/**
 * `$jsonSchema`: draft 4 of JSON Schema without some keywords, with `bsonType`
 * (https://www.mongodb.com/docs/manual/reference/operator/query/jsonSchema/). The time is linear in
 * schema times item.
 * @throws the path's error or limitError
 */
export function parseJsonSchema(schema: Json, path: InputPath, patterns: PatternBudget): ItemTest {
  const parser = new SchemaParser(patterns)
  const { test, listParts } = parser.parse(schema, path, ITEM)
  return {
    ...parser.createTest('$jsonSchema', schema, test),
    split: () => createCombination('$jsonSchema', 'every', listParts()),
  }
}

type SchemaTest = (input: Json) => boolean

interface ParsedSchema {
  readonly test: SchemaTest
  /** Returns the conditions that an explanation shows. Their paths start at the target of the schema. */
  readonly listParts: () => readonly Condition[]
}

/** A keyword of `$jsonSchema`: parses its operand. Undefined if it tests nothing by itself. */
type Keyword = (
  operand: Json,
  place: SchemaPlace,
) => (Pick<ParsedSchema, 'test'> & Partial<ParsedSchema>) | undefined

interface SchemaPlace {
  readonly schema: JsonObject
  readonly schemaPath: InputPath
  readonly keyword: string
  readonly path: InputPath
  readonly target: SchemaTarget
  readonly parser: SchemaParser
}

/** The values that a schema describes. */
interface SchemaTarget {
  /** Whether it is the whole item, which is always an object. */
  readonly isItem: boolean
  /** Compiles a test that passes if one of the values passes. */
  readonly bind: (test: (value: Json | undefined) => boolean) => SchemaTest
}

/** The item itself. The input of its schema is the item. */
const ITEM: SchemaTarget = { isItem: true, bind: (test) => test }

/** An element of an array, or a property that a pattern found. The input is the value. */
const VALUE: SchemaTarget = { isItem: false, bind: (test) => test }

/** The input is the object. As in MongoDB, a name with dots is a path. */
const createProperty = (name: string): SchemaTarget => ({
  isItem: false,
  bind: (test) => compilePath(name, 'array', test),
})

/** The keywords that MongoDB refuses, and the keywords of encryption, which have no meaning here. */
const UNSUPPORTED_KEYWORDS: ReadonlySet<string> = new Set([
  '$ref',
  '$schema',
  'default',
  'definitions',
  'format',
  'id',
  'encrypt',
  'encryptMetadata',
])

class SchemaParser {
  /** The number of keywords so far, and the costs of the regular expressions. */
  #cost = 0
  readonly #patterns: PatternBudget

  constructor(patterns: PatternBudget) {
    this.#patterns = patterns
  }

  /** @throws the path's error for a value that is not a valid schema */
  parse(schema: Json, path: InputPath, target: SchemaTarget): ParsedSchema {
    const object = parseObject(schema, path)
    const common = { schema: object, schemaPath: path, target, parser: this }
    const keywords = Object.entries(object).flatMap(([keyword, operand]) => {
      this.#cost += keyword === 'uniqueItems' || keyword === 'enum' ? TEXT_COST : 1
      return this.#parseKeyword(operand, { ...common, keyword, path: path.child(keyword) })
    })
    return {
      test: every(keywords.map(({ test }) => test)),
      listParts: () => keywords.flatMap(({ listParts }) => listParts()),
    }
  }

  /** @throws the path's error or limitError for an invalid or too expensive pattern */
  parsePattern(pattern: string, path: InputPath): (text: string) => boolean {
    const { expression, cost } = this.#patterns.compile(pattern, '', path)
    this.#cost += cost
    return (text) => matchPattern(() => expression.test(text))
  }

  /** Creates the condition of a test after the whole schema is parsed. */
  createTest(operator: string, operand: Json | undefined, matches: SchemaTest): ItemTest {
    return { kind: 'item', operator, operand, matches, cost: this.#cost, isQueryOnly: true }
  }

  #parseKeyword(operand: Json, place: SchemaPlace): ParsedSchema[] {
    const { keyword, path } = place
    if (UNSUPPORTED_KEYWORDS.has(keyword)) throw path.error('is not supported')
    if (!Object.hasOwn(KEYWORDS, keyword)) throw path.error('is not a keyword of $jsonSchema')
    const parsed = KEYWORDS[keyword]!(operand, place)
    if (parsed === undefined) return []
    const { test, listParts = () => [this.createTest(keyword, operand, test)] } = parsed
    return [{ test, listParts }]
  }
}

const createCombination = (
  operator: string,
  combine: Combination['combine'],
  conditions: readonly Condition[],
): Combination => ({ kind: 'combination', operator, combine, conditions })

/** Defines the parser of a value of one type, which throws the path's error for any other value. */
function defineParser<Type extends Json>(
  isOfType: (value: Json) => value is Type,
  expected: string,
): (value: Json, path: InputPath) => Type {
  return (value, path) => {
    if (isOfType(value)) return value
    throw path.error(`must be ${expected}, not ${quote(value)}`)
  }
}

const parseNumber = defineParser((value) => typeof value === 'number', 'a number')
const parseCount = defineParser(
  (value): value is number => Number.isInteger(value) && (value as number) >= 0,
  'an integer from 0',
)
const parseBoolean = defineParser((value) => typeof value === 'boolean', 'true or false')
const parseString = defineParser((value) => typeof value === 'string', 'a string')
const parseObject = defineParser(isJsonObject, 'an object')
const parseEntries = defineParser(
  (value): value is readonly Json[] => Array.isArray(value) && value.length > 0,
  'an array of one or more entries',
)

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: defineType(parseJsonType),
  bsonType: defineType(parseBsonType),
  title: parseText,
  description: parseText,
  enum: parseEnum,
  allOf: defineBranches('every', every),
  anyOf: defineBranches('some', (tests) => (input) => tests.some((test) => test(input))),
  oneOf: (operand, place) => {
    const tests = parseBranches(operand, place).map(({ test }) => test)
    const test: SchemaTest = (input) => {
      const first = tests.findIndex((each) => each(input))
      return first !== -1 && !tests.slice(first + 1).some((each) => each(input))
    }
    return { test }
  },
  not: (operand, { path, target, parser }) => {
    const { test } = parser.parse(operand, path, target)
    return { test: (input) => !test(input) }
  },

  minimum: defineLimit('exclusiveMinimum', (value, limit) => value > limit),
  exclusiveMinimum: defineExclusive('minimum'),
  maximum: defineLimit('exclusiveMaximum', (value, limit) => value < limit),
  exclusiveMaximum: defineExclusive('maximum'),
  multipleOf: defineRestriction('number', parseDivisor, isMultipleOf),

  minLength: defineCount('min', 'string', countCodePoints),
  maxLength: defineCount('max', 'string', countCodePoints),
  pattern: (operand, { path, target, parser }) => {
    const pattern = parseString(operand, path)
    // An item is not a string, so MongoDB does not compile the pattern.
    if (target.isItem) return { test: PASS }
    return { test: restrict(target, 'string', parser.parsePattern(pattern, path)) }
  },

  items: (operand, place) => ({
    test: restrict(place.target, 'array', parseItems(operand, place)),
  }),
  // `items` tests both keywords.
  additionalItems: (operand, { schema, path, parser }) => {
    if ('items' in schema) return undefined
    parseSchemaOrBoolean(operand, path, parser)
    return { test: PASS }
  },
  minItems: defineCount('min', 'array', (array: readonly Json[]) => array.length),
  maxItems: defineCount('max', 'array', (array: readonly Json[]) => array.length),
  uniqueItems: defineRestriction(
    'array',
    parseBoolean,
    (array: readonly Json[], isUnique) => !isUnique || hasUniqueItems(array),
  ),

  required: (operand, { keyword, path, target, parser }) => {
    const tests = parseNames(operand, path).map(
      (name) => [name, restrict(target, 'object', hasProperty(name))] as const,
    )
    return {
      test: every(tests.map(([, test]) => test)),
      listParts: () =>
        tests.map(([name, test]) => ({
          ...parser.createTest(keyword, undefined, test),
          path: name,
        })),
    }
  },
  properties: parseProperties,
  patternProperties: (_operand, place) => parseOtherProperties(place),
  // `patternProperties` tests both keywords.
  additionalProperties: (_operand, place) =>
    'patternProperties' in place.schema ? undefined : parseOtherProperties(place),
  minProperties: defineCount('min', 'object', countProperties),
  maxProperties: defineCount('max', 'object', countProperties),
  dependencies: (operand, place) => ({ test: every(parseDependencies(operand, place)) }),
}

/** The types of `type` with their BSON types. MongoDB has no `integer`. */
const JSON_TYPES: ReadonlyMap<string, string> = new Map([
  ['array', 'array'],
  ['boolean', 'bool'],
  ['null', 'null'],
  ['number', 'number'],
  ['object', 'object'],
  ['string', 'string'],
])

const PASS: SchemaTest = () => true

type RestrictedType = 'number' | 'string' | 'array' | 'object'

/** Compiles a keyword that restricts only values of one BSON type. Any other value passes, also a missing value. */
function restrict(
  target: SchemaTarget,
  type: RestrictedType,
  test: (value: never) => boolean,
): SchemaTest {
  const testValue = test as (value: Json) => boolean
  if (target.isItem) return type === 'object' ? testValue : PASS
  const types = [type]
  const applies = target.bind((value) => hasType(value, types))
  const passes = target.bind((value) => hasType(value, types) && testValue(value!))
  return (input) => passes(input) || !applies(input)
}

/** Defines a keyword that restricts values of one BSON type. */
function defineRestriction<Operand, Value extends Json>(
  type: RestrictedType,
  parse: (operand: Json, path: InputPath) => Operand,
  isMatch: (value: Value, operand: Operand) => boolean,
): Keyword {
  return (operand, { path, target }) => {
    const parsed = parse(operand, path)
    return { test: restrict(target, type, (value: Value) => isMatch(value, parsed)) }
  }
}

/** Defines a keyword that limits what is counted in values of one BSON type. */
function defineCount<Value extends Json>(
  limit: 'min' | 'max',
  type: RestrictedType,
  count: (value: Value) => number,
): Keyword {
  return defineRestriction(type, parseCount, (value: Value, operand) =>
    limit === 'min' ? count(value) >= operand : count(value) <= operand,
  )
}

/** Compiles tests into one test that passes if all of them pass. */
function every(tests: readonly SchemaTest[]): SchemaTest {
  const [only] = tests
  if (only !== undefined && tests.length === 1) return only
  return (input) => tests.every((test) => test(input))
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

function parseEnum(operand: Json, { path, target }: SchemaPlace): ReturnType<Keyword> {
  const entries = parseEntries(operand, path)
  const keys = new Set<string>()
  for (const entry of entries) {
    const key = toUnorderedKey(entry)
    if (keys.has(key)) throw path.error(`must not have the entry ${quote(entry)} twice`)
    keys.add(key)
  }
  // Only an entry of the same size can equal the value, so a large value needs no key.
  const hasObject = entries.some(isJsonObject)
  const hasArray = entries.some(Array.isArray)
  const test = target.bind((value) => {
    if (value === undefined || (isJsonObject(value) && !hasObject)) return false
    if (Array.isArray(value) && !hasArray) return false
    return keys.has(toUnorderedKey(value))
  })
  return { test }
}

const parseBranches = (operand: Json, { path, target, parser }: SchemaPlace): ParsedSchema[] =>
  parseEntries(operand, path).map((branch, index) =>
    parser.parse(branch, path.child(index), target),
  )

/** Defines a combination of schemas of the same value, which an explanation shows branch by branch. */
function defineBranches(
  combine: 'every' | 'some',
  join: (tests: readonly SchemaTest[]) => SchemaTest,
): Keyword {
  return (operand, place) => {
    const branches = parseBranches(operand, place)
    const test = join(branches.map((branch) => branch.test))
    const listBranches = (): Combination[] =>
      branches.map(({ listParts }, index) => createCombination(`[${index}]`, 'every', listParts()))
    return { test, listParts: () => [createCombination(place.keyword, combine, listBranches())] }
  }
}

/** Defines `minimum` or `maximum`. Another keyword can exclude the limit itself. */
function defineLimit(
  exclusive: string,
  isWithin: (value: number, limit: number) => boolean,
): Keyword {
  return (operand, { schema, keyword, path, target, parser }) => {
    const limit = parseNumber(operand, path)
    const isExclusive = schema[exclusive] === true
    const test = restrict(
      target,
      'number',
      (value: number) => isWithin(value, limit) || (!isExclusive && value === limit),
    )
    const operator = isExclusive ? exclusive : keyword
    return { test, listParts: () => [parser.createTest(operator, operand, test)] }
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

/** The number of digits to which MongoDB rounds a double when it converts it to a decimal. */
const DECIMAL_DIGITS = 15

/** As in MongoDB, both are decimals: 0.3 is a multiple of 0.1. */
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
  // A whole number within 64 bits is an integer in MongoDB, so it is not rounded.
  if (isInt64(value)) return { digits: BigInt(value), exponent: 0 }
  const [mantissa, exponent] = value.toExponential(DECIMAL_DIGITS - 1).split('e')
  const digits = BigInt(mantissa!.replace('.', ''))
  return { digits, exponent: Number(exponent) - (DECIMAL_DIGITS - 1) }
}

const scale = ({ digits, exponent }: Decimal, to: number): bigint =>
  digits * 10n ** BigInt(exponent - to)

/** Parses `items`, one schema for all elements, or one for each of the first elements. */
function parseItems(
  operand: Json,
  { schema, schemaPath, path, parser }: SchemaPlace,
): (array: readonly Json[]) => boolean {
  const { additionalItems = true } = schema
  const additionalPath = schemaPath.child('additionalItems')
  const testAdditional = parseSchemaOrBoolean(additionalItems, additionalPath, parser)
  if (isJsonObject(operand)) {
    const { test } = parser.parse(operand, path, VALUE)
    return (array) => array.every(test)
  }
  if (!isJsonArray(operand))
    throw path.error(`must be a schema or an array of schemas, not ${quote(operand)}`)
  const tests = operand.map((each, index) => parser.parse(each, path.child(index), VALUE).test)
  return (array) => array.every((element, index) => (tests[index] ?? testAdditional)(element))
}

/** Parses `additionalItems` or `additionalProperties`. */
function parseSchemaOrBoolean(operand: Json, path: InputPath, parser: SchemaParser): SchemaTest {
  if (typeof operand === 'boolean') return () => operand
  if (isJsonObject(operand)) return parser.parse(operand, path, VALUE).test
  throw path.error(`must be a schema, true or false, not ${quote(operand)}`)
}

const hasUniqueItems = (array: readonly Json[]): boolean =>
  new Set(array.map(toUnorderedKey)).size === array.length

function countProperties(object: JsonObject): number {
  return Object.keys(object).length
}

const hasProperty = (name: string): SchemaTest =>
  createProperty(name).bind((value) => value !== undefined)

function parseProperties(
  operand: Json,
  { keyword, path, target, parser }: SchemaPlace,
): ParsedSchema {
  const properties = Object.entries(parseObject(operand, path)).map(([name, schema]) => {
    const exists = hasProperty(name)
    const { test, listParts } = parser.parse(schema, path.child(name), createProperty(name))
    const ifPresent =
      (inner: SchemaTest): SchemaTest =>
      (object) =>
        !exists(object) || inner(object)
    const lift = (inner: SchemaTest): SchemaTest => restrict(target, 'object', ifPresent(inner))
    return {
      test: ifPresent(test),
      // A name with dots is a path, which may have several values, so it is one part.
      listParts: () =>
        name === '' || name.includes('.')
          ? [parser.createTest(keyword, { [name]: schema }, lift(test))]
          : listParts().map((part) => liftPart(part, name, lift)),
    }
  })
  return {
    test: restrict(target, 'object', every(properties.map(({ test }) => test))),
    listParts: () => properties.flatMap(({ listParts }) => listParts()),
  }
}

/** Converts a condition of a property to a condition of the object. */
function liftPart(
  part: Condition,
  name: string,
  lift: (test: SchemaTest) => SchemaTest,
): Condition {
  if (part.kind === 'combination')
    return { ...part, conditions: part.conditions.map((each) => liftPart(each, name, lift)) }
  const path = part.path === undefined ? name : `${name}.${part.path}`
  return { ...(part as ItemTest), path, matches: lift((part as ItemTest).matches) }
}

/** Parses `patternProperties` and `additionalProperties`. */
function parseOtherProperties({
  schema,
  schemaPath,
  target,
  parser,
}: SchemaPlace): ReturnType<Keyword> {
  const { patternProperties = {}, additionalProperties = true, properties } = schema
  const patternPath = schemaPath.child('patternProperties')
  const patterns = Object.entries(parseObject(patternProperties, patternPath)).map(
    ([pattern, nested]) => ({
      matchesName: parser.parsePattern(pattern, patternPath.child(pattern)),
      test: parser.parse(nested, patternPath.child(pattern), VALUE).test,
    }),
  )
  const additionalPath = schemaPath.child('additionalProperties')
  const testAdditional = parseSchemaOrBoolean(additionalProperties, additionalPath, parser)
  const named = new Set(isJsonObject(properties) ? Object.keys(properties) : [])
  const passes = (name: string, value: Json): boolean => {
    const matching = patterns.filter(({ matchesName }) => matchesName(name))
    if (matching.length === 0) return named.has(name) || testAdditional(value)
    return matching.every(({ test }) => test(value))
  }
  return {
    test: restrict(target, 'object', (object: JsonObject) =>
      Object.keys(object).every((name) => passes(name, object[name]!)),
    ),
  }
}

function parseDependencies(operand: Json, { path, target, parser }: SchemaPlace): SchemaTest[] {
  return Object.entries(parseObject(operand, path)).map(([name, dependency]) => {
    const applies = bindHas(name, target)
    const test = parseDependency(dependency, path.child(name), target, parser)
    return (input) => !applies(input) || test(input)
  })
}

function parseDependency(
  dependency: Json,
  path: InputPath,
  target: SchemaTarget,
  parser: SchemaParser,
): SchemaTest {
  if (isJsonObject(dependency)) return parser.parse(dependency, path, target).test
  if (Array.isArray(dependency))
    return every(parseNames(dependency, path).map((name) => bindHas(name, target)))
  throw path.error(`must be a schema or an array of names, not ${quote(dependency)}`)
}

function bindHas(name: string, target: SchemaTarget): SchemaTest {
  const exists = hasProperty(name)
  return target.bind((value) => isJsonObject(value) && exists(value))
}

/** @throws the path's error for a value that is not an array of one or more distinct strings */
function parseNames(operand: Json, path: InputPath): readonly string[] {
  const names = parseEntries(operand, path).map((entry, index) =>
    parseString(entry, path.child(index)),
  )
  const duplicate = names.find((name, index) => names.indexOf(name) < index)
  if (duplicate === undefined) return names
  throw path.error(`must not have the entry ${quote(duplicate)} twice`)
}

/**
 * The same for values that are equal in a schema, whatever the order of fields, and for no others.
 */
function toUnorderedKey(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(toUnorderedKey).join()}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const fields = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${toUnorderedKey(value[name]!)}`)
  return `{${fields.join()}}`
}
