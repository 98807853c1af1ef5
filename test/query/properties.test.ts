import type { FastifyError } from '@fastify/error'
import fc from 'fast-check'
import t from 'tap'

import { Budget } from '../../src/query/budget.js'
import { compareValues, equalValues } from '../../src/query/values/compare-values.js'
import { evaluate } from '../../src/query/evaluate.js'
import { compileFields } from '../../src/query/projection/compile-fields.js'
import { compileSort } from '../../src/query/sort/compile-sort.js'
import { valuesAt } from '../../src/query/values/indexed-values.js'
import { compileSelector } from '../../src/query/selector/compile-selector.js'
import type { Json, JsonObject } from '../../src/json/json.js'
import { item, items, malformed, namedPath, operators, path, query, value } from './arbitraries.js'

const bounded = { numRuns: 3000, interruptAfterTimeLimit: 4000, markInterruptAsFailure: false }

const holds = (name: string, property: fc.IProperty<never> | { run: unknown }): Promise<unknown> =>
  t.test(name, async () => {
    fc.assert(property as fc.IProperty<unknown>, bounded)
  })

const met = (condition: JsonObject, document: JsonObject): boolean =>
  compileSelector(condition).matches(document)

const same = (a: JsonObject, b: JsonObject, document: JsonObject): boolean =>
  met(a, document) === met(b, document)

interface Held {
  readonly item: JsonObject
}

const numbered = (documents: readonly JsonObject[]): readonly Held[] =>
  documents.map((document, index) => ({ item: { ...document, _id: `${index}` } }))

/** A page of a sorted list; evaluated at once, or in turns where the machine is busy. */
const sorted = async (
  entries: readonly Held[],
  sort: JsonObject,
  { skip = 0, limit = 500 } = {},
): Promise<readonly Held[]> => {
  const order = compileSort(sort)
  return evaluate(entries, {
    selector: compileSelector({}),
    sort: order,
    skip,
    limit,
    budget: new Budget(5000),
  })
}

holds(
  '$nin is the negation of $in, and $in is an $or of $eq',
  fc.property(item, path, fc.array(value, { minLength: 1, maxLength: 4 }), (document, at, list) => {
    const within = met({ [at]: { $in: list } }, document)
    return (
      within !== met({ [at]: { $nin: list } }, document) &&
      within === met({ $or: list.map((entry) => ({ [at]: { $eq: entry } })) }, document)
    )
  }),
)

holds(
  '$not twice changes nothing, and once is a $nor',
  fc.property(item, path, operators, (document, at, condition) => {
    const plain = met({ [at]: condition }, document)
    return (
      plain === met({ [at]: { $not: { $not: condition } } }, document) &&
      plain !== met({ [at]: { $not: condition } }, document) &&
      plain !== met({ $nor: [{ [at]: condition }] }, document)
    )
  }),
)

holds(
  "De Morgan's laws hold of $and, $or and $nor",
  fc.property(item, query, query, (document, a, b) => {
    const [noA, noB] = [{ $nor: [a] }, { $nor: [b] }]
    return (
      same({ $nor: [a, b] }, { $and: [noA, noB] }, document) &&
      same({ $nor: [{ $and: [a, b] }] }, { $or: [noA, noB] }, document)
    )
  }),
)

holds(
  '$gte is $gt or $eq, and never holds with $lt on one scalar',
  fc.property(value, value, (stored, operand) => {
    const document = { a: stored }
    const [gt, gte, eq] = [{ a: { $gt: operand } }, { a: { $gte: operand } }, { a: operand }]
    const literal = { a: { $eq: operand } }
    const isScalar = typeof stored !== 'object' && eq.a === operand
    return (
      met(gte, document) === (met(gt, document) || met(literal, document)) &&
      !(isScalar && met(gte, document) && met({ a: { $lt: operand } }, document))
    )
  }),
)

holds(
  'the order of values is total: reversed by exchange, and transitive',
  fc.property(value, value, value, (a, b, c) => {
    const [ab, bc, ac] = [compareValues(a, b), compareValues(b, c), compareValues(a, c)]
    const reversed = Math.sign(compareValues(b, a)) === -Math.sign(ab)
    return reversed && !(ab <= 0 && bc <= 0 && ac > 0) && equalValues(a, a)
  }),
)

holds(
  'a sort by distinct keys, turned round, is the reverse; among equals the earlier comes first',
  fc.asyncProperty(items, namedPath, async (documents, at) => {
    const entries = numbered(documents)
    const up = await sorted(entries, { [at]: 1, _id: 1 })
    const plain = await sorted(entries, { [at]: 1 })
    const down = await sorted(entries, { _id: -1 })
    const isSame = (entry: Held, index: number): boolean => entry === up[index]
    return plain.every(isSame) && down.every((entry, index) => entry === entries.at(-1 - index))
  }),
)

holds(
  'pages of any size partition the sorted list',
  fc.asyncProperty(
    items,
    namedPath,
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom(1, -1),
    async (documents, at, limit, direction) => {
      const entries = numbered(documents)
      const sort = { [at]: direction }
      const pages = await Promise.all(
        entries.map((_, page) => sorted(entries, sort, { skip: page * limit, limit })),
      )
      const whole = await sorted(entries, sort)
      const paged = pages.flat()
      return (
        paged.length === entries.length && paged.every((entry, index) => entry === whole[index])
      )
    },
  ),
)

holds(
  'an inclusion and an exclusion of the same fields are complements',
  fc.property(item, fc.constantFrom('a', 'b'), (document, name) => {
    const stored = { ...document, _id: 'x' }
    const included = compileFields({ [name]: 1, _id: 0 })?.(stored)
    const excluded = compileFields({ [name]: 0 })?.(stored)
    const names = [...Object.keys(included ?? {}), ...Object.keys(excluded ?? {})]
    return `${names.toSorted()}` === `${Object.keys(stored).toSorted()}`
  }),
)

holds(
  'what an index files an item under holds every value that it can be met by',
  fc.property(item, path, value, (document, at, operand) => {
    const filed = valuesAt(at)(document)
    const eq = met({ [at]: { $eq: operand } }, document)
    const gte = met({ [at]: { $gte: operand } }, document)
    const isFiled = filed.some((entry) => equalValues(entry, operand))
    return (!eq || isFiled) && (!gte || filed.some((entry) => compareValues(entry, operand) >= 0))
  }),
)

holds(
  'every condition that is named for an index is met by what matches',
  fc.property(item, query, (document, condition) => {
    const { conditions, matches } = compileSelector(condition)
    const narrowed = conditions.every(({ path: at, operator, operand }) =>
      met({ [at]: { [operator]: operand } }, document),
    )
    return !matches(document) || narrowed
  }),
)

holds(
  'neither a selector, a key nor fields change a frozen item',
  fc.property(item, query, path, (document, condition, at) => {
    const frozen = deepFreeze(document)
    const before = JSON.stringify(frozen)
    compileSelector(condition).matches(frozen)
    compileFields({ [at]: 0 })?.(frozen)
    compileFields({ [at]: 1 })?.(frozen)
    compileFields({ a: { $slice: 1 }, b: { $elemMatch: { $gte: 0 } } })?.(frozen)
    return JSON.stringify(frozen) === before
  }),
)

holds(
  'whatever is asked, there is an answer or a refusal',
  fc.property(item, malformed, (document, json) => {
    const stored = { ...document, _id: 'x' }
    const asked: readonly (() => unknown)[] = [
      () => compileSelector(json).matches(stored),
      () => compileFields(json)?.(stored),
      () => compileSort(json)?.extractKey(stored),
    ]
    return asked.every(isAnsweredOrRefused)
  }),
)

function isAnsweredOrRefused(ask: () => unknown): boolean {
  try {
    return ask() !== null
  } catch (error) {
    return (error as Partial<FastifyError>).statusCode === 400
  }
}

function deepFreeze<Value extends Json>(thawed: Value): Value {
  if (typeof thawed === 'object' && thawed !== null) Object.values(thawed).forEach(deepFreeze)
  return Object.freeze(thawed)
}
