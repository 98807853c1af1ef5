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
import type { InputPath, Json, JsonObject } from '@materials-mock/json'

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

/** Operators at the top level of a query that can read every field. */
const ITEM_OPERATORS: ReadonlySet<string> = new Set(['$expr', '$jsonSchema'])

/** Fields in whose texts everything after the name of a secret is masked. */
const MASKED_TEXTS = /^(?:query|projection|body|response\.body)(?:\.|$)/

/** A part of a pattern that may match other text than itself, with the character that it may repeat. */
const NOT_LITERAL = /.?[^\w=: ]/s

/** Paths below `headers`, whose names are in lower case. */
const HEADER = /^(?:response\.)?headers\./

interface Condition {
  readonly path: string
  readonly operand: Json
}

/**
 * Checks that no condition of a query has the same result for all requests, because a rule or a test
 * would silently match none. Such conditions are on an unknown field, on a value that the field never has
 * (the method `get`), on the name of a header with an upper-case letter, or on the value of a secret.
 * @param query a query that MongoDB accepts
 * @throws the error class of the path, for such a condition
 */
export function checkRequestConditions(
  query: JsonObject,
  path: InputPath,
  { name, fields }: RequestKind,
): void {
  for (const { path: field, operand } of listConditions(query)) {
    const topField = toTopField(field)
    if (!ITEM_OPERATORS.has(field) && !fields.includes(topField)) {
      const known = `${fields.join(', ')}${describeClosest(topField, fields)}`
      const problem = `is not a field of ${name}, which has ${known}`
      throw path.child(topField).error(problem)
    }
    const { [field as keyof typeof JournalItem.properties]: schema } = JournalItem.properties
    const wrong = listScalars(operand).find((value) => schema && !compileCheck(schema)(value))
    if (wrong !== undefined) {
      const problem = `must be ${describeSchema(schema)}, not ${quote(wrong)}`
      throw path.child(field).error(problem)
    }
    if (HEADER.test(field) && field !== field.toLowerCase()) {
      throw path
        .child(field)
        .error(`must be ${field.toLowerCase()}: the names of headers are in lower case`)
    }
    const isSecret = field.split('.').some(isSecretName) && !canMatchMask(operand)
    if (isSecret || hasSecret(operand, MASKED_TEXTS.test(field) ? redactSecrets : redactUrl)) {
      throw path
        .child(field)
        .error('has a value that is masked in all requests; ask whether it is there with $exists')
    }
  }
}

const listScalars = (operand: Json): Json[] =>
  (isJsonObject(operand)
    ? ['$eq', '$ne', '$in', '$nin'].flatMap((name) => operand[name] ?? [])
    : [operand]
  ).filter((value) => typeof value !== 'object' || value === null)

export const readsPath = (query: JsonObject, pattern: RegExp): boolean =>
  listConditions(query).some(({ path }) => ITEM_OPERATORS.has(path) || pattern.test(path))

const toTopField = (path: string): string => path.split('.')[0] as string

/** Whether a condition on a secret is on its mask, or only on whether it exists. */
const canMatchMask = (operand: Json): boolean =>
  operand === null ||
  operand === HIDDEN ||
  (isJsonObject(operand) && Object.keys(operand).every((name) => name === '$exists'))

/** Whether an operand has a value, or reads a path, that is masked in all requests. */
function hasSecret(operand: Json, redact: (text: string) => Json): boolean {
  if (typeof operand === 'string')
    return redact(operand) !== operand || (operand.startsWith('$') && isSecretName(operand))
  if (Array.isArray(operand)) return operand.some((each) => hasSecret(each, redact))
  if (!isJsonObject(operand)) return false
  return Object.entries(operand).some(([key, each]) => {
    if (isSecretName(key)) return !canMatchMask(each)
    return hasSecret(key === '$regex' ? String(each).split(NOT_LITERAL) : each, redact)
  })
}

const listConditions = (query: JsonObject): Condition[] =>
  Object.entries(query).flatMap(([key, operand]): Condition[] => {
    const value = operand as Json
    if (ITEM_OPERATORS.has(key) || !key.startsWith('$')) return [{ path: key, operand: value }]
    return [value].flat().flatMap((each) => (isJsonObject(each) ? listConditions(each) : []))
  })
