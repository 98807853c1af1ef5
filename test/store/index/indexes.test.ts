import { deepStrictEqual } from 'node:assert/strict'

import fc from 'fast-check'
import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { compileSelector, compileSort, evaluate } from '@materials-mock/query'
import { Scheduler, runToEnd } from '@materials-mock/work'
import { Collection } from '../../../src/store/collection.js'
import type { Entry, VisibilityFilter } from '../../../src/store/entry.js'
import { Index } from '../../../src/store/index/index.js'
import { createPlan, MIN_INDEXED } from '../../../src/store/index/query-plan.js'
import { View } from '../../../src/store/index/view.js'
import { waitFor } from '../../helpers/build.js'
import { replace } from '../../helpers/replace.js'

const allVisible = () => true

const seesAnn: VisibilityFilter = ({ ownerId }) => ownerId !== 'bob'

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
const owner = fc.record({ _id: fc.constantFrom('ann', 'bob') })
const fields = fc.record({ a: value, b: value, c: scalar, d: scalar, owner }, { requiredKeys: [] })
const path = fc.constantFrom('a', 'b', 'c', 'd', 'a.b', 'a.0')
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
  operation: fc.constantFrom('insert', 'replace', 'remove', 'save', 'restore'),
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
    d: index % 5 === 0 ? null : index,
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
        let saved = collection.save()
        const compare = async (isVisible: VisibilityFilter): Promise<void> => {
          for (const [filter, order, paging] of listQueries) {
            const options = {
              selector: compileSelector(filter as JsonObject),
              sort: compileSort(order as JsonObject),
              ...paging,
            }
            const indexed = await idsOrMessage(() => runToEnd(collection.find(options, isVisible)))
            const scanned = await idsOrMessage(() =>
              runToEnd(evaluate(collection.entries.filter(isVisible), options)),
            )
            deepStrictEqual(indexed, scanned)
            if (Array.isArray(scanned)) {
              const matching = collection.entries.filter(
                (each) => isVisible(each) && options.selector.matches(each.item),
              ).length
              const { total = -1 } = runToEnd(collection.findPage(options, isVisible))
              const counted = typeof total === 'number' ? total : runToEnd(total)
              deepStrictEqual(counted, matching, 'the number of all that match')
            }
            if (createPlan(options, runToEnd(collection.view(isVisible))).description !== 'scan')
              plansWithIndex += 1
          }
        }
        for (const isVisible of [allVisible, seesAnn]) await compare(isVisible)
        for (const [number, { operation, at, fields: changed }] of writes.entries()) {
          const all = collection.entries
          const entry = all[at % all.length] as Entry
          if (operation === 'insert')
            collection.insert({ _id: `w${number}`, ...changed } as JsonObject)
          else if (operation === 'replace')
            collection.replace(entry, { _id: entry.item._id, ...changed } as JsonObject)
          else if (operation === 'remove') collection.remove(entry)
          else if (operation === 'save') saved = collection.save()
          else collection.restore(saved)
          await compare(number % 2 === 0 ? allVisible : seesAnn)
        }
        for (const isVisible of [allVisible, seesAnn]) await compare(isVisible)
      },
    ),
    { numRuns: 100 },
  )
  t.ok(plansWithIndex > 200, `${plansWithIndex} plans used an index`)
})

t.test('the description of a plan names the index that it uses', async (t) => {
  const items = Array.from({ length: 1000 }, (_, index): JsonObject => ({
    _id: `i${index}`,
    a: index,
    odd: index % 2,
    list: index === 7 ? [index] : index,
    deep: index === 7 ? {} : index,
  }))
  const view = runToEnd(new Collection('things', items, new Scheduler()).view(allVisible))
  const plan = (filter: JsonObject, order: JsonObject) => {
    const options = { selector: compileSelector(filter), sort: compileSort(order) }
    const { description, entries, sort: remaining, isExact } = createPlan(options, view)
    return [description, entries.length, remaining === undefined, isExact]
  }
  const downFrom5 = Array.from({ length: 101 }, (_, index) => 5 - index)
  const cases: [query: JsonObject, sort: JsonObject, expected: unknown[]][] = [
    [{}, {}, ['scan', 1000, true, true]],
    [{ a: 5 }, {}, ['index on a', 1, true, true]],
    [{ a: { $in: [5, 6, 6] } }, {}, ['index on a', 2, true, true]],
    [{ $and: [{ odd: 1 }, { a: 5 }] }, {}, ['index on a', 1, true, false]],
    [{ a: { $in: downFrom5.slice(0, 100) } }, {}, ['index on a', 6, true, true]],
    [{ a: { $in: downFrom5 } }, {}, ['scan', 1000, true, false]],
    [{ a: { $gte: 5, $lt: 9 } }, {}, ['index on a', 4, true, true]],
    [{ a: { $gte: 5, $lt: 9, $in: [1, 7, 8] } }, {}, ['index on a', 2, true, true]],
    [{ a: { $gte: 9, $lt: 5 } }, {}, ['index on a', 0, true, true]],
    [{ list: { $gte: 990 } }, {}, ['scan', 1000, true, false]],
    [{ deep: 3 }, {}, ['scan', 1000, true, false]],
    [{ 'deep.x': 3 }, {}, ['index on deep.x', 0, true, true]],
    [{ a: 5 }, { a: 1 }, ['index on a', 1, false, true]],
    [{}, { a: 1 }, ['index on a, for the order', 1000, true, true]],
    [{ odd: 1 }, { a: -1 }, ['index on a, for the order', 1000, true, false]],
    [{ a: { $gte: 300 } }, { a: 1 }, ['index on a, for the order', 700, true, true]],
    [{ a: { $gte: 300, $lt: 999 } }, { a: -1 }, ['index on a, for the order', 699, true, true]],
    [{ a: { $gt: '' }, odd: { $gte: 0 } }, { a: 1 }, ['index on a', 0, false, false]],
    [{ odd: 1 }, {}, ['index on odd', 500, true, true]],
    [{ odd: 1, list: 3 }, {}, ['scan', 1000, true, false]],
    [{ a: { $lt: 500 } }, {}, ['scan', 1000, true, false]],
    [{}, { list: 1 }, ['scan', 1000, false, true]],
    [{}, { a: 1, odd: 1 }, ['scan', 1000, false, true]],
    [{ $or: [{ a: 5 }] }, {}, ['scan', 1000, true, false]],
    [{ a: [5] }, {}, ['scan', 1000, true, false]],
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

t.test('a small view has no indexes', async (t) => {
  const view = runToEnd(new Collection('things', [{ _id: 'a' }], new Scheduler()).view(allVisible))
  const options = { selector: compileSelector({ _id: 'a' }), sort: undefined }
  t.equal(createPlan(options, view).description, 'scan')
})

/** Returns the `_id`s of the items found, or the message of the error. */
async function idsOrMessage(find: () => Entry[]): Promise<unknown> {
  try {
    return find().map(({ item }) => item._id)
  } catch (error) {
    return (error as Error).message
  }
}

/** Returns the plan for an equality that so many of 60,000 items meet, and a sort. */
async function planFor(count: number): Promise<string> {
  const items = Array.from({ length: 60_000 }, (_, n) => ({ _id: `${n}`, c: n < count ? 1 : 2 }))
  const { entries } = new Collection('things', items, new Scheduler())
  const view = new View([...entries], new Scheduler())
  await waitFor(() => view.findIndex('c') !== undefined)
  const options = { selector: compileSelector({ c: 1 }), sort: compileSort({ a: 1, b: 1 }) }
  return createPlan(options, view).description
}

t.test('more candidates than can be ordered at once are found by a scan', async (t) => {
  t.same([await planFor(50_000), await planFor(50_001)], ['index on c', 'scan'])
})

t.test('a query creates one index, and none in place of one that it uses itself', async (t) => {
  const items = Array.from({ length: 1000 }, (_, index) => ({ _id: `i${index}` }))
  const entries = new Collection('things', items, new Scheduler()).entries
  let count = 0
  const { create } = Index
  replace(t, Index, 'create', (...given: Parameters<typeof create>) => {
    count += 1
    return create.apply(Index, given)
  })
  const paths = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`p${index}`, null]))
  for (const [maxPlaces, expected] of [
    [7000, 7],
    [5000, 5],
    [999, 0],
  ] as const) {
    const view = new View([...entries], new Scheduler(), maxPlaces)
    const options = { selector: compileSelector(paths), sort: compileSort({ other: 1 }) }
    const before = count
    for (let turn = 1; turn <= 20; turn += 1) {
      createPlan(options, view)
      t.equal(count - before, Math.min(turn, expected), `${maxPlaces} places, query ${turn}`)
    }
  }
})
