import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import type { InputPath } from '../../json/input-path.js'
import { parseOperand } from './parse-operand.js'
import { compileRegex } from './compile-regex.js'
import type { ElementSelector, Expression } from './ast.js'

/**
 * Checks a selector as MongoDB's parser does, and brings it to its smallest form: positive
 * operators on paths, combined with `$and`, `$or` and `$nor` only (`$ne`, `$nin`, `$not` and
 * `$exists: false` are a `$nor`, `$all` is an `$and`). What MongoDB refuses at parse time throws,
 * with the operator, its place and its value
 * (https://www.mongodb.com/docs/manual/reference/operator/query/).
 */
export function parseSelector(query: JsonObject, place: InputPath): Expression[] {
  return Object.entries(query).flatMap(([key, value]) =>
    key.startsWith('$')
      ? checkPathless(key, value, place.child(key))
      : checkField(key, value, place.child(key)),
  )
}

const combines = new Set(['$and', '$or', '$nor'])
const references = new Set(['$ref', '$id', '$db'])
const unsupported = new Set(
  (
    '$where $function $accumulator $expr $jsonSchema $text $near $nearSphere $geoNear $within ' +
    '$geoWithin $geoIntersects $sampleRate'
  ).split(' '),
)
const pathless = new Set([
  ...combines,
  ...references,
  '$comment',
  '$expr',
  '$where',
  '$text',
  '$jsonSchema',
  '$sampleRate',
])

function checkPathless(operator: string, value: Json, place: InputPath): Expression[] {
  if (operator === '$comment') return []
  if (references.has(operator)) return [{ path: operator, operator: '$eq', operand: value }]
  if (operator === '$and' || operator === '$or' || operator === '$nor') {
    if (!Array.isArray(value) || value.length === 0)
      throw place.error(`must be a list of one or more conditions, not ${quote(value)}`)

    const branches = value.map((entry: Json, index) => {
      if (isJsonObject(entry)) return parseSelector(entry, place.child(index))
      throw place.child(index).error(`must be an object, not ${quote(entry)}`)
    })
    return [{ operator: operator, branches }]
  }
  throw place.error(unsupported.has(operator) ? 'is not supported' : 'is no top-level operator')
}

function checkField(path: string, value: Json, place: InputPath): Expression[] {
  return isExpression(value, isReference)
    ? checkOperators(path, value, place)
    : [{ path, operator: '$eq', operand: value }]
}

/** Whether a value is an object of operators. Its first key decides; a DBRef is a value. */
function isExpression(value: Json, except: (value: JsonObject) => boolean): value is JsonObject {
  return isJsonObject(value) && firstKey(value)?.startsWith('$') === true && !except(value)
}

const firstKey = (value: JsonObject): string | undefined => Object.keys(value)[0]
const isReference = (value: JsonObject): boolean => '$ref' in value && '$id' in value
const isPartOfReference = (value: JsonObject): boolean =>
  Object.keys(value).some((key) => references.has(key))

function checkOperators(path: string, value: JsonObject, place: InputPath): Expression[] {
  return Object.entries(value).flatMap(([operator, operand]) =>
    checkOperator(path, operator, operand, value, place.child(operator)),
  )
}

function checkOperator(
  path: string,
  operator: string,
  operand: Json,
  siblings: JsonObject,
  place: InputPath,
): Expression[] {
  switch (operator) {
    case '$ne':
      return [not([{ path, operator: '$eq', operand }])]
    case '$nin':
      return [not([{ path, operator: '$in', operand: parseOperand('$in', operand, place) }])]
    case '$exists': {
      const exists: Expression = { path, operator, operand: true }
      // Any value but false, 0 and null asks for a field that is there.
      return [operand === false || operand === 0 || operand === null ? not([exists]) : exists]
    }
    case '$not':
      if (!isJsonObject(operand) || firstKey(operand) === undefined)
        throw place.error(`must be an object of operators, not ${quote(operand)}`)

      return [not(checkOperators(path, operand, place))]
    case '$elemMatch':
      return [{ path, operator, operand: parseElemMatch(operand, place) }]
    case '$all':
      return checkAll(path, operand, place)
    case '$regex': {
      const { expression, needsTimeout } = compileRegex(siblings, place)
      return [{ path, operator, operand: expression, needsTimeout: needsTimeout }]
    }
    case '$options':
      if ('$regex' in siblings) return []
      throw place.error('must stand beside a $regex')
    default:
      if (unsupported.has(operator)) throw place.error('is not supported')
      return [{ path, operator, operand: parseOperand(operator, operand, place) }]
  }
}

const not = (expressions: readonly Expression[]): Expression => ({
  operator: '$nor',
  branches: [expressions],
})

/**
 * The operand of `$elemMatch`: operators judge the elements as values, anything else judges those
 * that are objects (https://www.mongodb.com/docs/manual/reference/operator/query/elemMatch/).
 */
export function parseElemMatch(operand: Json, place: InputPath): ElementSelector {
  if (!isJsonObject(operand)) throw place.error(`must be an object, not ${quote(operand)}`)
  const values =
    isExpression(operand, isPartOfReference) && !pathless.has(firstKey(operand) as string)
  return values
    ? { elements: 'values', expressions: checkOperators('', operand, place) }
    : { elements: 'objects', expressions: parseSelector(operand, place) }
}

const isElemMatch = (value: Json): value is JsonObject =>
  isJsonObject(value) && firstKey(value) === '$elemMatch'

function checkAll(path: string, operand: Json, place: InputPath): Expression[] {
  if (!Array.isArray(operand)) throw place.error(`must be a list, not ${quote(operand)}`)
  const entries = operand as readonly Json[]
  // Nothing has all of no values, for MongoDB.
  if (entries.length === 0) return [{ path, operator: '$in', operand: [] }]
  const elemMatch = isElemMatch(entries[0] as Json)
  return entries.map((entry, index) => {
    if (!elemMatch) {
      if (isJsonObject(entry) && fieldOperators.has(firstKey(entry) ?? ''))
        throw place.child(index).error(`must be a value, not the operator ${quote(entry)}`)

      return { path, operator: '$eq', operand: entry }
    }
    if (!isElemMatch(entry))
      throw place.child(index).error(`must be an $elemMatch, as the first is, not ${quote(entry)}`)

    const inner = parseElemMatch(
      entry['$elemMatch'] as Json,
      place.child(index).child('$elemMatch'),
    )
    return { path, operator: '$elemMatch', operand: inner }
  })
}

/** What MongoDB takes for an operator on a field, in the entries of `$all`. */
const fieldOperators = new Set(
  (
    '$lt $lte $gt $gte $eq $ne $in $nin $size $all $exists $mod $type $regex $options $elemMatch ' +
    '$near $nearSphere $geoNear $within $geoWithin $geoIntersects ' +
    '$bitsAllSet $bitsAllClear $bitsAnySet $bitsAnyClear'
  ).split(' '),
)
