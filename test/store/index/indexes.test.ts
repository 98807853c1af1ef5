import fc from 'fast-check'
import t from 'tap'

import { Budget } from '../../../src/query/budget.js'
import { compileSort } from '../../../src/query/sort/compile-sort.js'
import { compileSelector } from '../../../src/query/selector/compile-selector.js'
import { evaluate } from '../../../src/query/evaluate.js'
import type { JsonObject } from '../../../src/json/json.js'
import { Collection } from '../../../src/store/collection.js'
import type { Entry } from '../../../src/store/entry.js'
import { Indexes, MIN_INDEXED } from '../../../src/store/index/indexes.js'
import { createPlan } from '../../../src/store/index/query-plan.js'

const everything = () => true

/** Values of every type that an index files, with few of each, so that they meet. */
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
  verb: fc.constantFrom('insert', 'replace', 'remove'),
  at: fc.nat({ max: 999 }),
  fields,
})

t.test('an answer with indexes is the answer without, over any writes', async (t) => {
  // The many that are alike make the collection large enough, and stand in the way of few.
  const many = Array.from({ length: MIN_INDEXED }, (_, index): JsonObject => ({
    _id: `m${index}`,
    a: index,
    b: `m${index}`,
    c: index % 7,
  }))
  let used = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fields, { maxLength: 20 }),
      fc.array(write, { maxLength: 15 }),
      fc.array(fc.tuple(query, sort, page), { minLength: 1, maxLength: 6 }),
      async (few, writes, listings) => {
        const collection = new Collection('things', [
          ...many,
          ...few.map((each, index) => ({ _id: `f${index}`, ...each }) as JsonObject),
        ])
        const agree = async (): Promise<void> => {
          for (const [asked, by, part] of listings) {
            const listing = {
              selector: compileSelector(asked as JsonObject),
              sort: compileSort(by as JsonObject),
              ...part,
              budget: new Budget(60_000),
            }
            const indexed = await settle(() => collection.find(listing, everything))
            const scanned = await settle(() =>
              evaluate(collection.save(), { ...listing, isIncluded: everything }),
            )
            t.strictSame(indexed, scanned, JSON.stringify([asked, by, part]))
            if (createPlan(listing, collection.save(), new Indexes()).description !== 'scan')
              used += 1
          }
        }
        await agree()
        for (const [number, { verb, at, fields: changed }] of writes.entries()) {
          const all = collection.save()
          const entry = all[at % all.length] as Entry
          if (verb === 'insert') collection.insert({ _id: `w${number}`, ...changed } as JsonObject)
          else if (verb === 'replace')
            collection.replace(entry, { _id: entry.item._id, ...changed } as JsonObject)
          else collection.remove(entry)
        }
        await agree()
      },
    ),
    { numRuns: 150 },
  )
  t.ok(used > 100, `an index was used ${used} times`)
})

t.test('the plan names what is used', async (t) => {
  const items = Array.from({ length: 1000 }, (_, index): JsonObject => ({
    _id: `i${index}`,
    a: index,
    odd: index % 2,
    list: [index],
  }))
  const all = new Collection('things', items).save()
  const planOf = (asked: JsonObject, by: JsonObject) => {
    const options = { selector: compileSelector(asked), sort: compileSort(by) }
    const plan = createPlan(options, all, new Indexes())
    return [plan.description, plan.count, plan.sort === undefined]
  }
  const cases: [query: JsonObject, sort: JsonObject, plan: unknown[]][] = [
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
  for (const [asked, by, plan] of cases)
    t.same(planOf(asked, by), plan, JSON.stringify([asked, by]))
})

t.test('a page of a span of a sorted index begins and ends in it', async (t) => {
  const items = Array.from({ length: 1000 }, (_, index): JsonObject => ({
    _id: `i${index}`,
    a: index % 10 === 0 ? null : index % 100,
  }))
  const collection = new Collection('things', items)
  const ask = async (asked: JsonObject, by: JsonObject, skip: number, limit: number) => {
    const found = await collection.find(
      {
        selector: compileSelector(asked),
        sort: compileSort(by),
        skip,
        limit,
        budget: new Budget(60_000),
      },
      everything,
    )
    return found.map(({ item }) => item._id)
  }
  t.same(await ask({ a: { $gte: 50 } }, { a: 1 }, 0, 3), ['i51', 'i151', 'i251'])
  t.same(await ask({ a: { $gt: 51 } }, { a: 1 }, 0, 2), ['i52', 'i152'])
  t.same(await ask({ a: { $lt: 50 } }, { a: -1 }, 1, 2), ['i149', 'i249'])
  t.same(await ask({ a: { $lte: 50 } }, { a: 1 }, 445, 10), [
    'i549',
    'i649',
    'i749',
    'i849',
    'i949',
  ])
  t.same(await ask({ a: { $gte: 50, $lt: 52 } }, { a: -1 }, 9, 5), ['i951'])
  t.same(await ask({ a: { $gt: 51, $lt: 52 } }, { a: -1 }, 0, 5), [])
})

t.test('a small collection has no indexes', async (t) => {
  const all = new Collection('things', [{ _id: 'a' }]).save()
  t.equal(
    createPlan({ selector: compileSelector({ _id: 'a' }), sort: undefined }, all, new Indexes())
      .description,
    'scan',
  )
})

/** The `_id`s of an answer, or the message it is refused with. */
async function settle(find: () => Entry[] | Promise<Entry[]>): Promise<unknown> {
  try {
    return (await find()).map(({ item }) => item._id)
  } catch (error) {
    return (error as Error).message
  }
}
