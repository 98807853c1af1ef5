import { describeClosest, isJsonObject, quote } from '@materials-mock/json'
import type { InputPath, Json, JsonObject } from '@materials-mock/json'
import type { PatternBudget } from '../compile-pattern.js'
import type { Condition, ElementQuery } from '../condition.js'
import type { ExpressionParser } from '../expressions/expression-parser.js'
import { DB_REF_FIELDS } from '../values/path.js'
import { getFirstKey, isOperatorObject, startsWithDollar } from './operator.js'
import type { ConditionParser, Place, QueryOperator } from './operator.js'
import {
  FIELD_KEYS,
  FIELD_OPERATORS,
  TOP_LEVEL_KEYS,
  TOP_LEVEL_OPERATORS,
  UNSUPPORTED_QUERY_OPERATORS,
} from './operators/query-operators.js'

const UNSUPPORTED: ReadonlySet<string> = new Set(Object.values(UNSUPPORTED_QUERY_OPERATORS).flat())

/**
 * All methods throw the path's error for what MongoDB rejects when it parses, or is not supported,
 * and its limitError (https://www.mongodb.com/docs/manual/reference/operator/query/).
 */
export class SelectorParser implements ConditionParser {
  readonly patterns: PatternBudget
  readonly expressions: ExpressionParser | undefined

  /** @param expressions parses `$expr`; without it, `$expr` is refused */
  constructor(patterns: PatternBudget, expressions?: ExpressionParser) {
    this.patterns = patterns
    this.expressions = expressions
  }

  parseQuery(query: JsonObject, path: InputPath): Condition[] {
    return Object.entries(query).flatMap(([key, value]): Condition[] => {
      const place = { operators: query, path: path.child(key), parser: this }
      const isDbRefField = DB_REF_FIELDS.has(key)
      if (isDbRefField || !key.startsWith('$')) {
        if (isOperatorObject(value) && !isDbRefField)
          return this.parseOperators(key, value, place.path)
        return parseOperator(FIELD_OPERATORS.$eq, value, {
          ...place,
          operator: '$eq',
          fieldPath: key,
        })
      }
      const operator = getOwn(TOP_LEVEL_OPERATORS, key)
      if (operator !== undefined)
        return parseOperator(operator, value, { ...place, operator: key, fieldPath: undefined })
      throw place.path.error(
        UNSUPPORTED.has(key)
          ? 'is not supported'
          : `is not a top-level operator${describeClosest(key, TOP_LEVEL_KEYS)}`,
      )
    })
  }

  parseOperators(
    fieldPath: string | undefined,
    operators: JsonObject,
    path: InputPath,
  ): Condition[] {
    return Object.entries(operators).flatMap(([name, operand]): Condition[] => {
      const place = { operator: name, fieldPath, operators, path: path.child(name), parser: this }
      const operator = getOwn(FIELD_OPERATORS, name)
      if (operator !== undefined) return parseOperator(operator, operand, place)
      throw place.path.error(
        UNSUPPORTED.has(name)
          ? 'is not supported'
          : `is not an operator of a field${describeClosest(name, FIELD_KEYS)}`,
      )
    })
  }

  /**
   * Parses the operand of `$elemMatch`. Operators match the elements themselves; any other operand is a query for
   * elements that are objects (https://www.mongodb.com/docs/manual/reference/operator/query/elemMatch/).
   */
  parseElements(operand: Json, path: InputPath): ElementQuery {
    if (!isJsonObject(operand)) throw path.error(`must be an object, not ${quote(operand)}`)
    const parser = new SelectorParser(this.patterns)
    return matchesValues(operand)
      ? { target: 'value', conditions: parser.parseOperators(undefined, operand, path) }
      : { target: 'object', conditions: parser.parseQuery(operand, path) }
  }

  isOperator(value: Json): boolean {
    const name = isJsonObject(value) ? (getFirstKey(value) ?? '') : ''
    return FIELD_KEYS.has(name) && name !== '$not'
  }
}

const matchesValues = (operand: JsonObject): boolean =>
  startsWithDollar(operand) &&
  !TOP_LEVEL_KEYS.has(getFirstKey(operand)!) &&
  !Object.keys(operand).some((key) => DB_REF_FIELDS.has(key))

/** Returns an operator by its name, but no inherited property. */
const getOwn = (
  operators: Readonly<Record<string, QueryOperator>>,
  name: string,
): QueryOperator | undefined => (Object.hasOwn(operators, name) ? operators[name] : undefined)

function parseOperator(operator: QueryOperator, operand: Json, place: Place): Condition[] {
  const condition = operator.parse(operand, place)
  return condition === undefined ? [] : [condition]
}
