import type { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import type { Json } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import { parseEntries, withKeyword } from './keyword-operands.js'
import type { KeywordsParser } from './schema-parser.js'
import { every } from './schema-target.js'
import type { SchemaTarget, SchemaTest } from './schema-target.js'
import { toUnorderedKey } from './unordered-key.js'

/** Compiles `allOf`, `anyOf`, `oneOf`, `not` and `enum`. */
export const parseLogicalKeywords: KeywordsParser = (schema, path, target, parser) => {
  const parseBranches = (operand: Json, operandPath: InputPath): readonly SchemaTest[] =>
    parseEntries(operand, operandPath).map((branch, index) =>
      parser.parseSchema(branch, operandPath.child(index), target),
    )
  return [
    ...withKeyword(schema, 'allOf', path, parseBranches).map(every),
    ...withKeyword(schema, 'anyOf', path, parseBranches).map(
      (tests): SchemaTest =>
        (input) =>
          tests.some((test) => test(input)),
    ),
    ...withKeyword(schema, 'oneOf', path, parseBranches).map(
      (tests): SchemaTest =>
        (input) =>
          countPassing(tests, input) === 1,
    ),
    ...withKeyword(schema, 'not', path, (operand, operandPath): SchemaTest => {
      const test = parser.parseSchema(operand, operandPath, target)
      return (input) => !test(input)
    }),
    ...withKeyword(schema, 'enum', path, (operand, operandPath) =>
      compileEnum(parseEntries(operand, operandPath), operandPath, target),
    ),
  ]
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
