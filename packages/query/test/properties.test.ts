import fc from 'fast-check'
import t from 'tap'

import { CatalogueError } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import { evaluate } from '../src/evaluate.js'
import type { HasItem } from '../src/page.js'
import { compileFields } from '../src/projection/compile-fields.js'
import { compileSelector } from '../src/selector/compile-selector.js'
import { compileSort } from '../src/sort/compile-sort.js'
import { compareValues, equalValues } from '../src/values/compare-values.js'
import { compileScalarReader, isScalar } from '../src/values/compile-path.js'
import {
  anyItem,
  anyItems,
  anyMalformed,
  anyNamedPath,
  anyOperators,
  anyPath,
  anyQuery,
  anyValue,
} from './arbitraries.js'

const OPTIONS = { numRuns: 3000 }

const testProperty = (
  name: string,
  property: fc.IProperty<never> | { run: unknown },
): Promise<unknown> =>
  t.test(name, async () => {
    await fc.assert(property as fc.IProperty<unknown>, OPTIONS)
  })

const matches = (item: JsonObject, query: JsonObject): boolean =>
  compileSelector(query).matches(item)

const areEquivalent = (item: JsonObject, a: JsonObject, b: JsonObject): boolean =>
  matches(item, a) === matches(item, b)

const toEntries = (items: readonly JsonObject[]): readonly HasItem[] =>
  items.map((item, index) => ({ item: { ...item, _id: `${index}` } }))

/** Returns a page of a sorted list. */
const sortEntries = async (
  entries: readonly HasItem[],
  sort: JsonObject,
  { skip = 0, limit = 500 } = {},
): Promise<readonly HasItem[]> =>
  runToEnd(
    evaluate(entries, { selector: compileSelector({}), sort: compileSort(sort), skip, limit }),
  )

testProperty(
  '$nin is the negation of $in, and $in is an $or of $eq',
  fc.property(
    anyItem,
    anyPath,
    fc.array(anyValue, { minLength: 1, maxLength: 4 }),
    (item, path, array) => {
      const isIn = matches(item, { [path]: { $in: array } })
      return (
        isIn !== matches(item, { [path]: { $nin: array } }) &&
        isIn === matches(item, { $or: array.map((entry) => ({ [path]: { $eq: entry } })) })
      )
    },
  ),
)

testProperty(
  '$not twice is no change, and $not once is a $nor',
  fc.property(anyItem, anyPath, anyOperators, (item, path, query) => {
    const isMatch = matches(item, { [path]: query })
    return (
      isMatch === matches(item, { [path]: { $not: { $not: query } } }) &&
      isMatch !== matches(item, { [path]: { $not: query } }) &&
      isMatch !== matches(item, { $nor: [{ [path]: query }] })
    )
  }),
)

testProperty(
  "$and, $or and $nor obey De Morgan's laws",
  fc.property(anyItem, anyQuery, anyQuery, (item, a, b) => {
    const [noA, noB] = [{ $nor: [a] }, { $nor: [b] }]
    return (
      areEquivalent(item, { $nor: [a, b] }, { $and: [noA, noB] }) &&
      areEquivalent(item, { $nor: [{ $and: [a, b] }] }, { $or: [noA, noB] })
    )
  }),
)

testProperty(
  '$gte is $gt or $eq, and never matches a scalar that $lt matches',
  fc.property(anyValue, anyValue, (stored, operand) => {
    const item = { a: stored }
    const [gt, gte, eq] = [{ a: { $gt: operand } }, { a: { $gte: operand } }, { a: operand }]
    const literal = { a: { $eq: operand } }
    const isEqualScalar = typeof stored !== 'object' && eq.a === operand
    return (
      matches(item, gte) === (matches(item, gt) || matches(item, literal)) &&
      !(isEqualScalar && matches(item, gte) && matches(item, { a: { $lt: operand } }))
    )
  }),
)

testProperty(
  'the order of values is antisymmetric, transitive and reflexive',
  fc.property(anyValue, anyValue, anyValue, (a, b, c) => {
    const [ab, bc, ac] = [compareValues(a, b), compareValues(b, c), compareValues(a, c)]
    const reversed = Math.sign(compareValues(b, a)) === -Math.sign(ab)
    return reversed && !(ab <= 0 && bc <= 0 && ac > 0) && equalValues(a, a)
  }),
)

testProperty(
  'a descending sort by distinct keys is the reverse, and equal keys stay in natural order',
  fc.asyncProperty(anyItems, anyNamedPath, async (items, path) => {
    const entries = toEntries(items)
    const up = await sortEntries(entries, { [path]: 1, _id: 1 })
    const plain = await sortEntries(entries, { [path]: 1 })
    const down = await sortEntries(entries, { _id: -1 })
    const isSame = (entry: HasItem, index: number): boolean => entry === up[index]
    return plain.every(isSame) && down.every((entry, index) => entry === entries.at(-1 - index))
  }),
)

testProperty(
  'pages of any size partition the sorted list',
  fc.asyncProperty(
    anyItems,
    anyNamedPath,
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom(1, -1),
    async (items, path, limit, direction) => {
      const entries = toEntries(items)
      const sort = { [path]: direction }
      const pages = await Promise.all(
        entries.map((_, page) => sortEntries(entries, sort, { skip: page * limit, limit })),
      )
      const whole = await sortEntries(entries, sort)
      const paged = pages.flat()
      return (
        paged.length === entries.length && paged.every((entry, index) => entry === whole[index])
      )
    },
  ),
)

testProperty(
  'an inclusion and an exclusion of the same fields are complements',
  fc.property(anyItem, fc.constantFrom('a', 'b'), (item, name) => {
    const stored = { ...item, _id: 'x' }
    const included = compileFields({ [name]: 1, _id: 0 })(stored)
    const excluded = compileFields({ [name]: 0 })(stored)
    const names = [...Object.keys(included), ...Object.keys(excluded)]
    return `${names.toSorted()}` === `${Object.keys(stored).toSorted()}`
  }),
)

testProperty(
  'a scalar at a path alone decides all comparisons on the path',
  fc.property(anyItem, anyPath, anyValue.filter(isScalar), (item, path, operand) => {
    const scalar = compileScalarReader(path)(item)
    if (scalar === undefined) return true
    return ['$eq', '$gt', '$gte', '$lt', '$lte'].every(
      (operator) =>
        matches(item, { [path]: { [operator]: operand } }) ===
        matches({ x: scalar }, { x: { [operator]: operand } }),
    )
  }),
)

testProperty(
  'every item that matches a query meets the conditions that an index answers',
  fc.property(anyItem, anyQuery, (item, query) => {
    const selector = compileSelector(query)
    const meetsConditions = selector.byPath
      .flatMap(({ conditions }) => conditions)
      .every(({ path, operator, operand }) => matches(item, { [path]: { [operator]: operand } }))
    return !selector.matches(item) || meetsConditions
  }),
)

testProperty(
  'selectors and fields do not change an item',
  fc.property(anyItem, anyQuery, anyPath, (item, query, path) => {
    const frozen = deepFreeze(item)
    const before = JSON.stringify(frozen)
    compileSelector(query).matches(frozen)
    compileFields({ [path]: 0 })(frozen)
    compileFields({ [path]: 1 })(frozen)
    compileFields({ a: { $slice: 1 }, b: { $elemMatch: { $gte: 0 } } })(frozen)
    return JSON.stringify(frozen) === before
  }),
)

testProperty(
  'any input has a result or is a client error',
  fc.property(anyItem, anyMalformed, (item, json) => {
    const stored = { ...item, _id: 'x' }
    const calls: readonly (() => unknown)[] = [
      () => compileSelector(json).matches(stored),
      () => compileFields(json)(stored),
      () => compileSort(json)?.extractKey(stored),
    ]
    return calls.every(returnsOrIsClientError)
  }),
)

function returnsOrIsClientError(call: () => unknown): boolean {
  try {
    return call() !== null
  } catch (error) {
    return error instanceof CatalogueError
  }
}

function deepFreeze<Value extends Json>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze)
  return Object.freeze(value)
}
