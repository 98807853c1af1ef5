import fc from 'fast-check'
import t from 'tap'

import { Budget } from '../../src/query/budget.js'
import { compileSelector } from '../../src/query/selector/compile-selector.js'
import { Collection } from '../../src/store/collection.js'
import type { JsonObject } from '../../src/json/json.js'

const everything = () => true

const list = (collection: Collection): JsonObject[] => {
  const found = collection.find(
    {
      selector: compileSelector({}),
      sort: undefined,
      skip: 0,
      limit: 500,
      budget: new Budget(1000),
    },
    everything,
  )
  if (found instanceof Promise) throw new Error('a short list must not be a promise')
  return found.map(({ item }) => item)
}

t.test('any sequence of writes gives what a plain array gives', async () => {
  const write = fc.record({
    verb: fc.constantFrom('insert', 'replace', 'remove', 'save', 'restore'),
    id: fc.integer({ min: 0, max: 9 }).map(String),
    value: fc.integer(),
  })
  fc.assert(
    fc.property(fc.array(write, { maxLength: 40 }), (writes) => {
      const collection = new Collection('things', [])
      let model: JsonObject[] = []
      let [saved, savedModel] = [collection.save(), model]
      for (const { verb, id, value } of writes) {
        const entry = collection.findById(id, everything)
        const item = { _id: id, value }
        if (verb === 'insert' && entry === undefined) {
          collection.insert(item)
          model = [...model, item]
        } else if (verb === 'replace' && entry !== undefined) {
          collection.replace(entry, item)
          model = model.map((each) => (each._id === id ? item : each))
        } else if (verb === 'remove' && entry !== undefined) {
          collection.remove(entry)
          model = model.filter(({ _id }) => _id !== id)
        } else if (verb === 'save') {
          ;[saved, savedModel] = [collection.save(), model]
        } else if (verb === 'restore') {
          collection.restore(saved)
          model = savedModel
        }
        t.same(list(collection), model)
        t.equal(collection.size, model.length)
        t.same(
          collection.findById(id, everything)?.item,
          model.find(({ _id }) => _id === id),
        )
      }
    }),
    { numRuns: 200 },
  )
})

t.test('an item that the account may not see is not found', async (t) => {
  const collection = new Collection('things', [{ _id: 'a' }])
  t.equal(
    collection.findById('a', () => false),
    undefined,
  )
  t.equal(collection.findById('b', everything), undefined)
})

t.test('a list that takes long is of the items that there were, whatever is written', async (t) => {
  const items = Array.from({ length: 60_000 }, (_, n): JsonObject => ({ _id: `${n}`, n }))
  const collection = new Collection('things', items)
  const conditions = Array.from({ length: 100 }, (_, n) => ({ 'n.x': n }))
  const options = {
    selector: compileSelector({ $or: [...conditions, { n: { $gte: 59_998 } }] }),
    sort: undefined,
    skip: 0,
    limit: 500,
    budget: new Budget(20_000),
  }
  const first = collection.find(options, everything)
  t.ok(first instanceof Promise)
  for (const id of ['0', '59998']) {
    const entry = collection.findById(id, everything)
    if (entry !== undefined) collection.remove(entry)
  }
  const second = collection.find({ ...options, budget: new Budget(20_000) }, everything)
  collection.insert({ _id: 'new', n: 60_000 })
  const ids = async (found: typeof first) => (await found).map(({ item }) => item._id)
  t.strictSame(await ids(first), ['59998', '59999'])
  t.strictSame(await ids(second), ['59999'])
  t.strictSame(await ids(collection.find({ ...options, budget: new Budget(20_000) }, everything)), [
    '59999',
    'new',
  ])
})

const nothing = () => false

t.test('who sees nothing sees no item of nobody either', async (t) => {
  const collection = new Collection('things', [{ _id: 'a' }])
  const options = { selector: compileSelector({}), sort: undefined, skip: 0, limit: 10 }
  const find = (accepts: () => boolean) =>
    collection.find({ ...options, budget: new Budget(1000) }, accepts)
  t.strictSame(await find(nothing), [])
  t.equal((await find(everything)).length, 1)
})
