import type { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import type { Json, JsonObject } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import type { Combination } from '../../condition.js'
import { hasType } from '../../values/bson-types.js'
import { compilePath } from '../../values/compile-path.js'

/** A keyword of `$jsonSchema`: parses its operand. Undefined if it tests nothing by itself. */
export type Keyword = (operand: Json, place: SchemaPlace) => ParsedKeyword | undefined

/** Where a keyword stands. */
export interface SchemaPlace {
  readonly schema: JsonObject
  readonly schemaPath: InputPath
  /** The path of the keyword. */
  readonly path: InputPath
  readonly target: SchemaTarget
  readonly parser: SchemaParser
}

/** Parses what is inside the operand of a keyword. */
export interface SchemaParser {
  /** @throws the path's error for a value that is not a valid schema */
  parseSchema(schema: Json, path: InputPath, target: SchemaTarget): ParsedSchema
  /** @throws the path's error or limitError for an invalid or too expensive pattern */
  parsePattern(pattern: string, path: InputPath): (text: string) => boolean
}

/** A parsed keyword. */
export interface ParsedKeyword {
  readonly test: SchemaTest
  /** What an explanation shows of it (default: the keyword and its operand). */
  readonly listParts?: () => readonly SchemaPart[]
}

/** A parsed schema. */
export interface ParsedSchema {
  readonly test: SchemaTest
  readonly listParts: () => readonly SchemaPart[]
}

/** A part of a schema that an explanation shows: a test, or a combination of parts. */
export interface SchemaPart {
  /** The property that it is about, from the value that the schema describes. */
  readonly names: readonly string[]
  readonly operator: string
  readonly operand?: Json
  readonly test: SchemaTest
  readonly inner?: {
    readonly combine: Combination['combine']
    readonly parts: readonly SchemaPart[]
  }
}

/** A compiled schema, or one of its keywords. The input depends on the target of the schema. */
export type SchemaTest = (input: Json) => boolean

/** What a schema describes. */
export interface SchemaTarget {
  /** Whether it is the whole item, which is always an object. */
  readonly isItem: boolean
  /** Compiles a test of the values that the schema describes: does one of them pass? */
  readonly bind: (test: (value: Json | undefined) => boolean) => SchemaTest
}

/** The item itself. The input of its schema is the item. */
export const ITEM: SchemaTarget = { isItem: true, bind: (test) => test }

/** An element of an array, or a property that a pattern found. The input is the value. */
export const VALUE: SchemaTarget = { isItem: false, bind: (test) => test }

/**
 * Creates the target of a schema in `properties`. The input is the object. As in MongoDB, a name
 * with dots is a path.
 */
export const createProperty = (name: string): SchemaTarget => ({
  isItem: false,
  bind: (test) => compilePath(name, 'array', test),
})

/** Passes for any input. */
export const PASS: SchemaTest = () => true

/**
 * Compiles a keyword that restricts values of one BSON type only: any other value passes, and so
 * does a missing one.
 */
export function restrict(
  target: SchemaTarget,
  type: 'number' | 'string' | 'array' | 'object',
  test: (value: never) => boolean,
): SchemaTest {
  const testValue = test as (value: Json) => boolean
  if (target.isItem) return type === 'object' ? testValue : PASS
  const types = [type]
  const applies = target.bind((value) => hasType(value, types))
  const passes = target.bind((value) => hasType(value, types) && testValue(value as Json))
  return (input) => passes(input) || !applies(input)
}

/** Defines a keyword that restricts values of one BSON type. */
export const defineRestriction =
  <Operand, Value extends Json>(
    type: Parameters<typeof restrict>[1],
    parse: (operand: Json, path: InputPath) => Operand,
    isMatch: (value: Value, operand: Operand, schema: JsonObject) => boolean,
  ): Keyword =>
  (operand, { schema, path, target }) => {
    const parsed = parse(operand, path)
    return { test: restrict(target, type, (value: Value) => isMatch(value, parsed, schema)) }
  }

/** Compiles tests into one that passes if all of them do. */
export function every(tests: readonly SchemaTest[]): SchemaTest {
  const [only] = tests
  if (only !== undefined && tests.length === 1) return only
  return (input) => tests.every((test) => test(input))
}

/** @throws the path's error for a value that is not a number */
export function parseNumber(operand: Json, path: InputPath): number {
  if (typeof operand === 'number') return operand
  throw path.error(`must be a number, not ${quote(operand)}`)
}

/** @throws the path's error for a value that is not an integer from 0 */
export function parseCount(operand: Json, path: InputPath): number {
  if (Number.isInteger(operand) && (operand as number) >= 0) return operand as number
  throw path.error(`must be an integer from 0, not ${quote(operand)}`)
}

/** @throws the path's error for a value that is not a boolean */
export function parseBoolean(operand: Json, path: InputPath): boolean {
  if (typeof operand === 'boolean') return operand
  throw path.error(`must be true or false, not ${quote(operand)}`)
}

/** @throws the path's error for a value that is not a string */
export function parseString(operand: Json, path: InputPath): string {
  if (typeof operand === 'string') return operand
  throw path.error(`must be a string, not ${quote(operand)}`)
}

/** @throws the path's error for a value that is not an object */
export function parseObject(operand: Json, path: InputPath): JsonObject {
  if (isJsonObject(operand)) return operand
  throw path.error(`must be an object, not ${quote(operand)}`)
}

/** @throws the path's error for a value that is not an array with at least one entry */
export function parseEntries(operand: Json, path: InputPath): readonly Json[] {
  if (Array.isArray(operand) && operand.length > 0) return operand
  throw path.error(`must be an array of one or more entries, not ${quote(operand)}`)
}

/** @throws the path's error for a value that is not an array of different strings, at least one */
export function parseNames(operand: Json, path: InputPath): readonly string[] {
  const names = parseEntries(operand, path).map((entry, index) =>
    parseString(entry, path.child(index)),
  )
  const duplicate = names.find((name, index) => names.indexOf(name) < index)
  if (duplicate === undefined) return names
  throw path.error(`must not have the entry ${quote(duplicate)} twice`)
}

/**
 * Returns a text that is the same for two values if and only if they are equal in a schema, where
 * the order of an object's fields does not count.
 */
export function toUnorderedKey(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(toUnorderedKey).join()}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const fields = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${toUnorderedKey(value[name] as Json)}`)
  return `{${fields.join()}}`
}
