import type { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import type { Json, JsonObject } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import { MAX_PATTERN } from '../../limits.js'
import { matchPattern } from '../../run-pattern.js'
import { compileRegex } from '../compile-regex.js'
import { parseArrayKeywords } from './array-keywords.js'
import { parseString, withKeyword } from './keyword-operands.js'
import { parseLogicalKeywords } from './logical-keywords.js'
import { parseObjectKeywords } from './object-keywords.js'
import { parseScalarKeywords } from './scalar-keywords.js'
import type { KeywordsParser, SchemaParser } from './schema-parser.js'
import { every, ITEM } from './schema-target.js'
import type { SchemaTarget, SchemaTest } from './schema-target.js'
import { parseTypeKeywords } from './type-keywords.js'

/** A compiled `$jsonSchema`. */
export interface CompiledSchema {
  /** Whether an item is valid. */
  readonly matches: SchemaTest
  /** The number of its keywords and the costs of its regular expressions (see `Predicate.cost`). */
  readonly cost: number
  /** The estimated size of all its regular expressions together, in nodes. */
  readonly patternSize: number
}

/** The keywords that MongoDB has, by what they restrict. */
const KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'bsonType',
  'title',
  'description',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'items',
  'additionalItems',
  'minItems',
  'maxItems',
  'uniqueItems',
  'properties',
  'patternProperties',
  'additionalProperties',
  'required',
  'dependencies',
  'minProperties',
  'maxProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'enum',
])

/** The keywords that MongoDB refuses, and those of encryption, which has no meaning here. */
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

const KEYWORDS_PARSERS: readonly KeywordsParser[] = [
  parseTypeKeywords,
  parseScalarKeywords,
  parseArrayKeywords,
  parseObjectKeywords,
  parseLogicalKeywords,
]

/** The number of characters of all patterns of a schema together. */
const MAX_TOTAL_LENGTH = 4 * MAX_PATTERN

/**
 * Parses and compiles `$jsonSchema`: draft 4 of JSON Schema, without some keywords and with
 * `bsonType` (https://www.mongodb.com/docs/manual/reference/operator/query/jsonSchema/). The time to
 * match is linear in the size of the schema times the size of the item.
 * @throws the path's error for a schema that MongoDB rejects; its limitError for patterns beyond the
 * limits
 */
export function parseJsonSchema(schema: Json, path: InputPath): CompiledSchema {
  let cost = 0
  let patternSize = 0
  let length = 0
  const parser: SchemaParser = {
    parseSchema: (nested, nestedPath, target) => {
      const test = parseSchema(nested, nestedPath, target, parser)
      cost += sumCosts(nested as JsonObject)
      return test
    },
    parsePattern: (pattern, patternPath) => {
      length += pattern.length
      if (length > MAX_TOTAL_LENGTH)
        throw path.limitError(`must have at most ${MAX_TOTAL_LENGTH} characters of patterns`)
      const compiled = compileRegex({ $regex: pattern }, patternPath)
      cost += compiled.cost
      patternSize += compiled.size
      return (text) => matchPattern(() => compiled.expression.test(text))
    },
  }
  const matches = parser.parseSchema(schema, path, ITEM)
  return { matches, cost, patternSize }
}

/** The cost of `uniqueItems` and `enum`, which make a text of a value. */
const TEXT_COST = 10

const sumCosts = (schema: JsonObject): number =>
  Object.keys(schema).reduce(
    (sum, keyword) => sum + (keyword === 'uniqueItems' || keyword === 'enum' ? TEXT_COST : 1),
    0,
  )

function parseSchema(
  schema: Json,
  path: InputPath,
  target: SchemaTarget,
  parser: SchemaParser,
): SchemaTest {
  if (!isJsonObject(schema)) throw path.error(`must be an object, not ${quote(schema)}`)
  checkKeywords(schema, path)
  return every(KEYWORDS_PARSERS.flatMap((parse) => parse(schema, path, target, parser)))
}

function checkKeywords(schema: JsonObject, path: InputPath): void {
  for (const keyword of Object.keys(schema)) {
    if (UNSUPPORTED_KEYWORDS.has(keyword)) throw path.child(keyword).error('is not supported')
    if (!KEYWORDS.has(keyword)) throw path.child(keyword).error('is not a keyword of $jsonSchema')
  }
  withKeyword(schema, 'title', path, parseString)
  withKeyword(schema, 'description', path, parseString)
}
