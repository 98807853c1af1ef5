import { Type } from '@sinclair/typebox'

import { isJsonArray, quote } from '@materials-mock/json'
import type { InputPath, Json } from '@materials-mock/json'
import { TEXT_COST } from '../../condition.js'
import { compareValues, equalValues, getTypeRank } from '../../values/compare-values.js'
import type { CandidateTest } from '../../values/compile-path.js'
import { defineTest, isOperatorObject } from '../operator.js'
import { noteEquality, noteType } from './notes.js'

const Any = Type.Unknown()

/** Defines a comparison of the values of the operand's type. */
const defineComparison = (isMatch: (order: number) => boolean) =>
  defineTest({
    schema: Any,
    compile: (operand: Json) => compileComparison(operand, isMatch),
    isIndexable: true,
    note: (operand, values) => noteType([operand], values),
  })

/** https://www.mongodb.com/docs/manual/reference/operator/query-comparison/ */
export const COMPARISON = {
  $lt: defineComparison((order) => order < 0),
  $lte: defineComparison((order) => order <= 0),
  $gt: defineComparison((order) => order > 0),
  $gte: defineComparison((order) => order >= 0),
  $eq: defineTest({
    schema: Any,
    compile: compileEquality,
    isIndexable: true,
    note: noteEquality,
  }),
  $ne: defineTest({ schema: Any, compile: compileEquality, isNegated: true }),
  $in: defineTest({
    schema: Type.Array(Any),
    parseOperand: parseList,
    compile: compileIn,
    computeCost: computeListCost,
    isIndexable: true,
    note: (operand, values) => noteType(operand as readonly Json[], values),
  }),
  $nin: defineTest({
    schema: Type.Array(Any),
    parseOperand: parseList,
    compile: compileIn,
    computeCost: computeListCost,
    isNegated: true,
  }),
}

/** Null also equals a missing field. Values of different types are never equal. */
function compileEquality(operand: Json): CandidateTest {
  if (operand === null) return (value) => value === undefined || value === null
  if (typeof operand !== 'object') return (value) => value === operand
  return (value) => value !== undefined && equalValues(value, operand)
}

function parseList(operand: Json, path: InputPath): readonly Json[] {
  if (!isJsonArray(operand)) throw path.error(`must be an array, not ${quote(operand)}`)
  for (const [index, entry] of operand.entries()) {
    if (isOperatorObject(entry))
      throw path.child(index).error(`must be a value, not the operator ${quote(entry)}`)
  }
  return operand
}

function compileIn(operand: readonly Json[]): CandidateTest {
  const scalars = new Set<Json | undefined>(operand.filter((entry) => typeof entry !== 'object'))
  const isOther = compileInOthers(listOthers(operand))
  return (value) => scalars.has(value) || isOther(value)
}

/** Returns the objects, arrays and nulls of a list. */
const listOthers = (operand: readonly Json[]): readonly Json[] =>
  operand.filter((entry) => typeof entry === 'object')

/** The largest number of objects, arrays and nulls of a list that a value is compared with one by one. */
const MAX_COMPARED = 8

function compileInOthers(others: readonly Json[]): CandidateTest {
  if (others.length <= MAX_COMPARED) {
    const tests = others.map(compileEquality)
    return (value) => tests.some((test) => test(value))
  }
  // Two values are equal if and only if their JSON is equal: the order of an object's fields counts.
  const texts = new Set(others.map((entry) => JSON.stringify(entry)))
  return (value) =>
    (value === undefined || typeof value === 'object') && texts.has(JSON.stringify(value ?? null))
}

function computeListCost(operand: readonly Json[]): number {
  const { length } = listOthers(operand)
  return length > MAX_COMPARED ? TEXT_COST : Math.max(1, length)
}

/**
 * Only values of the operand's type: MongoDB's "type bracketing". A missing field counts as null.
 */
function compileComparison(operand: Json, isMatch: (order: number) => boolean): CandidateTest {
  if (operand === null) return (value) => (value === undefined || value === null) && isMatch(0)
  if (typeof operand === 'number')
    return (value) => typeof value === 'number' && isMatch(value - operand)
  const rank = getTypeRank(operand)
  return (value) => getTypeRank(value) === rank && isMatch(compareValues(value, operand))
}
