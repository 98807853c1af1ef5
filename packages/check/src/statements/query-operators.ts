import { isDeepStrictEqual } from 'node:util'

import { isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import type { Probe } from '../probe.js'
import { findPaths, getAt, isNone, isPathSegment, isQuantity, isScalar, isText } from '../sample.js'
import type { SampledPath, Value } from '../sample.js'
import { defineGroup } from '../statement.js'
import type { Statement } from '../statement.js'

const { documented, assumed } = defineGroup('query')

/**
 * The statements on the rest of MongoDB's query language
 * (https://www.mongodb.com/docs/manual/reference/operator/query/). The mock answers all of it as MongoDB does.
 */
export const OPERATOR_STATEMENTS: readonly Statement[] = [
  documented('ne', '$ne excludes one value, and matches items without the field', (probe) =>
    expectExcluded(probe, (value) => ({ $ne: value })),
  ),
  assumed('nin', '$nin excludes some values, and matches items without the field', (probe) =>
    expectExcluded(probe, (value) => ({ $nin: [value, 'no value'] })),
  ),
  assumed('not', '$not excludes a condition, and matches items without the field', (probe) =>
    expectExcluded(probe, (value) => ({ $not: { $eq: value } })),
  ),
  assumed('and', '$and matches the items for which every query does', async (probe) => {
    const { path, value } = probe.findValue('a string', isText)
    const last = probe.sample.at(-1)?._id ?? ''
    await probe.expectMatches(
      { $and: [{ [path]: value }, { _id: { $ne: last } }] },
      (item) => getAt(item, path) === value && item._id !== last,
    )
  }),
  assumed('nor', '$nor matches the items for which no query does', async (probe) => {
    const { path, value } = probe.findValue('a string', isText)
    const last = probe.sample.at(-1)?._id ?? ''
    await probe.expectMatches(
      { $nor: [{ [path]: value }, { _id: last }] },
      (item) => getAt(item, path) !== value && item._id !== last,
    )
  }),
  assumed('exists', '$exists tells items with a field from those without', async (probe) => {
    const { path } = probe.findPath(
      'a field that some items lack',
      (values) => values.includes(undefined) && values.some((value) => value !== undefined),
    )
    await probe.expectFound(path, { $exists: true }, (value) => value !== undefined)
    await probe.expectFound(path, { $exists: false }, (value) => value === undefined)
  }),
  assumed('null', 'null matches null and a missing field', async (probe) => {
    const { path } = probe.findScalarPath(
      'a field that is null or missing in some items, and not in others',
      (values) => values.some(isNone) && !values.every(isNone),
    )
    await probe.expectFound(path, null, isNone)
    await probe.expectFound(path, { $ne: null }, (value) => !isNone(value))
  }),
  assumed('type', '$type matches the values of a type', async (probe) => {
    const { path } = probe.findValue('a string', isText)
    await probe.expectFound(path, { $type: 'string' }, (value) => typeof value === 'string')
    await probe.expectFound(path, { $type: 'number' }, (value) => typeof value === 'number')
  }),
  assumed('type-bracketing', 'A comparison matches values of its own type', async (probe) => {
    const { path } = probe.findValue('a string', isText)
    await probe.expectFound(path, { $gte: -1e12 }, (value) => typeof value === 'number')
  }),
  assumed('mod', '$mod matches the numbers with a remainder', async (probe) => {
    const { path, value, values } = probe.findValue('whole numbers', isWhole)
    const hasOthers = values.some((other) => typeof other === 'number' && !isWhole(other))
    if (hasOthers) throw probe.createLack('whole numbers alone')
    const remainder = value % 3
    await probe.expectFound(
      path,
      { $mod: [3, remainder] },
      (other) => typeof other === 'number' && other % 3 === remainder,
    )
  }),
  assumed('regex-ignore-case', '$options "i" ignores the case of letters', async (probe) => {
    const { path, value } = probe.findValue('a string of two letters', isWord)
    const word = value.slice(0, 2).toLowerCase()
    const pattern = { $regex: `^${word.toUpperCase()}`, $options: 'i' }
    await probe.expectFound(
      path,
      pattern,
      (other) => typeof other === 'string' && other.slice(0, 2).toLowerCase() === word,
    )
  }),
  assumed('array-element', 'A value matches an array that contains it', async (probe) => {
    const { path, array } = findArray(probe, 'an array of strings', isText)
    const [element] = array as [string]
    await probe.expectFound(
      path,
      element,
      (value) => value === element || (Array.isArray(value) && value.includes(element)),
    )
  }),
  assumed('array-whole', 'An array matches the same array', async (probe) => {
    const { path, array } = findArray(probe, 'an array of strings', isText)
    await probe.expectFound(path, array, (value) => isDeepStrictEqual(value, array))
  }),
  assumed('all', '$all matches arrays that contain every value', async (probe) => {
    const { path, array } = findArray(probe, 'an array of strings', isText)
    await probe.expectFound(path, { $all: array }, (value) => {
      const values = Array.isArray(value) ? value : [value]
      return array.every((each) => values.includes(each))
    })
  }),
  assumed('size', '$size matches arrays of a length', async (probe) => {
    const { path, array } = findArray(probe, 'an array', () => true)
    await probe.expectFound(
      path,
      { $size: array.length },
      (value) => Array.isArray(value) && value.length === array.length,
    )
  }),
  assumed('through-array', 'A path goes through the objects of an array', async (probe) => {
    const { path, key, value } = findObjects(probe)
    await probe.expectMatches({ [`${path}.${key}`]: value }, (item) =>
      toObjects(getAt(item, path)).some((object) => object[key] === value),
    )
  }),
  assumed('elem-match', '$elemMatch matches one object of an array', async (probe) => {
    const { path, key, value } = findObjects(probe)
    await probe.expectFound(
      path,
      { $elemMatch: { [key]: value } },
      (found) => Array.isArray(found) && toObjects(found).some((object) => object[key] === value),
    )
  }),
]

/** Expects that a condition on a string of the sample finds all items but those with this string. */
async function expectExcluded(probe: Probe, toCondition: (value: Json) => Json): Promise<void> {
  const { path, value } = probe.findValue('a string', isText)
  await probe.expectFound(path, toCondition(value), (other) => other !== value)
}

const isWhole = (value: Value): value is number => isQuantity(value) && Number.isInteger(value)
const isWord = (value: Value): value is string => isText(value) && /^[A-Za-z]{2}/.test(value)

/**
 * Finds a path with a non-empty array whose elements all pass a test. An array of several elements is
 * preferred, because it tells more.
 */
function findArray(
  probe: Probe,
  needed: string,
  isElement: (value: Value) => boolean,
): SampledPath & { readonly array: readonly Json[] } {
  const found = findPaths(probe.sample).flatMap((sampled) =>
    sampled.values
      .filter(isShort)
      .filter((array) => array.length > 0 && array.every(isElement))
      .map((array) => ({ ...sampled, array })),
  )
  const result = found.find(({ array }) => array.length > 1) ?? found[0]
  if (result === undefined) throw probe.createLack(needed)
  return result
}

/** Whether a value is an array that can be part of a query. */
const isShort = (value: Value): value is Json[] =>
  Array.isArray(value) && value.length < 20 && JSON.stringify(value).length < 500

/** Finds an array of objects with a string at one key, which is never an array or an object. */
function findObjects(probe: Probe): { path: string; key: string; value: string } {
  for (const { path, values } of findPaths(probe.sample)) {
    const objects = values.filter((value) => Array.isArray(value)).flatMap(toObjects)
    for (const [key, value] of objects.flatMap(Object.entries) as [string, Json][]) {
      const isPlain = objects.every((object) => isScalar(object[key]))
      if (isText(value) && isPathSegment(key) && isPlain) return { path, key, value }
    }
  }
  throw probe.createLack('an array of objects with strings')
}

const toObjects = (value: Value): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : isJsonObject(value) ? [value] : []
