import { InputPath } from '../../json/input-path.js'
import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import type { ElemMatch, Expression, MatchTarget } from '../selector/ast.js'
import { needsTimeout } from '../selector/ast.js'
import { compileExpressions } from '../selector/compile-expressions.js'
import type { Matcher } from '../selector/compile-expressions.js'
import { isOperatorObject } from '../selector/operator-names.js'
import { parseOperators, parseSelector } from '../selector/parse-selector.js'
import type { Clause, ClauseSource, ElementClauses, LeafClause } from './clause.js'
import { parseExpressionClauses } from './expression-clauses.js'
import { compileReader, describeFound } from './find-values.js'
import { parseSchemaClauses } from './schema-clauses.js'

const PATH = new InputPath('query')

/** The names of the combinations of a query, and how they combine. */
const COMBINATIONS = { $and: 'every', $or: 'some', $nor: 'none' } as const

/**
 * Parses a query into its clauses, in its order, all of which an item must match. Each operator that
 * is no combination is compiled as a query of its own, so that its verdict is that of a list.
 * @param query a query that `compileSelector` accepts
 */
export const parseClauses = (query: JsonObject): readonly Clause[] =>
  Object.entries(query).flatMap(([key, value]) => parseEntry(key, value))

function parseEntry(key: string, value: Json): readonly Clause[] {
  if (key === '$comment') return []
  if (key === '$and' || key === '$or' || key === '$nor') {
    const clauses = (value as readonly JsonObject[]).map(parseBranch)
    return [{ operator: key, combine: COMBINATIONS[key], clauses }]
  }
  if (key === '$expr') return [parseExpressionClauses(value, PATH)]
  if (key === '$jsonSchema') return [parseSchemaClauses(value as JsonObject, PATH)]
  if (key === '$alwaysTrue' || key === '$alwaysFalse') {
    const parse = (): Expression[] => parseSelector({ [key]: value }, PATH)
    return [createLeaf({ operator: key, operand: value }, 'object', parse)]
  }
  if (!key.startsWith('$') && isOperatorObject(value))
    return parseOperatorClauses(key, value, 'object')
  const parse = (): Expression[] => parseSelector({ [key]: value }, PATH)
  return [createLeaf({ path: key, operator: '$eq', operand: value }, 'object', parse)]
}

/** Returns the only clause of a branch, or an `$and` of its clauses. */
function parseBranch(branch: JsonObject): Clause {
  const clauses = parseClauses(branch)
  const [only] = clauses
  return only !== undefined && clauses.length === 1
    ? only
    : { operator: '$and', combine: 'every', clauses }
}

/** Parses an object of operators. For the target `value` there is no path. */
const parseOperatorClauses = (
  path: string,
  operators: JsonObject,
  target: MatchTarget,
): readonly Clause[] =>
  Object.keys(operators).flatMap((operator) =>
    operator === '$options' ? [] : [parseOperator(path, operator, operators, target)],
  )

function parseOperator(
  path: string,
  operator: string,
  operators: JsonObject,
  target: MatchTarget,
): Clause {
  const operand = operators[operator] as Json
  const source = { path: target === 'value' ? undefined : path, operator }
  const parse = (entry: Json): Expression[] => parseOperators(path, { [operator]: entry }, PATH)
  if (operator === '$not') {
    const clauses = parseOperatorClauses(path, operand as JsonObject, target)
    return { ...source, combine: 'notEvery', clauses }
  }
  if (operator === '$elemMatch')
    return createElemMatch({ ...source, operand }, path, target, () => parse(operand))
  if (operator === '$all' && (operand as readonly Json[]).length > 0) {
    const clauses = (operand as readonly Json[]).map((entry) =>
      parseAllEntry(path, entry, target, () => parse([entry])),
    )
    return { ...source, operand, find: compileFind(path, target), combine: 'every', clauses }
  }
  const { $options: options } = operators
  if (operator !== '$regex' || options === undefined)
    return createLeaf({ ...source, operand }, target, () => parse(operand))
  const pattern = { $regex: operand, $options: options }
  return createLeaf({ ...source, operand: pattern }, target, () =>
    parseOperators(path, pattern, PATH),
  )
}

function parseAllEntry(
  fieldPath: string,
  entry: Json,
  target: MatchTarget,
  parse: () => Expression[],
): LeafClause {
  const path = target === 'value' ? undefined : fieldPath
  const elemMatch = isJsonObject(entry) ? entry['$elemMatch'] : undefined
  // `$all` reads its entries as values, unless they are `$elemMatch`.
  return elemMatch !== undefined && Object.keys(entry as JsonObject)[0] === '$elemMatch'
    ? createElemMatch(
        { path, operator: '$elemMatch', operand: elemMatch },
        fieldPath,
        target,
        parse,
      )
    : createLeaf({ path, operator: '$eq', operand: entry }, target, parse)
}

function createElemMatch(
  source: ClauseSource,
  path: string,
  target: MatchTarget,
  parse: () => Expression[],
): LeafClause {
  const expressions = parse()
  const [{ operand: elemMatch }] = expressions as unknown as [{ readonly operand: ElemMatch }]
  const { target: elementTarget } = elemMatch
  const operand = source.operand as JsonObject
  const read = target === 'value' ? (value: Json) => [value] : compileReader(path)
  const elements: ElementClauses = {
    target: elementTarget,
    clauses:
      elementTarget === 'value'
        ? parseOperatorClauses('', operand, 'value')
        : parseClauses(operand),
    findArrays: (value) => read(value).filter((each) => Array.isArray(each)),
  }
  return { ...createLeaf(source, target, () => expressions), elements }
}

function createLeaf(
  source: ClauseSource,
  target: MatchTarget,
  parse: () => readonly Expression[],
): LeafClause {
  const expressions = parse()
  let matches: Matcher | undefined
  return {
    ...source,
    find:
      source.path === undefined && target === 'object'
        ? undefined
        : compileFind(source.path, target),
    isCostly: needsTimeout(expressions),
    test: (value) => (matches ??= compileExpressions(expressions, target))(value),
  }
}

function compileFind(path: string | undefined, target: MatchTarget): ClauseSource['find'] {
  if (target === 'value' || path === undefined) return (value) => describeFound([value])
  let read: ReturnType<typeof compileReader> | undefined
  return (value) => describeFound((read ??= compileReader(path))(value))
}
