import type { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import type { Json, JsonObject } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import { parseSchemaOrBoolean } from './array-keywords.js'
import { parseCount, parseNames, parseObject, withKeyword } from './keyword-operands.js'
import type { KeywordsParser, SchemaParser } from './schema-parser.js'
import { createProperty, every, PASS, restrict, VALUE } from './schema-target.js'
import type { SchemaTarget, SchemaTest } from './schema-target.js'

/** Compiles the keywords of objects. */
export const parseObjectKeywords: KeywordsParser = (schema, path, target, parser) => {
  const restrictObject = (test: (object: JsonObject) => boolean) => restrict(target, 'object', test)
  return [
    ...withKeyword(schema, 'required', path, (operand, operandPath) =>
      restrictObject(every(parseNames(operand, operandPath).map(hasProperty))),
    ),
    ...withKeyword(schema, 'properties', path, (operand, operandPath) =>
      restrictObject(every(parseProperties(operand, operandPath, parser))),
    ),
    ...parseOtherProperties(schema, path, parser).map(restrictObject),
    ...withKeyword(schema, 'minProperties', path, (operand, operandPath) => {
      const minimum = parseCount(operand, operandPath)
      return restrictObject((object) => Object.keys(object).length >= minimum)
    }),
    ...withKeyword(schema, 'maxProperties', path, (operand, operandPath) => {
      const maximum = parseCount(operand, operandPath)
      return restrictObject((object) => Object.keys(object).length <= maximum)
    }),
    ...withKeyword(schema, 'dependencies', path, (operand, operandPath) =>
      every(parseDependencies(operand, operandPath, target, parser)),
    ),
  ]
}

const hasProperty = (name: string): SchemaTest =>
  createProperty(name).bind((value) => value !== undefined)

const parseProperties = (operand: Json, path: InputPath, parser: SchemaParser): SchemaTest[] =>
  Object.entries(parseObject(operand, path)).map(([name, schema]) => {
    const exists = hasProperty(name)
    const test = parser.parseSchema(schema, path.child(name), createProperty(name))
    return (object) => !exists(object) || test(object)
  })

/** Compiles `patternProperties` and `additionalProperties`. */
function parseOtherProperties(
  schema: JsonObject,
  path: InputPath,
  parser: SchemaParser,
): ((object: JsonObject) => boolean)[] {
  const patterns = withKeyword(schema, 'patternProperties', path, (operand, operandPath) =>
    Object.entries(parseObject(operand, operandPath)).map(([pattern, nested]) => ({
      matchesName: parser.parsePattern(pattern, operandPath.child(pattern)),
      test: parser.parseSchema(nested, operandPath.child(pattern), VALUE),
    })),
  ).flat()
  const additional = withKeyword(schema, 'additionalProperties', path, (operand, operandPath) =>
    parseSchemaOrBoolean(operand, operandPath, parser),
  )
  if (patterns.length + additional.length === 0) return []
  const [testAdditional = PASS] = additional
  const { properties = {} } = schema
  const named = new Set(Object.keys(properties as JsonObject))
  const passes = (name: string, value: Json): boolean => {
    const matching = patterns.filter(({ matchesName }) => matchesName(name))
    if (matching.length === 0) return named.has(name) || testAdditional(value)
    return matching.every(({ test }) => test(value))
  }
  return [(object) => Object.keys(object).every((name) => passes(name, object[name] as Json))]
}

const parseDependencies = (
  operand: Json,
  path: InputPath,
  target: SchemaTarget,
  parser: SchemaParser,
): SchemaTest[] =>
  Object.entries(parseObject(operand, path)).map(([name, dependency]) => {
    const applies = bindHas(name, target)
    const test = parseDependency(dependency, path.child(name), target, parser)
    return (input) => !applies(input) || test(input)
  })

function parseDependency(
  dependency: Json,
  path: InputPath,
  target: SchemaTarget,
  parser: SchemaParser,
): SchemaTest {
  if (isJsonObject(dependency)) return parser.parseSchema(dependency, path, target)
  if (Array.isArray(dependency))
    return every(parseNames(dependency, path).map((name) => bindHas(name, target)))
  throw path.error(`must be a schema or an array of names, not ${quote(dependency)}`)
}

function bindHas(name: string, target: SchemaTarget): SchemaTest {
  const exists = hasProperty(name)
  return target.bind((value) => isJsonObject(value) && exists(value))
}
