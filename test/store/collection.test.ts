import { deepStrictEqual, equal } from 'node:assert/strict'

import fc from 'fast-check'
import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { compileSelector, compileSort } from '@materials-mock/query'
import { LARGE_TURN, Scheduler, runToEnd } from '@materials-mock/work'
import type { Work } from '@materials-mock/work'
import { Collection } from '../../src/store/collection.js'
import type { Entry } from '../../src/store/entry.js'
import { SharedMap } from '../../src/store/shared-map.js'

const allVisible = () => true

const OPTIONS = { selector: compileSelector({}), sort: undefined, skip: 0, limit: 500 }

const list = (collection: Collection): JsonObject[] =>
  runToEnd(collection.find(OPTIONS, allVisible)).map(({ item }) => item)

t.test('any sequence of writes has the same result as on a plain array', async () => {
  const write = fc.record({
    operation: fc.constantFrom('insert', 'replace', 'remove', 'save', 'restore'),
    id: fc.integer({ min: 0, max: 9 }).map(String),
    value: fc.integer(),
  })
  fc.assert(
    fc.property(fc.array(write, { maxLength: 40 }), (writes) => {
      const collection = new Collection('things', [], new Scheduler())
      let expected: JsonObject[] = []
      let [saved, savedExpected] = [collection.save(), expected]
      for (const { operation, id, value } of writes) {
        const entry = collection.findById(id, allVisible)
        const item = { _id: id, value, isDefault: value % 2 === 0 }
        if (operation === 'insert' && entry === undefined) {
          collection.insert(item)
          expected = [...expected, item]
        } else if (operation === 'replace' && entry !== undefined) {
          collection.replace(entry, item)
          expected = expected.map((each) => (each._id === id ? item : each))
        } else if (operation === 'remove' && entry !== undefined) {
          collection.remove(entry)
          expected = expected.filter(({ _id }) => _id !== id)
        } else if (operation === 'save') {
          ;[saved, savedExpected] = [collection.save(), expected]
        } else if (operation === 'restore') {
          collection.restore(saved)
          expected = savedExpected
        }
        deepStrictEqual(list(collection), expected)
        equal(collection.size, expected.length)
        deepStrictEqual(
          collection.listDefaults(() => true).map((each) => each.item),
          expected.filter((each) => each.isDefault),
        )
        deepStrictEqual(
          collection.findById(id, allVisible)?.item,
          expected.find(({ _id }) => _id === id),
        )
      }
    }),
    { numRuns: 200 },
  )
})

t.test('an item that is not visible is not found', async (t) => {
  const collection = new Collection('things', [{ _id: 'a' }], new Scheduler())
  t.equal(
    collection.findById('a', () => false),
    undefined,
  )
  t.equal(collection.findById('b', allVisible), undefined)
})

const ids = (work: Work<Entry[]>): unknown[] => runToEnd(work).map(({ item }) => item._id)

t.test(
  'a long evaluation lists the items as they were when it started, whatever is written',
  async (t) => {
    const items = Array.from({ length: 60_000 }, (_, n): JsonObject => ({ _id: `${n}`, n }))
    const collection = new Collection('things', items, new Scheduler())
    const conditions = Array.from({ length: 100 }, (_, n) => ({ 'n.x': n }))
    const options = {
      selector: compileSelector({ $or: [...conditions, { n: { $gte: 59_998 } }] }),
      sort: undefined,
      skip: 0,
      limit: 500,
    }
    const start = () => {
      const work = collection.find(options, allVisible)
      t.equal(work.next().done, false, 'the evaluation takes more than one step')
      return work
    }
    const first = start()
    for (const id of ['0', '59998']) {
      const entry = collection.findById(id, allVisible)
      if (entry !== undefined) collection.remove(entry)
    }
    const second = start()
    collection.insert({ _id: 'new', n: 60_000 })
    t.strictSame(ids(first), ['59998', '59999'])
    t.strictSame(ids(second), ['59999'])
    t.strictSame(ids(start()), ['59999', 'new'])
  },
)

t.test('a filter that hides every item also hides one without an owner', async (t) => {
  const collection = new Collection('things', [{ _id: 'a' }], new Scheduler())
  const options = { selector: compileSelector({}), sort: undefined, skip: 0, limit: 10 }
  const find = (isVisible: () => boolean) => runToEnd(collection.find(options, isVisible))
  t.strictSame(
    find(() => false),
    [],
  )
  t.equal(find(allVisible).length, 1)
})

const listIds = (work: Work<Entry[]>) => runToEnd(work).map(({ id }) => id)

const hidesBob = ({ ownerId }: Pick<Entry, 'ownerId'>) => ownerId !== 'bob'

const hidesAnn = ({ ownerId }: Pick<Entry, 'ownerId'>) => ownerId !== 'ann'

t.test('what an account sees of many entries is found in steps, also while they change', (t) => {
  const items = Array.from({ length: 20_000 }, (_, index) => ({
    _id: String(index),
    owner: { _id: index % 2 === 0 ? 'ann' : 'bob' },
  }))
  const collection = new Collection('things', items, new Scheduler())
  const options = { ...OPTIONS, limit: 1 }
  const first = collection.find(options, hidesAnn)
  let steps = 0
  let step = first.next()
  for (; step.done !== true; step = first.next()) steps += 1
  t.ok(steps >= 10, `${steps} steps`)
  t.same(step.value[0]?.id, '1')
  t.ok([...collection.find(options, hidesAnn)].length < steps, 'it is kept')

  const last = { ...OPTIONS, skip: 9999 }
  const second = collection.find(last, hidesBob)
  second.next()
  collection.insert({ _id: 'new', owner: { _id: 'ann' } })
  t.same(listIds(second), ['19998'])
  t.same(listIds(collection.find(last, hidesBob)), ['19998', 'new'])
  t.end()
})

t.test('an account shares the view of all entries as long as it sees all of them', (t) => {
  const collection = new Collection('things', [{ _id: 'i' }], new Scheduler())
  const view = runToEnd(collection.view(hidesAnn))
  t.equal(view, runToEnd(collection.view(allVisible)))
  const hidden = collection.insert({ _id: 'hidden', owner: { _id: 'ann' } })
  t.equal(runToEnd(collection.find(OPTIONS, hidesAnn)).length, 1)
  t.not(runToEnd(collection.view(hidesAnn)), view)
  t.equal(runToEnd(collection.view(allVisible)), view)
  collection.remove(hidden)
  const entry = collection.insert({ _id: 'j', owner: { _id: 'bob' } })
  t.equal(runToEnd(collection.find(OPTIONS, hidesAnn)).length, 2)
  collection.replace(entry, { _id: 'j', owner: { _id: 'ann' } })
  t.equal(runToEnd(collection.find(OPTIONS, hidesAnn)).length, 1)
  t.end()
})

t.test('many entries are replaced as one is, with or without the indexes that follow', (t) => {
  for (const count of [50, 150]) {
    const items = Array.from({ length: 1000 }, (_, n) => ({
      _id: `i${n}`,
      n: n % 7,
      isDefault: true,
    }))
    const collection = new Collection('things', items, new Scheduler())
    const saved = collection.save()
    const find = () => {
      const options = { ...OPTIONS, selector: compileSelector({ isDefault: false }) }
      return runToEnd(collection.find(options, allVisible)).map(({ item }) => item._id)
    }
    t.same(find(), [])
    const index = runToEnd(collection.view(allVisible)).findIndex('isDefault')
    const replaced = collection.entries.slice(7, 7 + count)
    collection.replaceMany(replaced, (item) => ({ ...item, isDefault: false }))
    t.same(
      find(),
      items.slice(7, 7 + count).map(({ _id }) => _id),
    )
    t.same(collection.findById('i7', allVisible)?.item['isDefault'], false)
    t.not(runToEnd(collection.view(allVisible)).findIndex('isDefault'), index)
    collection.restore(saved)
    t.same(find(), [])
  }
  t.end()
})

t.test('a sort that holds many items waits for a turn before it reads them', async (t) => {
  const items = Array.from({ length: 6000 }, (_, index) => ({ _id: `i${index}`, n: -index }))
  const collection = new Collection('things', items, new Scheduler())
  const sort = compileSort({ n: 1, _id: 1 })
  const options = { ...OPTIONS, sort, skip: 5999, limit: 500 }
  const finding = collection.find(options, allVisible)
  t.equal(finding.next().value, LARGE_TURN)
  collection.insert({ _id: 'new', n: 1 })
  t.same(
    runToEnd(finding).map(({ item }) => item._id),
    ['i0', 'new'],
  )
  for (const each of [
    { ...options, skip: 0 },
    { ...options, sort: undefined },
  ])
    t.not(collection.find(each, allVisible).next().value, LARGE_TURN)
})

t.test('copies of a map are as independent as those of a Map', async () => {
  const write = fc.record({
    map: fc.nat(3),
    operation: fc.constantFrom('set', 'delete', 'copy'),
    key: fc.oneof(fc.nat(9).map(String), fc.string()),
    value: fc.nat(),
  })
  fc.assert(
    fc.property(fc.array(write, { maxLength: 60 }), (writes) => {
      const maps = [{ shared: new SharedMap<number>(), plain: new Map<string, number>() }]
      for (const { map, operation, key, value } of writes) {
        const { shared, plain } = maps[map % maps.length]!
        if (operation === 'copy') {
          maps.push({ shared: shared.copy(), plain: new Map(plain) })
        } else if (operation === 'set') {
          shared.set(key, value)
          plain.set(key, value)
        } else {
          shared.delete(key)
          plain.delete(key)
        }
      }
      for (const { shared, plain } of maps) {
        deepStrictEqual(shared.values().toSorted(), [...plain.values()].toSorted())
        for (const [key, value] of plain) equal(shared.get(key), value)
      }
    }),
  )
})
