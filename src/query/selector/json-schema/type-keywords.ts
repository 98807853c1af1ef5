import type { InputPath } from '../../../json/input-path.js'
import type { Json } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import { hasType, isBsonType } from '../../values/bson-types.js'
import { parseEntries, parseNames, parseString, withKeyword } from './keyword-operands.js'
import type { KeywordsParser } from './schema-parser.js'

/** The types of `type`, and their BSON types. MongoDB has no `integer`. */
const JSON_TYPES: ReadonlyMap<string, string> = new Map([
  ['array', 'array'],
  ['boolean', 'bool'],
  ['null', 'null'],
  ['number', 'number'],
  ['object', 'object'],
  ['string', 'string'],
])

/** Compiles `type` or `bsonType`. */
export const parseTypeKeywords: KeywordsParser = (schema, path, target) => {
  if ('type' in schema && 'bsonType' in schema)
    throw path.error('must not have both type and bsonType')

  const types = [
    ...withKeyword(schema, 'type', path, (operand, operandPath) =>
      parseTypeNames(operand, operandPath).map((name) => parseJsonType(name, operandPath)),
    ),
    ...withKeyword(schema, 'bsonType', path, (operand, operandPath) =>
      parseTypeNames(operand, operandPath).map((name) => parseBsonType(name, operandPath)),
    ),
  ]
  return types.map((names) => target.bind((value) => hasType(value, names)))
}

const parseTypeNames = (operand: Json, path: InputPath): readonly string[] =>
  Array.isArray(operand)
    ? parseNames(parseEntries(operand, path), path)
    : [parseString(operand, path)]

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
