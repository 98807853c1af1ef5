import t from 'tap'

import { IndexPool } from '../../../src/store/index/index-pool.js'
import type { UpdatableIndex } from '../../../src/store/index/index-pool.js'
import { Collection } from '../../../src/store/collection.js'
import type { Entry } from '../../../src/store/entry.js'
import { Scheduler } from '../../../src/work/scheduler.js'
import type { Work } from '../../../src/work/work.js'

/** An index that only records the entries it has. */
class TestIndex implements UpdatableIndex {
  readonly entries = new Set<Entry>()
  add(entry: Entry): void {
    this.entries.add(entry)
  }
  remove(entry: Entry): void {
    this.entries.delete(entry)
  }
}

const createCollection = (count: number): Collection =>
  new Collection(
    'things',
    Array.from({ length: count }, (_, n) => ({ _id: `${n}` })),
    new Scheduler(),
  )

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A pool over some entries, which counts the indexes that it creates. */
function createPool(entries: readonly Entry[]) {
  const pool = new IndexPool<TestIndex>(new Scheduler())
  const created: string[] = []
  const get = (key: string) =>
    pool.get(key, entries, function* create(each): Work<TestIndex> {
      created.push(key)
      const index = new TestIndex()
      for (const entry of each) {
        index.add(entry)
        yield 'creating an index'
      }
      return index
    })
  return { pool, created, get }
}

t.test('a small index is there at once, and follows the writes', async (t) => {
  const { entries } = createCollection(3)
  const { pool, get } = createPool(entries)
  const index = get('a')
  t.equal(index?.entries.size, 3)
  pool.remove(entries[0] as Entry)
  t.equal(get('a')?.entries.size, 2)
})

t.test('a large index is created in the background, with the writes meanwhile', async (t) => {
  const { entries } = createCollection(200_000)
  const { pool, created, get } = createPool(entries)
  t.equal(get('a'), undefined)
  t.ok(pool.isCreating)
  t.equal(get('b'), undefined, 'one index at a time')
  pool.remove(entries[0] as Entry)
  for (let turn = 0; pool.isCreating && turn < 10_000; turn += 1) await nextTurn()
  t.equal(get('a')?.entries.size, 199_999)
  t.same(created, ['a'])
})

t.test('a creation is given up after too many writes, and when it is cancelled', async (t) => {
  const { entries } = createCollection(200_000)
  const { pool, get } = createPool(entries)
  get('a')
  for (let count = 0; count <= 1000; count += 1) pool.add(entries[count] as Entry)
  t.notOk(pool.isCreating)
  get('a')
  t.ok(pool.isCreating)
  pool.cancelCreation()
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
  t.notOk(pool.isCreating)
})

t.test('no number of queries on new paths drops the indexes that are in use', async (t) => {
  const { created, get } = createPool(createCollection(3).entries)
  const used = Array.from({ length: 32 }, (_, n) => `used ${n}`)
  for (let query = 0; query < 500; query += 1) {
    for (const key of used.slice(0, 4)) get(key)
    if (query === 0) for (const key of used) get(key)
    for (let path = 0; path < 200; path += 1) get(`${query} ${path}`)
  }
  t.equal(created.filter((key) => used.slice(0, 4).includes(key)).length, 4)
  t.ok(created.length < 100, `${created.length} indexes were created for 100,000 paths`)
  for (let use = 0; use < 2000; use += 1) get('new')
  t.ok(get('new'), 'an index that is used often gets its place')
})
