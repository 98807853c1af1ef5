import { METHODS } from 'node:http'

import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'

import { JournalItem } from '@materials-mock/api'
import type { RequestItem } from '@materials-mock/api'
import {
  HIDDEN,
  compileCheck,
  describeClosest,
  describeSchema,
  isJsonObject,
  isSecretName,
  quote,
  redactSecrets,
  redactUrl,
} from '@materials-mock/json'
import type { InputPath, Json } from '@materials-mock/json'
import { listConditions, needsTimeout } from '@materials-mock/query'
import type { Combination, Condition, FieldTest, ItemTest } from '@materials-mock/query'

export interface RequestKind {
  /** How messages call such a request. */
  readonly name: string
  readonly fields: readonly string[]
}

const REQUEST_FIELDS: readonly (keyof RequestItem)[] = [
  'method',
  'path',
  'route',
  'resource',
  'query',
  'projection',
  'headers',
  'body',
  'accountId',
]

/** Requests that are not answered yet, which faults match. */
export const ARRIVING: RequestKind = { name: 'a request that arrives', fields: REQUEST_FIELDS }

export const RECORDED: RequestKind = {
  name: 'a recorded request',
  fields: [...new Set([...REQUEST_FIELDS, ...Object.keys(JournalItem.properties)])],
}

/** Fields whose values have fields of their own. */
const OBJECTS: ReadonlySet<string> = new Set([
  'query',
  'projection',
  'headers',
  'body',
  'fault',
  'response',
])

/** Fields in whose texts everything after the name of a secret is masked. */
const MASKED_TEXTS = /^(?:query|projection|body|response\.body)(?:\.|$)/

/** A part of a pattern that may match other text than itself, with the character that it may repeat. */
const NOT_LITERAL = /.?[^\w=: ]/s

/**
 * Checks that a query can match a request, because a rule or a test would silently match none. Refused is a
 * condition on an unknown field, on a value that the field never has (the method `get`), on the name of a header
 * with an upper-case letter, or on the value of a secret, also where another condition may hold in its place.
 * @param conditions the parsed query
 * @throws the error class of the path
 */
export function checkRequestConditions(
  conditions: readonly Condition[],
  path: InputPath,
  { name, fields }: RequestKind,
): void {
  for (const { condition, path: field } of listConditions(conditions)) {
    if (condition.kind === 'combination') continue
    if (field !== undefined) {
      const [top = ''] = field.split('.')
      if (!fields.includes(OBJECTS.has(top) ? top : field)) {
        const wrong = fields.includes(top) ? field : top
        const known = `${fields.join(', ')}${describeClosest(wrong, fields)}`
        throw path.child(wrong).error(`is not a field of ${name}, which has ${known}`)
      }
      checkHeaderNames(field, condition.operand, path)
    }
    const place = path.child(field ?? condition.operator)
    if (condition.kind === 'field' && field !== undefined) checkValues(condition, field, place)
    if (hasSecret(condition, field)) {
      throw place.error(
        'has a value that is masked in all requests; ask whether it is there with $exists',
      )
    }
  }
  const all: Condition = { kind: 'combination', operator: '$and', combine: 'every', conditions }
  if (!listResults(all).includes(true)) throw path.error('matches no request')
}

/** Whether conditions may read a path of the requests that a pattern matches. */
export const readsPath = (conditions: readonly Condition[], pattern: RegExp): boolean =>
  listConditions(conditions).some(({ condition, path }) =>
    path === undefined ? condition.kind === 'item' && !isConstant(condition) : pattern.test(path),
  )

const isConstant = ({ operator }: Condition): boolean => operator.startsWith('$always')

/** Checks the names of headers in a path, and in an object that the headers are compared with. */
function checkHeaderNames(field: string, operand: Json | undefined, path: InputPath): void {
  const objects = [operand].flat().filter(isJsonObject)
  const below = objects.flatMap((each) => Object.keys(each).map((key) => `${field}.${key}`))
  const wrong = [field, ...below].find(
    (each) => /^(?:response\.)?headers\./.test(each) && each !== each.toLowerCase(),
  )
  if (wrong === undefined) return
  const problem = `must be ${wrong.toLowerCase()}: the names of headers are in lower case`
  throw path.child(wrong).error(problem)
}

/** Checks that a test holds for some value of the field, or, if it is negated, fails for one. */
function checkValues(test: FieldTest, field: string, path: InputPath): void {
  const schema = findSchema(field)
  if (schema === undefined) return
  const expected = `must be ${describeSchema(schema)}`
  const wrong = listCompared(test).find((value) => !compileCheck(schema)(value))
  if (wrong !== undefined) throw path.error(`${expected}, not ${quote(wrong)}`)
  if (listResults(test, field).includes(!test.isNegated)) return
  const { operator, operand } = test
  throw path.error(`${expected}, which never meets ${operator} ${quote(operand)}`)
}

/** Returns the values that a test compares a field with for equality. */
const listCompared = ({ operator, operand = null }: FieldTest): readonly Json[] =>
  ['$eq', '$ne', '$in', '$nin'].includes(operator) ? [operand].flat() : []

/** A header of a request, which may be missing. */
const HEADER = Type.Union([Type.String(), Type.Null(), Type.Undefined()], {
  expected: 'a string or null',
})

/** Returns the schema of a field; undefined if it can have any value. */
function findSchema(field: string): TSchema | undefined {
  if (/^headers\.[^.]+$/.test(field)) return HEADER
  const { [field]: schema }: Readonly<Record<string, TSchema>> = JournalItem.properties
  return schema && ('type' in schema || 'anyOf' in schema) ? schema : undefined
}

/** Values of each type: an order comparison that holds for any value of the type holds for one of these. */
const SAMPLES: Readonly<Record<string, readonly (Json | undefined)[]>> = {
  string: ['', '\u{10ffff}'],
  integer: [0, Number.MAX_VALUE],
  number: [0, Number.MAX_VALUE],
  boolean: [false, true],
  object: [{}, { '\u{10ffff}': true }],
  null: [null],
  undefined: [undefined],
}

/** Returns the results that a condition can have for requests: both, if nothing is known of the field. */
function listResults(condition: Condition, field = condition.path): readonly boolean[] {
  if (condition.kind === 'combination') return listCombined(condition)
  if (condition.kind === 'item' && isConstant(condition)) return [condition.matches({})]
  const schema = field === undefined ? undefined : findSchema(field)
  if (condition.kind === 'item' || schema === undefined || needsTimeout(condition.cost))
    return [true, false]
  const types: readonly string[] = (schema.anyOf ?? [schema]).map(({ type }: TSchema) => type)
  const isPattern = condition.operator === '$regex' && types.includes('string')
  const isArithmetic =
    /^\$(?:mod|bits)/.test(condition.operator) && /number|integer/.test(types.join())
  if (field !== 'method' && (isPattern || isArithmetic)) return [true, false]
  const samples = field === 'method' ? METHODS : types.flatMap((type) => SAMPLES[type])
  const values = [...samples, ...listCompared(condition)]
  const passes = condition.compile()
  return values.map((value) => passes(value) !== condition.isNegated)
}

function listCombined({ combine, conditions }: Combination): readonly boolean[] {
  const inner = conditions.map((each) => listResults(each))
  /** The result of one condition that decides the result of all. */
  const decisive = combine === 'some' || combine === 'none'
  const results = [true, false].filter((result) =>
    result === decisive
      ? inner.some((each) => each.includes(result))
      : inner.every((each) => each.includes(result)),
  )
  return combine === 'none' || combine === 'notEvery' ? results.map((each) => !each) : results
}

/** Whether a condition compares with the value of a secret, and not with its mask. */
function hasSecret(condition: FieldTest | ItemTest, field = ''): boolean {
  if (condition.kind === 'field' && condition.elements !== undefined) return false
  const { operator, operand = null } = condition
  const isOnSecret = field.split('.').some(isSecretName)
  if (isOnSecret && operator !== '$exists' && ![operand].flat().every(isMask)) return true
  const redact = MASKED_TEXTS.test(field) ? redactSecrets : redactUrl
  if (operator !== '$regex') return hasSecretValue(operand, redact)
  const pattern = isJsonObject(operand) ? operand['$regex'] : operand
  return hasSecretValue(String(pattern).split(NOT_LITERAL), redact)
}

const isMask = (value: Json): boolean => value === null || value === HIDDEN

/** Whether a value has a part, or an expression reads a path, that is masked in all requests. */
function hasSecretValue(value: Json, redact: (text: string) => Json): boolean {
  if (typeof value === 'string')
    return redact(value) !== value || (value.startsWith('$') && isSecretName(value))
  if (Array.isArray(value)) return value.some((each) => hasSecretValue(each, redact))
  if (!isJsonObject(value)) return false
  return Object.entries(value).some(([key, each]) =>
    isSecretName(key) ? !isMask(each) : hasSecretValue(each, redact),
  )
}
