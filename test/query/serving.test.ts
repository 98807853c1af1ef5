import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { compileSelector, evaluate } from '@materials-mock/query'
import { Budget, Scheduler } from '@materials-mock/work'
import { build, listUrl, logIn, send } from '../helpers/build.js'

/** An expression that takes about 50,000 steps on each item. */
const COSTLY: JsonObject = {
  $expr: {
    $eq: [-1, { $sum: { $map: { input: { $range: ['$n', 10_000] }, in: { $abs: ['$$this'] } } } }],
  },
}

const createEntries = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ item: { _id: `${n}`, n: n % 2 } }))

t.test('a scan with an $expr runs in slices, and ends when the budget is used up', async (t) => {
  const selector = compileSelector(COSTLY)
  const options = { selector, sort: undefined, skip: 0, limit: 50 }
  let steps = 0
  for (const _ of evaluate(createEntries(20), options)) steps += 1
  t.ok(steps >= 5, `${steps} steps for 20 items`)
  const work = evaluate(createEntries(100_000), options)
  await t.rejects(async () => new Scheduler().run(work, new Budget(100)), {
    code: 'BUDGET_EXCEEDED',
  })
})

const ACCOUNTS = [
  { _id: 'ann', username: 'ann', password: 'a' },
  { _id: 'bob', username: 'bob', password: 'b' },
]
const ITEMS = [
  { _id: '1', n: 1, owner: { _id: 'ann' } },
  { _id: '2', n: 'two', owner: { _id: 'bob' } },
  { _id: '3', n: 3, owner: { _id: 'ann' } },
]

t.test('an $expr is evaluated only for items that the account sees', async (t) => {
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, items: ITEMS } })
  const query = { $expr: { $gt: [{ $add: ['$n', 1] }, 2] } }
  const ann = await logIn(app, 'ann', 'a')
  t.match((await send(app, listUrl('items', query), { headers: ann })).json().data, [{ _id: '3' }])
  const bob = await send(app, listUrl('items', query), { headers: await logIn(app, 'bob', 'b') })
  t.equal(bob.statusCode, 400)
  t.match(bob.json(), {
    message: 'query.$expr.$gt[0].$add must be of numbers, not the string "two"',
    data: { code: 'QUERY_INVALID' },
  })
})

t.test('an $expr fails on the same items with and without indexes', async (t) => {
  const $expr = { $eq: [1, { $divide: [1, '$b'] }] }
  const a5 = { a: 5 }
  const cases: readonly [query: JsonObject, projection: JsonObject, expected: number][] = [
    [{ $expr, ...a5 }, {}, 200],
    [{ $and: [{ $or: [{ $expr }, { b: 2 }] }, a5] }, { sort: { b: 1 } }, 200],
    [{ $or: [{ $expr }, { a: 300 }] }, { limit: 500 }, 200],
    [{ $nor: [{ $expr }, { a: 300 }] }, { limit: 500 }, 200],
    [{ a: { $not: { $gt: 5 } }, $expr }, {}, 200],
    [{ $expr }, { limit: 300 }, 400], // all are counted
    [{ $expr }, { limit: 301 }, 400],
    [{ $expr }, { sort: { a: 1 }, limit: 1 }, 400],
    [{ $expr, a: { $gte: 300 } }, { sort: { a: -1 }, limit: 1 }, 400],
  ]
  for (const count of [499, 501]) {
    const items = Array.from({ length: count }, (_, a) => ({
      _id: `${a}`,
      a,
      b: a === 300 ? 0 : 1,
    }))
    const app = await build(t, { fixtures: { accounts: ACCOUNTS, items } })
    const headers = await logIn(app, 'ann', 'a')
    for (const [query, projection, expected] of cases) {
      const { statusCode } = await send(app, listUrl('items', query, projection), { headers })
      t.equal(statusCode, expected, `${count} items: ${JSON.stringify([query, projection])}`)
    }
  }
})

t.test('explain counts the items that an $expr examines and matches', async (t) => {
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, items: ITEMS } })
  const query = encodeURIComponent(JSON.stringify({ $expr: { $gt: ['$n', 1] } }))
  const url = `/__admin/explain/items?query=${query}&accountId=ann`
  const { data } = (await app.inject({ method: 'GET', url })).json()
  t.match(data, { plan: 'scan', candidates: 2, examined: 2, matched: 1, returned: 1 })
})

t.test('the journal takes an $expr and computed fields', async (t) => {
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, items: ITEMS } })
  await app.inject('/nothing')
  const query = { $expr: { $eq: ['$status', 404] } }
  const projection = { fields: { text: { $concat: ['$method', ' ', '$path'] }, _id: 0 } }
  const response = await app.inject(`/__admin${listUrl('requests', query, projection)}`)
  t.equal(response.statusCode, 200, response.payload)
  t.same(response.json().data, [{ text: 'GET /nothing' }])
})
