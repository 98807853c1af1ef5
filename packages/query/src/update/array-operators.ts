import { Type } from '@sinclair/typebox'

import { isJsonArray, isJsonObject, quote } from '@materials-mock/json'
import type { InputPath, Json, JsonObject } from '@materials-mock/json'
import type { PatternBudget } from '../compile-pattern.js'
import { refuseQueryOnly } from '../condition.js'
import { MAX_SORT_PATHS } from '../limits.js'
import { compileConditions, compileFieldConditions } from '../selector/compile-conditions.js'
import { SelectorParser } from '../selector/parse-selector.js'
import { equalValues } from '../values/compare-values.js'
import { compileElementOrder } from '../values/element-order.js'
import type { CompareElements } from '../values/element-order.js'
import { defineUpdate } from './field-update.js'
import type { ValueUpdate } from './field-update.js'
import { checkCondition, checkStoredValue } from './stored-value-rules.js'

/** https://www.mongodb.com/docs/manual/reference/operator/update-array/ */
export const ARRAY_UPDATES = {
  $push: defineUpdate(Type.Unknown(), compilePush),
  $addToSet: defineUpdate(Type.Unknown(), compileAddToSet),
  $pop: defineUpdate(Type.Union([Type.Literal(1), Type.Literal(-1)]), compilePop),
  $pull: defineUpdate(Type.Unknown(), compilePull),
  $pullAll: defineUpdate(Type.Array(Type.Unknown()), compilePullAll),
}

const MODIFIERS: ReadonlySet<string> = new Set(['$each', '$position', '$slice', '$sort'])

/** `$each` adds several values, at `$position`; then `$sort` sorts and `$slice` cuts the array. */
function compilePush(operand: Json, path: InputPath): ValueUpdate {
  if (!isJsonObject(operand) || !('$each' in operand)) {
    checkStoredValue(operand, path)
    return createExtension(path, (array) => [...array, operand])
  }
  const unknown = Object.keys(operand).find((key) => !MODIFIERS.has(key))
  if (unknown !== undefined) {
    const known = [...MODIFIERS].join(', ')
    throw path.child(unknown).error(`is not a modifier of $push, which has ${known}`)
  }
  const values = parseEach(operand, path)
  const position = parseInteger(operand, '$position', path)
  const slice = parseInteger(operand, '$slice', path)
  const compare =
    '$sort' in operand ? compileSort(operand.$sort as Json, path.child('$sort')) : undefined
  const update = createExtension(path, (array) => {
    const start = position < 0 ? Math.max(0, array.length + position) : position
    const extended = [...array.slice(0, start), ...values, ...array.slice(start)]
    const sorted = compare === undefined ? extended : extended.toSorted((a, b) => compare(a, b))
    return slice < 0 ? sorted.slice(slice) : sorted.slice(0, slice)
  })
  return { ...update, needsTimeout: compare !== undefined }
}

function compileSort(sort: Json, path: InputPath): CompareElements {
  const count = isJsonObject(sort) ? Object.keys(sort).length : 0
  if (count > MAX_SORT_PATHS)
    throw path.limitError(`must have at most ${MAX_SORT_PATHS} paths, not ${count}`)
  return compileElementOrder(sort, path)
}

/** Returns an integer of the operand, or Infinity if it is missing. */
function parseInteger(operand: JsonObject, key: string, path: InputPath): number {
  const { [key]: value = Infinity } = operand
  if (value === Infinity || Number.isInteger(value)) return value as number
  throw path.child(key).error(`must be an integer, not ${quote(value)}`)
}

/** Appends a value, or the values of `$each`, to an array unless it has an equal value. */
function compileAddToSet(operand: Json, path: InputPath): ValueUpdate {
  const values = parseAdded(operand, path)
  return createExtension(path, (array) => {
    // Two values are equal if and only if their JSON is equal: the order of an object's fields counts.
    const present = new Set(array.map((entry) => JSON.stringify(entry)))
    const added = values.filter((value) => {
      const json = JSON.stringify(value)
      return !present.has(json) && present.add(json)
    })
    return [...array, ...added]
  })
}

function parseAdded(operand: Json, path: InputPath): readonly Json[] {
  if (!isJsonObject(operand) || Object.keys(operand)[0] !== '$each') {
    checkStoredValue(operand, path)
    return [operand]
  }
  if (Object.keys(operand).length > 1)
    throw path.error(`must have no key but $each, not ${quote(operand)}`)

  return parseEach(operand, path)
}

function parseEach(operand: JsonObject, path: InputPath): readonly Json[] {
  const { $each: values = null } = operand
  const eachPath = path.child('$each')
  if (!Array.isArray(values)) throw eachPath.error(`must be an array, not ${quote(values)}`)
  checkStoredValue(values, eachPath)
  return values
}

/** A missing field counts as empty. An equal array is returned as the old one. */
const createExtension = (
  path: InputPath,
  extend: (array: readonly Json[]) => readonly Json[],
): ValueUpdate => ({
  createsPath: true,
  apply: (value) => {
    if (value === undefined) return extend([])
    const array = takeArray(value, path)
    const updated = extend(array)
    return equalValues(updated, array) ? array : updated
  },
})

/** Removes the last entry of an array, or the first entry for -1. */
function compilePop(operand: Json, path: InputPath): ValueUpdate {
  if (operand !== 1 && operand !== -1) throw path.error(`must be 1 or -1, not ${quote(operand)}`)
  return {
    createsPath: false,
    apply: (value) => {
      const array = takeArray(value, path)
      if (array.length === 0) return array
      return operand === 1 ? array.slice(0, -1) : array.slice(1)
    },
  }
}

function compilePullAll(operand: Json, path: InputPath): ValueUpdate {
  if (!isJsonArray(operand)) throw path.error(`must be an array, not ${quote(operand)}`)
  // Two values are equal if and only if their JSON is equal.
  const removed = new Set(operand.map((value) => JSON.stringify(value)))
  return createRemoval(path, (entry) => removed.has(JSON.stringify(entry)))
}

/**
 * Operators match each entry, another object is a query for objects, any other operand an equality.
 */
function compilePull(operand: Json, path: InputPath, patterns: PatternBudget): ValueUpdate {
  checkCondition(operand, path)
  if (!isJsonObject(operand)) return createRemoval(path, (entry) => equalValues(entry, operand))
  const parser = new SelectorParser(patterns)
  const isOfOperators = parser.isOperator(operand)
  const conditions = isOfOperators
    ? parser.parseOperators(undefined, operand, path)
    : parser.parseQuery(operand, path)
  refuseQueryOnly(conditions, path)
  // MongoDB applies operators to an entry as to a field, so that they also match the elements of an
  // entry that is an array.
  const matches = isOfOperators ? compileFieldConditions(conditions) : compileConditions(conditions)
  const isMatch = (entry: Json): boolean => (isOfOperators || isJsonObject(entry)) && matches(entry)
  return { ...createRemoval(path, isMatch), needsTimeout: true }
}

const createRemoval = (path: InputPath, isRemoved: (entry: Json) => boolean): ValueUpdate => ({
  createsPath: false,
  apply: (value) => {
    const array = takeArray(value, path)
    const remaining = array.filter((entry) => !isRemoved(entry))
    return remaining.length === array.length ? array : remaining
  },
})

function takeArray(value: Json | undefined, path: InputPath): readonly Json[] {
  if (Array.isArray(value)) return value
  throw path.error(`must apply to an array, not ${quote(value ?? null)}`)
}
