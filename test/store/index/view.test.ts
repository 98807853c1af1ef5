import t from 'tap'

import type { Json, JsonObject } from '@materials-mock/json'
import type { EntryList } from '@materials-mock/query'
import { Scheduler, runToEnd } from '@materials-mock/work'
import { Collection } from '../../../src/store/collection.js'
import type { Entry } from '../../../src/store/entry.js'
import { Index } from '../../../src/store/index/index.js'
import { View, Views } from '../../../src/store/index/view.js'
import { replace } from '../../helpers/replace.js'

const createEntries = (count: number, createFields: (n: number) => JsonObject = () => ({})) =>
  new Collection(
    'things',
    Array.from({ length: count }, (_, n) => ({ _id: `${n}`, ...createFields(n) })),
    new Scheduler(),
  ).entries

const createView = (entries: readonly Entry[]): View => new View([...entries], new Scheduler())

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Waits until a view has an index. */
async function waitForIndex(view: View, path: string): Promise<Index> {
  for (let turn = 0; turn < 10_000; turn += 1) {
    const index = view.findIndex(path)
    if (index !== undefined) return index
    await nextTurn()
  }
  throw new Error(`there is no index on ${path}`)
}

const sizeOf = (index: Index | undefined): number | undefined => index?.whole.to

t.test('a small index is there at once, and follows the writes', async (t) => {
  const [first, ...others] = createEntries(3)
  const view = createView([first as Entry, ...others])
  t.equal(sizeOf(view.findIndex('a')), 3)
  view.write(first, undefined)
  t.equal(sizeOf(view.findIndex('a')), 2)
})

t.test('a large index is created in the background, with the writes meanwhile', async (t) => {
  const entries = createEntries(100_000)
  const view = createView(entries)
  t.equal(view.findIndex('a'), undefined)
  t.equal(view.findIndex('b'), undefined, 'one index at a time')
  view.write(entries[0], undefined)
  t.equal(sizeOf(await waitForIndex(view, 'a')), 99_999)
})

t.test('a creation that is cancelled is given up', async (t) => {
  const view = createView(createEntries(100_000))
  view.findIndex('a')
  view.cancelCreation()
  for (let turn = 0; turn < 200; turn += 1) await nextTurn()
  // If it had been created in these turns, it would be there.
  t.equal(view.findIndex('a'), undefined)
  t.equal(sizeOf(await waitForIndex(view, 'a')), 100_000)
})

t.test('the most recently used indexes are kept', async (t) => {
  const view = createView(createEntries(3))
  const [used, unused] = [view.findIndex('used'), view.findIndex('unused')]
  for (let path = 0; path < 100; path += 1) {
    view.findIndex(`other ${path}`)
    t.equal(view.findIndex('used'), used)
  }
  t.not(view.findIndex('unused'), unused)
})

t.test('a view has no index with more places than its indexes may have together', async (t) => {
  const view = new View([...createEntries(3)], new Scheduler(), 5)
  const first = view.findIndex('a')
  t.equal(sizeOf(first), 3)
  t.equal(view.findIndex('a'), first)
  t.equal(sizeOf(view.findIndex('b')), 3)
  t.not(view.findIndex('a'), first, 'the index on b took its places')
  t.equal(new View([...createEntries(3)], new Scheduler(), 2).findIndex('a'), undefined)
})

t.test('the views of the accounts that were used last are kept', async (t) => {
  const views = new Views([...createEntries(3)], new Scheduler())
  const accounts = Array.from({ length: 9 }, () => () => false)
  const find = (account: () => boolean) => runToEnd(views.find(account))
  const [first, ...others] = accounts.map(find)
  t.ok(others.every((view, n) => find(accounts[n + 1] as () => boolean) === view))
  t.not(find(accounts[0] as () => boolean), first)
})

t.test(
  'an index has at most one place for each entry, and none for what is no scalar',
  async (t) => {
    const array = Array.from({ length: 1000 }, (_, n) => n)
    const values: Json[] = [1, array, { b: 1 }, null, 'x'.repeat(2000), 'x']
    const entries = createEntries(values.length, (n) => ({ a: values[n] as Json }))
    const index = runToEnd(Index.create('a', entries))
    t.equal(sizeOf(index), 3)
    t.notOk(index.isComplete)
    for (const entry of entries.filter((_, n) => n === 1 || n === 2)) index.write(entry, undefined)
    t.notOk(index.isComplete)
    index.write(entries[4], undefined)
    t.ok(index.isComplete)
    index.write(undefined, entries[1])
    t.notOk(index.isComplete, 'a write that brings an array')
  },
)

const valueOf = ({ item }: Entry): number => (item['a'] === null ? -1 : Number(item['a']))

const ids = (list: readonly (Entry | undefined)[]) => list.map((entry) => entry?.item['_id'])

const listOf = ({ length, at }: EntryList<Entry>) => Array.from({ length }, (_, n) => at(n))

t.test('descending order keeps equal values in natural order', async (t) => {
  const entries = createEntries(1000, (n) => ({ a: n % 7 === 0 ? null : n % 5 }))
  const index = runToEnd(Index.create('a', entries))
  t.same(
    ids(listOf(index.descending(index.whole))),
    ids(entries.toSorted((a, b) => valueOf(b) - valueOf(a))),
  )
  const part = index.findRange('$gte', 2)
  t.same(
    ids(listOf(index.descending(part))),
    ids(entries.filter((e) => valueOf(e) >= 2).toSorted((a, b) => valueOf(b) - valueOf(a))),
  )
})

t.test('an index is created in steps of a bounded number of values', async (t) => {
  replace(t, performance, 'now', () => 0)
  for (const count of [10_000, 20_000]) {
    const work = Index.create(
      'a',
      createEntries(count, (n) => ({ a: (n * 7919) % count })),
    )
    let steps = 0
    while (work.next().done !== true) steps += 1
    t.ok(steps > count / 512, `${steps} steps for ${count} entries`)
  }
})
