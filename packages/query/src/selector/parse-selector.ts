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
    const conditions: Condition[] = []
    for (const [key, operand] of Object.entries(query)) {
      if (!key.startsWith('$') && isOperatorObject(operand)) {
        conditions.push(...this.parseOperators(key, operand, path.child(key)))
        continue
      }
      const isTopLevel = key.startsWith('$') && !DB_REF_FIELDS.has(key)
      const place = {
        operator: isTopLevel ? key : '$eq',
        fieldPath: isTopLevel ? undefined : key,
        operators: query,
        path: path.child(key),
        parser: this,
      }
      const operator = isTopLevel ? getOwn(TOP_LEVEL_OPERATORS, key) : FIELD_OPERATORS.$eq
      if (operator === undefined)
        throw refuseOperator(place, 'a top-level operator', TOP_LEVEL_KEYS)
      const condition = operator.parse(operand, place)
      if (condition !== undefined) conditions.push(condition)
    }
    return conditions
  }

  parseOperators(
    fieldPath: string | undefined,
    operators: JsonObject,
    path: InputPath,
  ): Condition[] {
    const conditions: Condition[] = []
    for (const [name, operand] of Object.entries(operators)) {
      const place = { operator: name, fieldPath, operators, path: path.child(name), parser: this }
      const operator = getOwn(FIELD_OPERATORS, name)
      if (operator === undefined) throw refuseOperator(place, 'an operator of a field', FIELD_KEYS)
      const condition = operator.parse(operand, place)
      if (condition !== undefined) conditions.push(condition)
    }
    return conditions
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

/** Returns the error for an operator that is none of its kind, or is not supported. */
const refuseOperator = (
  { operator, path }: Place,
  kind: string,
  names: ReadonlySet<string>,
): Error =>
  path.error(
    UNSUPPORTED.has(operator)
      ? 'is not supported'
      : `is not ${kind}${describeClosest(operator, names)}`,
  )
