import v8 from 'node:v8'

import t from 'tap'
import type { Test } from 'tap'

import { BASE, build } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'

const HEADERS = {
  'x-account-id': 'ann',
  'x-auth-token': 'ann-token',
  'content-type': 'application/json',
}

const ACCOUNTS = [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }]

/** Builds a server with one item, and returns a function that sends it a request. */
async function buildWith(t: Test, item: object, queryBudget = 10_000) {
  const app = await build(t, {
    fixtures: { accounts: ACCOUNTS, notes: [{ _id: 'n', ...item }] },
    queryBudget,
  })
  const send = async (method: 'GET' | 'PATCH', url: string, payload?: object) => {
    const response = await app.inject({
      method,
      url: `${BASE}/notes${url}`,
      headers: HEADERS,
      ...(payload !== undefined && { payload }),
    })
    return response.json()
  }
  return { app, send }
}

const nest = (levels: number): unknown =>
  Array.from({ length: levels }).reduce((inner) => ({ a: inner }), 1)

const toUrl = (query: object) => `?query=${encodeURIComponent(JSON.stringify(query))}`

t.test('many conditions on one large array are refused, not evaluated to the end', async (t) => {
  const item = { numbers: Array.from({ length: 150_000 }, () => 5) }
  // Each evaluates 135 million comparisons.
  const conditions = Array.from({ length: 900 }, (_, n) => ({ numbers: { $gt: 10 + n } }))
  const { send } = await buildWith(t, item)
  t.match((await send('GET', toUrl({ $or: conditions }))).data, {
    code: 'BOUND_EXCEEDED',
    message: /^the conditions must take at most 150 ms/,
  })
  const few = { numbers: { $gt: 4 }, $nor: conditions.slice(0, 3) }
  t.equal((await send('GET', toUrl(few))).data.length, 1)

  const short = await buildWith(t, item, 300)
  for (const query of [{ $nor: conditions }, { $and: [{ $or: conditions }] }]) {
    t.match((await short.send('GET', toUrl(query))).data, {
      code: 'BUDGET_EXCEEDED',
      message: /ms matching conditions/,
    })
  }
})

t.test('a costly update without a pattern uses up the budget, which says so', async (t) => {
  const numbers = Array.from({ length: 300_000 }, (_, n) => ({ n }))
  const { send } = await buildWith(t, { numbers }, 300)
  const $or = Array.from({ length: 900 }, (_, n) => ({ n: -1 - n }))
  t.match((await send('PATCH', '/n', { $pull: { numbers: { $or } } })).data, {
    code: 'BUDGET_EXCEEDED',
    message: /ms matching conditions$/,
  })
  t.equal((await send('GET', '/n')).data.numbers.length, 300_000, 'nothing is written')
})

t.test('many patterns in the $pulls of one update are refused together', async (t) => {
  const names = Array.from({ length: 100 }, (_, n) => `list${n}`)
  const texts = Array.from({ length: 50 }, () => 'a'.repeat(18))
  const { send } = await buildWith(t, Object.fromEntries(names.map((name) => [name, texts])))
  // Each of them takes some ms, which no limit for one of them would refuse.
  const $pull = Object.fromEntries(names.map((name) => [name, { $regex: '(a|a)*b' }]))
  t.match((await send('PATCH', '/n', { $pull })).data, { code: 'PATTERN_TOO_COSTLY' })
  t.equal((await send('GET', '/n')).data.list0.length, 50, 'nothing is written')
})

t.test('an item grows by updates only up to the size of the largest body', async (t) => {
  const { send } = await buildWith(t, { texts: [] })
  const grow = () => send('PATCH', '/n', { $push: { texts: 'x'.repeat(600_000) } })
  t.equal((await grow()).status, 'success')
  t.match((await grow()).data, {
    code: 'BOUND_EXCEEDED',
    message: /^body must leave the item at most 1048576 characters of JSON, not 12\d{5}$/,
  })
  const shrink = await send('PATCH', '/n', { $set: { texts: ['short'] } })
  t.strictSame(shrink.data.texts, ['short'])
})

t.test('a write leaves an item at most as deep as a file of fixtures may have it', async (t) => {
  const { send } = await buildWith(t, { deep: nest(60) })
  const move = (from: string, to: string) =>
    send('PATCH', '/n', { $rename: { [from]: [to, ...Array(39).fill('b')].join('.') } })
  t.equal((await move('deep', 'moved')).status, 'success')
  t.match((await move('moved', 'deep')).data, {
    code: 'BOUND_EXCEEDED',
    message: 'body must leave the item at most 100 levels of JSON',
  })
  t.match((await send('GET', '/n')).data, { moved: {} }, 'nothing is written')

  const workflow = { _id: 'w', name: 'w', subworkflows: [], deep: nest(99) }
  const app = await build(t, {
    fixtures: { accounts: ACCOUNTS, workflows: [workflow], jobs: [], materials: [], projects: [] },
  })
  const create = { method: 'PUT', url: `${BASE}/jobs/create`, headers: HEADERS } as const
  const response = await app.inject({ ...create, payload: { workflow: { _id: 'w' } } })
  t.match(response.json().data, { code: 'BOUND_EXCEEDED', message: /100 levels/ })
})

t.test('a write that the memory has no room for is refused, and all else goes on', async (t) => {
  const { app, send } = await buildWith(t, { texts: [] })
  const { journal } = app.sandboxes.make('ann')
  await app.inject(`/sandboxes/ann${BASE}/notes`)
  t.equal(journal.size, 1)
  const statistics = v8.getHeapStatistics()
  const full = { ...statistics, used_heap_size: 950 * 2 ** 20, heap_size_limit: 1192 * 2 ** 20 }
  const restore = replace(t, v8, 'getHeapStatistics', () => full)
  const refusal = {
    code: 'BOUND_EXCEEDED',
    message:
      "the server's memory is full: 950 MB of a heap of 1000 MB are in use; delete items, reset, or start the server with NODE_OPTIONS=--max-old-space-size=2000",
  }
  t.match((await send('PATCH', '/n', { $push: { texts: 'x' } })).data, refusal)
  t.match((await send('PATCH', '/n', { a: 'x'.repeat(20_000) })).data, refusal)
  t.same((await send('GET', '/n')).data.texts, [])
  for (let count = 0; count < 64; count += 1) await send('GET', '/n')
  t.ok(app.controls.journal.size < 64, 'the journal gives its memory back')
  t.equal(journal.size, 0, 'and so does that of a sandbox')
  restore()
  t.equal(
    (await send('PATCH', '/n', { $push: { texts: 'x' }, $set: { text: '' } })).status,
    'success',
  )
})
