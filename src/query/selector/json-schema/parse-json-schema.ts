import type { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import type { Json, JsonObject } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import type { Condition, ItemTest } from '../../condition.js'
import type { PatternBudget } from '../../pattern-budget.js'
import { matchPattern } from '../../run-pattern.js'
import { ARRAY_KEYWORDS, OBJECT_KEYWORDS } from './container-keywords.js'
import { every, ITEM } from './keyword.js'
import type { Keyword, ParsedSchema, SchemaParser, SchemaPart, SchemaTarget } from './keyword.js'
import { ANY_KEYWORDS, NUMBER_KEYWORDS, STRING_KEYWORDS } from './value-keywords.js'

/** The keywords that MongoDB has. */
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  ...ANY_KEYWORDS,
  ...NUMBER_KEYWORDS,
  ...STRING_KEYWORDS,
  ...ARRAY_KEYWORDS,
  ...OBJECT_KEYWORDS,
}

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

/**
 * Parses and compiles `$jsonSchema`: draft 4 of JSON Schema, without some keywords and with
 * `bsonType` (https://www.mongodb.com/docs/manual/reference/operator/query/jsonSchema/). The time to
 * match is linear in the size of the schema times the size of the item.
 * @throws the path's error for a schema that MongoDB rejects; its limitError for patterns beyond the
 * limits
 */
export function parseJsonSchema(schema: Json, path: InputPath, patterns: PatternBudget): ItemTest {
  const parser = new JsonSchemaParser(patterns)
  const { test, listParts } = parser.parseSchema(schema, path, ITEM)
  const operator = '$jsonSchema'
  const whole = { kind: 'item', cost: parser.cost, isQueryOnly: true } as const
  const toCondition = ({ names, inner, test: matches, ...part }: SchemaPart): Condition =>
    inner === undefined
      ? { ...whole, ...part, matches, path: names.length === 0 ? undefined : names.join('.') }
      : {
          kind: 'combination',
          operator: part.operator,
          combine: inner.combine,
          conditions: inner.parts.map(toCondition),
        }
  return {
    ...whole,
    operator,
    operand: schema,
    matches: test,
    split: () => ({
      kind: 'combination',
      operator,
      combine: 'every',
      conditions: listParts().map(toCondition),
    }),
  }
}

/** The cost of `uniqueItems` and `enum`, which make a text of a value. */
const TEXT_COST = 10

class JsonSchemaParser implements SchemaParser {
  /** The number of keywords so far, and the costs of the regular expressions. */
  cost = 0
  readonly #patterns: PatternBudget

  constructor(patterns: PatternBudget) {
    this.#patterns = patterns
  }

  parseSchema(schema: Json, path: InputPath, target: SchemaTarget): ParsedSchema {
    if (!isJsonObject(schema)) throw path.error(`must be an object, not ${quote(schema)}`)
    const keywords = Object.entries(schema).flatMap(([name, operand]) => {
      this.cost += name === 'uniqueItems' || name === 'enum' ? TEXT_COST : 1
      return this.#parseKeyword(name, operand, schema, path, target)
    })
    return {
      test: every(keywords.map(({ test }) => test)),
      listParts: () => keywords.flatMap(({ listParts }) => listParts()),
    }
  }

  parsePattern(pattern: string, path: InputPath): (text: string) => boolean {
    const { expression, cost } = this.#patterns.compile(pattern, '', path)
    this.cost += cost
    return (text) => matchPattern(() => expression.test(text))
  }

  #parseKeyword(
    name: string,
    operand: Json,
    schema: JsonObject,
    schemaPath: InputPath,
    target: SchemaTarget,
  ): ParsedSchema[] {
    const path = schemaPath.child(name)
    if (UNSUPPORTED_KEYWORDS.has(name)) throw path.error('is not supported')
    if (!Object.hasOwn(KEYWORDS, name)) throw path.error('is not a keyword of $jsonSchema')
    const parse = KEYWORDS[name] as Keyword
    const parsed = parse(operand, { schema, schemaPath, path, target, parser: this })
    if (parsed === undefined) return []
    const { test, listParts = () => [{ names: [], operator: name, operand, test }] } = parsed
    return [{ test, listParts }]
  }
}
