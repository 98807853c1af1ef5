import { describeClosest } from '../../json/describe-closest.js'
import type { InputPath } from '../../json/input-path.js'
import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import type { ExpressionParser } from '../expressions/expression-parser.js'
import { parseJsonSchema } from './json-schema/parse-json-schema.js'
import { DB_REF_FIELDS } from '../values/db-ref.js'
import type { ElemMatch, Expression } from './ast.js'
import { compileRegex } from './compile-regex.js'
import {
  FIELD_OPERATORS,
  getFirstKey,
  isOperatorObject,
  startsWithDollar,
  TOP_LEVEL_KEYS,
  UNSUPPORTED_OPERATORS,
} from './operator-names.js'
import { parseOperand } from './parse-operand.js'

/**
 * Parses a query (https://www.mongodb.com/docs/manual/reference/operator/query/) into expressions,
 * all of which must match. They use `$and`, `$or`, `$nor` and the operators of `operators.ts` only:
 * `$ne`, `$nin`, `$not` and `$exists: false` become a `$nor`, and `$all` becomes one expression for
 * each of its entries. `$jsonSchema` and `$expr` become
 * functions of the item.
 * @param expressionParser parses `$expr`, which is refused without it, as in an `$elemMatch`
 * @throws the path's error for a query that MongoDB rejects when it parses it, and for an operator
 * that is not supported; its limitError for a `$regex` beyond the limits
 */
export function parseSelector(
  query: JsonObject,
  path: InputPath,
  expressionParser?: ExpressionParser,
): Expression[] {
  return Object.entries(query).flatMap(([key, value]): Expression[] => {
    const keyPath = path.child(key)
    if (key.startsWith('$')) return parseTopLevelOperator(key, value, keyPath, expressionParser)
    if (isOperatorObject(value)) return parseOperators(key, value, keyPath)
    return [{ path: key, operator: '$eq', operand: value }]
  })
}

/**
 * Parses the operand of `$elemMatch`. Operators match the elements themselves; anything else is a
 * query for elements that are objects
 * (https://www.mongodb.com/docs/manual/reference/operator/query/elemMatch/).
 * @throws as parseSelector does
 */
export function parseElemMatch(operand: Json, path: InputPath): ElemMatch {
  if (!isJsonObject(operand)) throw path.error(`must be an object, not ${quote(operand)}`)
  return matchesValues(operand)
    ? { target: 'value', expressions: parseOperators('', operand, path) }
    : { target: 'object', expressions: parseSelector(operand, path) }
}

const matchesValues = (operand: JsonObject): boolean =>
  startsWithDollar(operand) &&
  !TOP_LEVEL_KEYS.has(getFirstKey(operand) as string) &&
  !Object.keys(operand).some((key) => DB_REF_FIELDS.has(key))

function parseTopLevelOperator(
  operator: string,
  value: Json,
  path: InputPath,
  expressionParser: ExpressionParser | undefined,
): Expression[] {
  if (operator === '$comment') return []
  if (operator === '$alwaysTrue' || operator === '$alwaysFalse') {
    if (value !== 1) throw path.error(`must be 1, not ${quote(value)}`)
    return operator === '$alwaysTrue' ? [] : [not([])]
  }
  if (DB_REF_FIELDS.has(operator)) return [{ path: operator, operator: '$eq', operand: value }]
  if (operator === '$and' || operator === '$or' || operator === '$nor')
    return [{ operator, branches: parseBranches(value, path, expressionParser) }]
  if (operator === '$jsonSchema') {
    const { matches, ...costs } = parseJsonSchema(value, path)
    return [{ path: '', operator, operand: matches, ...costs }]
  }
  if (operator === '$expr') {
    if (expressionParser === undefined) throw path.error('must be a condition of whole items')
    const { matches, ...costs } = expressionParser.parseCondition(value, path)
    return [{ path: '', operator, operand: matches, ...costs }]
  }

  const isSupported = !UNSUPPORTED_OPERATORS.has(operator)
  throw path.error(
    isSupported
      ? `is not a top-level operator${describeClosest(operator, TOP_LEVEL_KEYS)}`
      : 'is not supported',
  )
}

function parseBranches(
  value: Json,
  path: InputPath,
  expressionParser: ExpressionParser | undefined,
): Expression[][] {
  if (!Array.isArray(value) || value.length === 0)
    throw path.error(`must be an array of one or more conditions, not ${quote(value)}`)

  return value.map((entry: Json, index) => {
    if (isJsonObject(entry)) return parseSelector(entry, path.child(index), expressionParser)
    throw path.child(index).error(`must be an object, not ${quote(entry)}`)
  })
}

/** Parses an object of operators on a field. */
export function parseOperators(
  fieldPath: string,
  operators: JsonObject,
  path: InputPath,
): Expression[] {
  return Object.keys(operators).flatMap((operator) =>
    parseOperator(fieldPath, operator, operators, path.child(operator)),
  )
}

/** Parses one of the operators of a field. */
function parseOperator(
  fieldPath: string,
  operator: string,
  operators: JsonObject,
  path: InputPath,
): Expression[] {
  const operand = operators[operator] as Json
  switch (operator) {
    case '$ne':
      return [not([{ path: fieldPath, operator: '$eq', operand }])]
    case '$nin': {
      const values = parseOperand('$in', operand, path)
      return [not([{ path: fieldPath, operator: '$in', operand: values }])]
    }
    case '$exists': {
      const exists: Expression = { path: fieldPath, operator, operand: true }
      // MongoDB reads any value but false, 0 and null as true.
      return [operand === false || operand === 0 || operand === null ? not([exists]) : exists]
    }
    case '$not':
      if (!isJsonObject(operand) || getFirstKey(operand) === undefined)
        throw path.error(`must be an object of operators, not ${quote(operand)}`)

      return [not(parseOperators(fieldPath, operand, path))]
    case '$elemMatch':
      return [{ path: fieldPath, operator, operand: parseElemMatch(operand, path) }]
    case '$all':
      return parseAll(fieldPath, operand, path)
    case '$regex': {
      const { expression, cost, size } = compileRegex(operators, path)
      return [{ path: fieldPath, operator, operand: expression, cost, patternSize: size }]
    }
    case '$options':
      if ('$regex' in operators) return []
      throw path.error('must be used with $regex')
    default:
      if (UNSUPPORTED_OPERATORS.has(operator)) throw path.error('is not supported')
      return [{ path: fieldPath, operator, operand: parseOperand(operator, operand, path) }]
  }
}

const not = (expressions: readonly Expression[]): Expression => ({
  operator: '$nor',
  branches: [expressions],
})

function parseAll(fieldPath: string, operand: Json, path: InputPath): Expression[] {
  if (!Array.isArray(operand)) throw path.error(`must be an array, not ${quote(operand)}`)
  const entries = operand as readonly Json[]
  // In MongoDB, an empty $all matches nothing.
  if (entries.length === 0) return [{ path: fieldPath, operator: '$in', operand: [] }]
  const hasElemMatch = isElemMatch(entries[0] as Json)
  return entries.map((entry, index) => {
    const entryPath = path.child(index)
    if (!hasElemMatch) {
      if (isJsonObject(entry) && FIELD_OPERATORS.has(getFirstKey(entry) ?? ''))
        throw entryPath.error(`must be a value, not the operator ${quote(entry)}`)

      return { path: fieldPath, operator: '$eq', operand: entry }
    }
    if (!isElemMatch(entry))
      throw entryPath.error(`must be an $elemMatch like the first entry, not ${quote(entry)}`)

    const elemMatch = parseElemMatch(entry['$elemMatch'] as Json, entryPath.child('$elemMatch'))
    return { path: fieldPath, operator: '$elemMatch', operand: elemMatch }
  })
}

const isElemMatch = (value: Json): value is JsonObject =>
  isJsonObject(value) && getFirstKey(value) === '$elemMatch'
