import type { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import type { Json } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import { parseBoolean, parseCount, withKeyword } from './keyword-operands.js'
import type { KeywordsParser, SchemaParser } from './schema-parser.js'
import { restrict, VALUE } from './schema-target.js'
import type { SchemaTest } from './schema-target.js'
import { toUnorderedKey } from './unordered-key.js'

/** Compiles the keywords of arrays. */
export const parseArrayKeywords: KeywordsParser = (schema, path, target, parser) => {
  const restrictArray = (test: (array: readonly Json[]) => boolean) =>
    restrict(target, 'array', test)
  const [items] = withKeyword(schema, 'items', path, (operand, operandPath) =>
    parseItems(operand, operandPath, parser),
  )
  const [additional] = withKeyword(schema, 'additionalItems', path, (operand, operandPath) =>
    parseSchemaOrBoolean(operand, operandPath, parser),
  )
  const tests: SchemaTest[] = [
    ...withKeyword(schema, 'minItems', path, (operand, operandPath) => {
      const minimum = parseCount(operand, operandPath)
      return restrictArray((array) => array.length >= minimum)
    }),
    ...withKeyword(schema, 'maxItems', path, (operand, operandPath) => {
      const maximum = parseCount(operand, operandPath)
      return restrictArray((array) => array.length <= maximum)
    }),
    ...withKeyword(schema, 'uniqueItems', path, parseBoolean)
      .filter(Boolean)
      .map(() => restrictArray(hasUniqueItems)),
  ]
  if (typeof items === 'function') tests.push(restrictArray((array) => array.every(items)))
  if (typeof items !== 'object') return tests
  tests.push(restrictArray((array) => items.every((test, at) => passesAt(array, at, test))))
  if (additional !== undefined)
    tests.push(restrictArray((array) => array.slice(items.length).every(additional)))
  return tests
}

const passesAt = (array: readonly Json[], position: number, test: SchemaTest): boolean =>
  position >= array.length || test(array[position] as Json)

/** Parses `items` into one schema for all elements, or one for each of the first elements. */
function parseItems(
  operand: Json,
  path: InputPath,
  parser: SchemaParser,
): SchemaTest | readonly SchemaTest[] {
  if (isJsonObject(operand)) return parser.parseSchema(operand, path, VALUE)
  if (!Array.isArray(operand))
    throw path.error(`must be a schema or an array of schemas, not ${quote(operand)}`)
  return (operand as readonly Json[]).map((schema, index) =>
    parser.parseSchema(schema, path.child(index), VALUE),
  )
}

/** Parses `additionalItems` or `additionalProperties`. */
export function parseSchemaOrBoolean(
  operand: Json,
  path: InputPath,
  parser: SchemaParser,
): SchemaTest {
  if (typeof operand === 'boolean') return () => operand
  if (isJsonObject(operand)) return parser.parseSchema(operand, path, VALUE)
  throw path.error(`must be a schema, true or false, not ${quote(operand)}`)
}

function hasUniqueItems(array: readonly Json[]): boolean {
  const keys = new Set<string>()
  return array.every((element) => {
    const { size } = keys
    return keys.add(toUnorderedKey(element)).size > size
  })
}
