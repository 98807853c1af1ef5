import type { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import type { Json, JsonObject } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import {
  createProperty,
  defineRestriction,
  every,
  parseBoolean,
  parseCount,
  parseNames,
  parseObject,
  PASS,
  restrict,
  toUnorderedKey,
  VALUE,
} from './keyword.js'
import type {
  Keyword,
  ParsedKeyword,
  ParsedSchema,
  SchemaParser,
  SchemaPart,
  SchemaPlace,
  SchemaTarget,
  SchemaTest,
} from './keyword.js'

/** The keywords of arrays. */
export const ARRAY_KEYWORDS: Readonly<Record<string, Keyword>> = {
  items: (operand, place) => ({
    test: restrict(place.target, 'array', parseItems(operand, place)),
  }),
  // Beside `items`, that tests both.
  additionalItems: (operand, { schema, path, parser }) => {
    if ('items' in schema) return undefined
    parseSchemaOrBoolean(operand, path, parser)
    return { test: PASS }
  },
  minItems: defineRestriction(
    'array',
    parseCount,
    (array: readonly Json[], minimum) => array.length >= minimum,
  ),
  maxItems: defineRestriction(
    'array',
    parseCount,
    (array: readonly Json[], maximum) => array.length <= maximum,
  ),
  uniqueItems: defineRestriction(
    'array',
    parseBoolean,
    (array: readonly Json[], isUnique) => !isUnique || hasUniqueItems(array),
  ),
}

/** The keywords of objects. */
export const OBJECT_KEYWORDS: Readonly<Record<string, Keyword>> = {
  required: (operand, { path, target }) => {
    const parts = parseNames(operand, path).map((name) => ({
      names: [name],
      operator: 'required',
      test: restrict(target, 'object', hasProperty(name)),
    }))
    return { test: every(parts.map(({ test }) => test)), listParts: () => parts }
  },
  properties: parseProperties,
  patternProperties: (_operand, place) => parseOtherProperties(place),
  // Beside `patternProperties`, that tests both.
  additionalProperties: (_operand, place) =>
    'patternProperties' in place.schema ? undefined : parseOtherProperties(place),
  minProperties: defineRestriction(
    'object',
    parseCount,
    (object: JsonObject, minimum) => Object.keys(object).length >= minimum,
  ),
  maxProperties: defineRestriction(
    'object',
    parseCount,
    (object: JsonObject, maximum) => Object.keys(object).length <= maximum,
  ),
  dependencies: (operand, place) => ({ test: every(parseDependencies(operand, place)) }),
}

/** Parses `items`, one schema for all elements, or one for each of the first elements. */
function parseItems(
  operand: Json,
  { schema, schemaPath, path, parser }: SchemaPlace,
): (array: readonly Json[]) => boolean {
  const { additionalItems } = schema
  const additional =
    additionalItems === undefined
      ? PASS
      : parseSchemaOrBoolean(additionalItems, schemaPath.child('additionalItems'), parser)
  if (isJsonObject(operand)) {
    const { test } = parser.parseSchema(operand, path, VALUE)
    return (array) => array.every(test)
  }
  if (!Array.isArray(operand))
    throw path.error(`must be a schema or an array of schemas, not ${quote(operand)}`)
  const tests = (operand as readonly Json[]).map(
    (each, index) => parser.parseSchema(each, path.child(index), VALUE).test,
  )
  return (array) => array.every((element, index) => (tests[index] ?? additional)(element))
}

/** Parses `additionalItems` or `additionalProperties`. */
function parseSchemaOrBoolean(operand: Json, path: InputPath, parser: SchemaParser): SchemaTest {
  if (typeof operand === 'boolean') return () => operand
  if (isJsonObject(operand)) return parser.parseSchema(operand, path, VALUE).test
  throw path.error(`must be a schema, true or false, not ${quote(operand)}`)
}

function hasUniqueItems(array: readonly Json[]): boolean {
  const keys = new Set<string>()
  return array.every((element) => {
    const { size } = keys
    return keys.add(toUnorderedKey(element)).size > size
  })
}

const hasProperty = (name: string): SchemaTest =>
  createProperty(name).bind((value) => value !== undefined)

/** A property of `properties`, if it is there. */
interface Property {
  readonly name: string
  readonly operand: Json
  readonly schema: ParsedSchema
  /** Makes of a test of the property, whose input is the object, one that passes without it. */
  readonly ifPresent: (test: SchemaTest) => SchemaTest
}

function parseProperties(operand: Json, { path, target, parser }: SchemaPlace): ParsedKeyword {
  const properties = Object.entries(parseObject(operand, path)).map(([name, schema]): Property => {
    const exists = hasProperty(name)
    return {
      name,
      operand: schema,
      schema: parser.parseSchema(schema, path.child(name), createProperty(name)),
      ifPresent: (test) => (object) => !exists(object) || test(object),
    }
  })
  const tests = properties.map(({ schema, ifPresent }) => ifPresent(schema.test))
  return {
    test: restrict(target, 'object', every(tests)),
    listParts: () => properties.flatMap((property) => listParts(property, target)),
  }
}

/** A name with dots is a path, which may lead to several values: it is one part. */
function listParts(
  { name, operand, schema, ifPresent }: Property,
  target: SchemaTarget,
): readonly SchemaPart[] {
  const lift = (test: SchemaTest): SchemaTest => restrict(target, 'object', ifPresent(test))
  if (name !== '' && !name.includes('.'))
    return schema.listParts().map((part) => liftPart(part, name, lift))
  return [
    { names: [], operator: 'properties', operand: { [name]: operand }, test: lift(schema.test) },
  ]
}

const liftPart = (
  { names, inner, ...part }: SchemaPart,
  name: string,
  lift: (test: SchemaTest) => SchemaTest,
): SchemaPart => ({
  ...part,
  names: [name, ...names],
  test: lift(part.test),
  ...(inner !== undefined && {
    inner: { ...inner, parts: inner.parts.map((each) => liftPart(each, name, lift)) },
  }),
})

/** Parses `patternProperties` and `additionalProperties`. */
function parseOtherProperties({ schema, schemaPath, target, parser }: SchemaPlace): ParsedKeyword {
  const { patternProperties = {}, additionalProperties, properties } = schema
  const patternPath = schemaPath.child('patternProperties')
  const patterns = Object.entries(parseObject(patternProperties, patternPath)).map(
    ([pattern, nested]) => ({
      matchesName: parser.parsePattern(pattern, patternPath.child(pattern)),
      test: parser.parseSchema(nested, patternPath.child(pattern), VALUE).test,
    }),
  )
  const additionalPath = schemaPath.child('additionalProperties')
  const testAdditional =
    additionalProperties === undefined
      ? PASS
      : parseSchemaOrBoolean(additionalProperties, additionalPath, parser)
  const named = new Set(isJsonObject(properties) ? Object.keys(properties) : [])
  const passes = (name: string, value: Json): boolean => {
    const matching = patterns.filter(({ matchesName }) => matchesName(name))
    if (matching.length === 0) return named.has(name) || testAdditional(value)
    return matching.every(({ test }) => test(value))
  }
  return {
    test: restrict(target, 'object', (object: JsonObject) =>
      Object.keys(object).every((name) => passes(name, object[name] as Json)),
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
  if (isJsonObject(dependency)) return parser.parseSchema(dependency, path, target).test
  if (Array.isArray(dependency))
    return every(parseNames(dependency, path).map((name) => bindHas(name, target)))
  throw path.error(`must be a schema or an array of names, not ${quote(dependency)}`)
}

function bindHas(name: string, target: SchemaTarget): SchemaTest {
  const exists = hasProperty(name)
  return target.bind((value) => isJsonObject(value) && exists(value))
}
