import type { Json, JsonObject } from '@materials-mock/json'
import { compareKeys, toKey } from './reference.js'

/**
 * Whether a value is valid against a `$jsonSchema`. Written from MongoDB's manual and the text of
 * draft 4, and independent of `packages/query/src`: it interprets the schema again for each value, and
 * compares each pair of elements for `uniqueItems`. Its patterns mean the same to JavaScript, and
 * numbers have at most two decimals.
 */
export function isValid(value: Json, schema: JsonObject): boolean {
  return Object.entries(schema).every(([keyword, operand]) => {
    const keywordTest = KEYWORDS[keyword]
    if (keywordTest === undefined) throw new Error(`the reference does not implement ${keyword}`)
    return keywordTest(value, operand as never, schema)
  })
}

type KeywordTest = (value: Json, operand: never, schema: JsonObject) => boolean

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)
const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !isArray(value)

const onNumber =
  (test: (value: number, operand: number, schema: JsonObject) => boolean): KeywordTest =>
  (value, operand, schema) =>
    typeof value !== 'number' || test(value, operand, schema)
const onString =
  (test: (value: string, operand: number) => boolean): KeywordTest =>
  (value, operand) =>
    typeof value !== 'string' || test(value, operand)
const onArray =
  <Operand>(
    test: (value: readonly Json[], operand: Operand, schema: JsonObject) => boolean,
  ): KeywordTest =>
  (value, operand, schema) =>
    !isArray(value) || test(value, operand, schema)
const onObject =
  <Operand>(
    test: (value: JsonObject, operand: Operand, schema: JsonObject) => boolean,
  ): KeywordTest =>
  (value, operand, schema) =>
    !isObject(value) || test(value, operand, schema)

const has = (object: JsonObject, name: string): boolean => Object.keys(object).includes(name)

const KEYWORDS: Readonly<Record<string, KeywordTest>> = {
  type: (value, types: string | string[]) => [types].flat().some((type) => hasType(value, type)),
  bsonType: (value, types: string | string[]) =>
    [types].flat().some((type) => hasType(value, type === 'bool' ? 'boolean' : type)),
  title: () => true,
  description: () => true,
  minimum: onNumber((value, limit, { exclusiveMinimum }) =>
    exclusiveMinimum === true ? value > limit : value >= limit,
  ),
  exclusiveMinimum: () => true,
  maximum: onNumber((value, limit, { exclusiveMaximum }) =>
    exclusiveMaximum === true ? value < limit : value <= limit,
  ),
  exclusiveMaximum: () => true,
  multipleOf: onNumber(
    (value, divisor) => Math.round(value * 100) % Math.round(divisor * 100) === 0,
  ),
  minLength: onString((value, limit) => [...value].length >= limit),
  maxLength: onString((value, limit) => [...value].length <= limit),
  pattern: (value, pattern: string) => typeof value !== 'string' || isFound(value, pattern),
  minItems: onArray<number>((value, limit) => value.length >= limit),
  maxItems: onArray<number>((value, limit) => value.length <= limit),
  uniqueItems: onArray<boolean>(
    (value, isOn) =>
      !isOn || value.every((a, i) => value.every((b, j) => i === j || !areEqual(a, b))),
  ),
  items: onArray<JsonObject | readonly JsonObject[]>((value, items) =>
    value.every((element, index) => {
      const schema = isArray(items as Json)
        ? (items as readonly JsonObject[])[index]
        : (items as JsonObject)
      return schema === undefined || isValid(element, schema)
    }),
  ),
  additionalItems: onArray<JsonObject | boolean>((value, additional, { items }) => {
    if (items === undefined || !isArray(items)) return true
    return value.slice(items.length).every((element) => isAllowed(element, additional))
  }),
  required: onObject<readonly string[]>((value, names) => names.every((name) => has(value, name))),
  properties: onObject<Readonly<Record<string, JsonObject>>>((value, properties) =>
    Object.entries(properties).every(
      ([name, schema]) => !has(value, name) || isValid(value[name] as Json, schema),
    ),
  ),
  patternProperties: onObject<Readonly<Record<string, JsonObject>>>((value, patterns) =>
    Object.entries(patterns).every(([pattern, schema]) =>
      Object.keys(value).every(
        (name) => !isFound(name, pattern) || isValid(value[name] as Json, schema),
      ),
    ),
  ),
  additionalProperties: onObject<JsonObject | boolean>(
    (value, additional, { properties = {}, patternProperties = {} }) =>
      Object.keys(value).every((name) => {
        const patterns = Object.keys(patternProperties as JsonObject)
        const isKnown = has(properties as JsonObject, name)
        const isNamed = isKnown || patterns.some((pattern) => isFound(name, pattern))
        return isNamed || isAllowed(value[name] as Json, additional)
      }),
  ),
  minProperties: onObject<number>((value, limit) => Object.keys(value).length >= limit),
  maxProperties: onObject<number>((value, limit) => Object.keys(value).length <= limit),
  dependencies: onObject<Readonly<Record<string, JsonObject | readonly string[]>>>(
    (value, dependencies) =>
      Object.entries(dependencies).every(([name, dependency]) => {
        if (!has(value, name)) return true
        return isArray(dependency as Json)
          ? (dependency as readonly string[]).every((other) => has(value, other))
          : isValid(value, dependency as JsonObject)
      }),
  ),
  allOf: (value, schemas: JsonObject[]) => schemas.every((schema) => isValid(value, schema)),
  anyOf: (value, schemas: JsonObject[]) => schemas.some((schema) => isValid(value, schema)),
  oneOf: (value, schemas: JsonObject[]) =>
    schemas.filter((schema) => isValid(value, schema)).length === 1,
  not: (value, schema: JsonObject) => !isValid(value, schema),
  enum: (value, entries: Json[]) => entries.some((entry) => areEqual(entry, value)),
}

const isFound = (text: string, pattern: string): boolean => new RegExp(pattern, 'u').test(text)

const isAllowed = (value: Json, additional: JsonObject | boolean): boolean =>
  typeof additional === 'boolean' ? additional : isValid(value, additional)

function hasType(value: Json, type: string): boolean {
  switch (type) {
    case 'int':
      return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31
    case 'double':
      return typeof value === 'number' && !Number.isInteger(value)
    case 'null':
      return value === null
    case 'array':
      return isArray(value)
    case 'object':
      return isObject(value)
    default:
      return typeof value === type
  }
}

const areEqual = (a: Json, b: Json): boolean => compareKeys(toKey(sort(a)), toKey(sort(b))) === 0

/** Sorts the fields of all objects in a value by their names. */
function sort(value: Json): Json {
  if (isArray(value)) return value.map(sort)
  if (!isObject(value)) return value
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, sort(value[name] as Json)]))
}
