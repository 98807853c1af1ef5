import type { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import type { Json, JsonObject } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'

/** Calls a function with the operand of a keyword, if the schema has it. */
export function withKeyword<Result>(
  schema: JsonObject,
  keyword: string,
  path: InputPath,
  parse: (operand: Json, path: InputPath) => Result,
): Result[] {
  const operand = schema[keyword]
  return operand === undefined ? [] : [parse(operand, path.child(keyword))]
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
