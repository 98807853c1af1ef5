import type { InputPath } from '../../json/input-path.js'
import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { needsTimeout } from '../selector/ast.js'
import { parseJsonSchema } from '../selector/json-schema/parse-json-schema.js'
import type { CompiledSchema } from '../selector/json-schema/parse-json-schema.js'
import type { Clause, LeafClause } from './clause.js'
import { describeFound } from './find-values.js'

/** Parses a `$jsonSchema` into a clause of its keywords, down to those of properties. */
export const parseSchemaClauses = (schema: JsonObject, path: InputPath): Clause => ({
  operator: '$jsonSchema',
  combine: 'every',
  clauses: parseKeywords(schema, [], path),
})

/** The keywords without a test, and those that belong to another one. */
const IGNORED: ReadonlySet<string> = new Set([
  'title',
  'description',
  'exclusiveMinimum',
  'exclusiveMaximum',
])

/**
 * Parses the keywords of a schema that describes the property with these names.
 * @param names the names from the item to the property
 */
function parseKeywords(
  schema: JsonObject,
  names: readonly string[],
  path: InputPath,
): readonly Clause[] {
  const parseBranches = (branches: Json): Clause[] =>
    (branches as readonly JsonObject[]).map((branch, index) => ({
      operator: `[${index}]`,
      combine: 'every',
      clauses: parseKeywords(branch, names, path),
    }))
  return Object.entries(schema).flatMap(([keyword, operand]): readonly Clause[] => {
    const leaf = (operator: string, part: JsonObject, shown = operand): LeafClause =>
      createLeaf(operator, part, shown, names, path)
    switch (keyword) {
      case 'required':
        return (operand as readonly string[]).map((name) =>
          leaf(keyword, { [keyword]: [name] }, name),
        )
      case 'properties':
        return parseProperties(operand as JsonObject, names, path)
      case 'allOf':
        return [{ operator: keyword, combine: 'every', clauses: parseBranches(operand) }]
      case 'anyOf':
        return [{ operator: keyword, combine: 'some', clauses: parseBranches(operand) }]
      case 'minimum':
      case 'maximum': {
        const exclusive = keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'
        return schema[exclusive] === true
          ? [leaf(exclusive, { [keyword]: operand, [exclusive]: true })]
          : [leaf(keyword, { [keyword]: operand })]
      }
      case 'items':
      case 'patternProperties':
        return [leaf(keyword, pick(schema, RELATED[keyword]))]
      case 'additionalItems':
        return 'items' in schema ? [] : [leaf(keyword, { [keyword]: operand })]
      case 'additionalProperties':
        return 'patternProperties' in schema ? [] : [leaf(keyword, pick(schema, RELATED[keyword]))]
      default:
        return IGNORED.has(keyword) ? [] : [leaf(keyword, { [keyword]: operand })]
    }
  })
}

/** The keywords that one keyword is tested with. */
const RELATED = {
  items: ['items', 'additionalItems'],
  patternProperties: ['patternProperties', 'additionalProperties', 'properties'],
  additionalProperties: ['additionalProperties', 'properties'],
} as const

/** Returns some keywords of a schema. Of `properties`, only the names. */
const pick = (schema: JsonObject, keywords: readonly string[]): JsonObject =>
  Object.fromEntries(
    keywords.flatMap((keyword) => {
      const operand = schema[keyword]
      if (operand === undefined) return []
      if (keyword !== 'properties') return [[keyword, operand]]
      return [
        [keyword, Object.fromEntries(Object.keys(operand as JsonObject).map((name) => [name, {}]))],
      ]
    }),
  )

const parseProperties = (
  properties: JsonObject,
  names: readonly string[],
  path: InputPath,
): readonly Clause[] =>
  Object.entries(properties).flatMap(([name, schema]) =>
    // A name with dots is a path, which may lead to several values: it is tested as a whole.
    name === '' || name.includes('.')
      ? [
          createLeaf(
            'properties',
            { properties: { [name]: schema } },
            { [name]: schema },
            names,
            path,
          ),
        ]
      : parseKeywords(schema as JsonObject, [...names, name], path),
  )

/** Creates a clause of some keywords of a property, which is tested as a schema of the item. */
function createLeaf(
  operator: string,
  keywords: JsonObject,
  operand: Json,
  names: readonly string[],
  path: InputPath,
): LeafClause {
  const schema = names.reduceRight<JsonObject>(
    (inner, name) => ({ properties: { [name]: inner } }),
    keywords,
  )
  let compiled: CompiledSchema | undefined
  const compile = (): CompiledSchema => (compiled ??= parseJsonSchema(schema, path))
  const isRequired = operator === 'required'
  const shownNames = isRequired ? [...names, operand as string] : names
  return {
    path: shownNames.length === 0 ? undefined : shownNames.join('.'),
    operator,
    operand: isRequired ? undefined : operand,
    find:
      shownNames.length === 0
        ? undefined
        : (item) => describeFound([getProperty(item, shownNames)]),
    get isCostly() {
      return needsTimeout([{ path: '', operator: '$jsonSchema', operand: undefined, ...compile() }])
    },
    test: (item) => compile().matches(item),
  }
}

const getProperty = (item: Json, names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>(
    (value, name) =>
      isJsonObject(value) && Object.hasOwn(value, name) ? (value[name] as Json) : undefined,
    item,
  )
