import fc from 'fast-check'
import t from 'tap'

import type { JsonObject } from '../../../src/json/json.js'
import { evaluate } from '../../../src/query/evaluate.js'
import { compileSelector } from '../../../src/query/selector/compile-selector.js'
import { compileSort } from '../../../src/query/sort/compile-sort.js'
import { Collection } from '../../../src/store/collection.js'
import type { Entry } from '../../../src/store/entry.js'
import { Indexes, MIN_INDEXED } from '../../../src/store/index/indexes.js'
import { Scheduler } from '../../../src/work/scheduler.js'
import { runToEnd } from '../../../src/work/work.js'
import { createPlan } from '../../../src/store/index/query-plan.js'

const allVisible = () => true

/** Scalars of every indexed type. There are few of each, so that equal ones occur. */
const scalar = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom('a', 'b', 'B', ''),
  fc.boolean(),
  fc.constant(null),
)
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ b: scalar }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.record({ b: scalar }, { requiredKeys: [] }), { maxLength: 2 }),
  },
)
const fields = fc.record({ a: value, b: value, c: scalar }, { requiredKeys: [] })
const path = fc.constantFrom('a', 'b', 'c', 'a.b', 'a.0')
const comparison = fc.record(
  {
    $gt: scalar,
    $gte: scalar,
    $lt: scalar,
    $lte: scalar,
    $eq: scalar,
    $in: fc.array(scalar, { maxLength: 3 }),
  },
  { requiredKeys: [] },
)
const query = fc.dictionary(
  path,
  fc.oneof(
    scalar,
    comparison.filter((each) => Object.keys(each).length > 0),
  ),
  { maxKeys: 2 },
)
const sort = fc.dictionary(path, fc.constantFrom(1, -1), { maxKeys: 2 })
const page = fc.record({ skip: fc.nat({ max: 600 }), limit: fc.integer({ min: 1, max: 600 }) })
const write = fc.record({
  operation: fc.constantFrom('insert', 'replace', 'remove'),
  at: fc.nat({ max: 999 }),
  fields,
})

t.test('a list has the same items with and without indexes, after any writes', async (t) => {
  // These items make the collection large enough to be indexed.
  const fillers = Array.from({ length: MIN_INDEXED }, (_, index): JsonObject => ({
    _id: `m${index}`,
    a: index,
    b: `m${index}`,
    c: index % 7,
  }))
  let plansWithIndex = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fields, { maxLength: 20 }),
      fc.array(write, { maxLength: 15 }),
      fc.array(fc.tuple(query, sort, page), { minLength: 1, maxLength: 6 }),
      async (items, writes, listQueries) => {
        const collection = new Collection(
          'things',
          [
            ...fillers,
            ...items.map((each, index) => ({ _id: `f${index}`, ...each }) as JsonObject),
          ],
          new Scheduler(),
        )
        const compare = async (): Promise<void> => {
          for (const [filter, order, paging] of listQueries) {
            const options = {
              selector: compileSelector(filter as JsonObject),
              sort: compileSort(order as JsonObject),
              ...paging,
            }
            const indexed = await idsOrMessage(() => runToEnd(collection.find(options, allVisible)))
            const scanned = await idsOrMessage(() =>
              runToEnd(evaluate(collection.entries, { ...options, isIncluded: allVisible })),
            )
            t.strictSame(indexed, scanned, JSON.stringify([filter, order, paging]))
            if (
              createPlan(options, collection.entries, new Indexes(new Scheduler())).description !==
              'scan'
            )
              plansWithIndex += 1
          }
        }
        await compare()
        for (const [number, { operation, at, fields: changed }] of writes.entries()) {
          const all = collection.entries
          const entry = all[at % all.length] as Entry
          if (operation === 'insert')
            collection.insert({ _id: `w${number}`, ...changed } as JsonObject)
          else if (operation === 'replace')
            collection.replace(entry, { _id: entry.item._id, ...changed } as JsonObject)
          else collection.remove(entry)
        }
        await compare()
      },
    ),
    { numRuns: 150 },
  )
  t.ok(plansWithIndex > 100, `${plansWithIndex} plans used an index`)
})

t.test('the description of a plan names the index that it uses', async (t) => {
  const items = Array.from({ length: 1000 }, (_, index): JsonObject => ({
    _id: `i${index}`,
    a: index,
    odd: index % 2,
    list: [index],
  }))
  const all = new Collection('things', items, new Scheduler()).entries
  const plan = (filter: JsonObject, order: JsonObject) => {
    const options = { selector: compileSelector(filter), sort: compileSort(order) }
    const {
      description,
      count,
      sort: remaining,
    } = createPlan(options, all, new Indexes(new Scheduler()))
    return [description, count, remaining === undefined]
  }
  const cases: [query: JsonObject, sort: JsonObject, expected: unknown[]][] = [
    [{}, {}, ['scan', 1000, true]],
    [{ a: 5 }, {}, ['hash index on a', 1, true]],
    [{ a: { $in: [5, 6, 6] } }, {}, ['hash index on a', 2, true]],
    [{ $and: [{ odd: 1 }, { a: 5 }] }, {}, ['hash index on a', 1, true]],
    [{ a: { $gte: 5, $lt: 9 } }, {}, ['sorted index on a', 4, true]],
    [{ list: { $gte: 990, $lt: 9 } }, {}, ['sorted index on list', 9, true]],
    [{ a: 5 }, { a: 1 }, ['hash index on a', 1, false]],
    [{}, { a: 1 }, ['sorted index on a, for the order', 1000, true]],
    [{ odd: 1 }, { a: -1 }, ['sorted index on a, for the order', 1000, true]],
    [{ a: { $gte: 300 } }, { a: 1 }, ['sorted index on a, for the order', 700, true]],
    [{ a: { $gte: 300, $lt: 999 } }, { a: -1 }, ['sorted index on a, for the order', 699, true]],
    [{ a: { $gt: '' }, odd: { $gte: 0 } }, { a: 1 }, ['sorted index on a', 0, false]],
    [{ odd: 1 }, {}, ['scan', 1000, true]],
    [{}, { list: 1 }, ['scan', 1000, false]],
    [{}, { a: 1, odd: 1 }, ['scan', 1000, false]],
    [{ $or: [{ a: 5 }] }, {}, ['scan', 1000, true]],
    [{ a: [5] }, {}, ['scan', 1000, true]],
  ]
  for (const [filter, order, expected] of cases)
    t.same(plan(filter, order), expected, JSON.stringify([filter, order]))
})

t.test('a page of a range of a sorted index begins and ends within the range', async (t) => {
  const items = Array.from({ length: 1000 }, (_, index): JsonObject => ({
    _id: `i${index}`,
    a: index % 10 === 0 ? null : index % 100,
  }))
  const collection = new Collection('things', items, new Scheduler())
  const find = async (filter: JsonObject, order: JsonObject, skip: number, limit: number) => {
    const options = { selector: compileSelector(filter), sort: compileSort(order), skip, limit }
    const found = runToEnd(collection.find(options, allVisible))
    return found.map(({ item }) => item._id)
  }
  t.same(await find({ a: { $gte: 50 } }, { a: 1 }, 0, 3), ['i51', 'i151', 'i251'])
  t.same(await find({ a: { $gt: 51 } }, { a: 1 }, 0, 2), ['i52', 'i152'])
  t.same(await find({ a: { $lt: 50 } }, { a: -1 }, 1, 2), ['i149', 'i249'])
  t.same(await find({ a: { $lte: 50 } }, { a: 1 }, 445, 10), [
    'i549',
    'i649',
    'i749',
    'i849',
    'i949',
  ])
  t.same(await find({ a: { $gte: 50, $lt: 52 } }, { a: -1 }, 9, 5), ['i951'])
  t.same(await find({ a: { $gt: 51, $lt: 52 } }, { a: -1 }, 0, 5), [])
})

t.test('a small collection has no indexes', async (t) => {
  const all = new Collection('things', [{ _id: 'a' }], new Scheduler()).entries
  t.equal(
    createPlan(
      { selector: compileSelector({ _id: 'a' }), sort: undefined },
      all,
      new Indexes(new Scheduler()),
    ).description,
    'scan',
  )
})

/** Returns the `_id`s of the items found, or the message of the error. */
async function idsOrMessage(find: () => Entry[]): Promise<unknown> {
  try {
    return find().map(({ item }) => item._id)
  } catch (error) {
    return (error as Error).message
  }
}

t.test('more candidates than can be ordered at once are found by a scan', async (t) => {
  const all = Array.from({ length: 60_000 }, () => ({}) as Entry)
  const options = { selector: compileSelector({}), sort: compileSort({ a: 1, b: 1 }) }
  const planFor = (count: number): string => {
    const narrowed = { description: 'index', exactConditions: [], count, entries: () => all }
    const indexes = { narrow: () => narrowed } as unknown as Indexes
    return createPlan(options, all, indexes).description
  }
  t.same([planFor(50_000), planFor(50_001)], ['index', 'scan'])
})
