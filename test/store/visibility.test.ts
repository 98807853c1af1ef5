import type { FastifyInstance } from 'fastify'
import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { build, listUrl, send } from '../helpers/build.js'

const ACCOUNTS = ['ann', 'bob'].map((_id) => ({
  _id,
  username: _id,
  password: 'x',
  tokens: [_id],
  slug: _id,
}))

const BOB = { 'x-account-id': 'bob', 'x-auth-token': 'bob' }

const numbers = Array.from({ length: 3000 }, (_, n) => n)

/** What ann may hide: each has what some condition is costly for, refused for, or finds. */
const HIDDEN: readonly JsonObject[] = [
  { pin: 'hunter2#aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', n: 5, isDefault: true, tags: ['x'] },
  { pin: ['a'], n: [1, 2], other: [1], tags: numbers, late: 1, inSet: [{ _id: 'set', index: 9 }] },
  { pin: { a: 1 }, n: { x: [1] }, other: { y: 1 }, tags: [[1]], secret: { deep: 1 } },
  { pin: 5, n: 'text', other: null, tags: null, name: 'z' },
]

const costly = { $regex: '^h.*#(a*)*z' }

const QUERIES: readonly JsonObject[] = [
  {},
  { pin: costly },
  { pin: { $not: costly } },
  { $or: [{ pin: costly }, { n: 1 }] },
  { $nor: [{ pin: costly }] },
  { pin: { $in: ['x', 'hunter2'] } },
  { tags: { $elemMatch: { $regex: '(a|aa)+$' } } },
  { $jsonSchema: { properties: { pin: { pattern: '^h.*#(a*)*z' } } } },
  { $expr: { $regexMatch: { input: '$pin', regex: '^h.*#(a*)*z' } } },
  { $expr: { $gt: [{ $divide: [1, { $subtract: [{ $ifNull: ['$late', 2] }, 1] }] }, 0] } },
  { n: 5 },
  { n: { $gt: 3 } },
  { n: { $lt: 3, $gte: 0 } },
  { other: 7 },
  { other: { $in: [7, null] } },
  { late: { $exists: true } },
  { 'inSet._id': 'set' },
  { tags: { $size: 3000 } },
  { 'secret.deep': 1 },
]

const PROJECTIONS: readonly JsonObject[] = [
  {},
  { sort: { n: 1 }, limit: 3 },
  { sort: { n: -1, other: 1 }, limit: 3 },
  { sort: { tags: 1, n: 1 } },
  { sort: { $natural: -1 }, skip: 1, limit: 2 },
  { fields: { pin: 1, tags: { $elemMatch: { $regex: '(a|aa)+$' } } } },
  { fields: { x: { $divide: [1, { $subtract: [{ $ifNull: ['$late', 2] }, 1] }] } } },
]

/** Returns the answers to all questions about a resource that an account can ask. */
async function askAll(
  app: FastifyInstance,
  others: readonly string[],
): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>()
  const ask = async (url: string, isControl: boolean, method: 'GET' | 'POST' = 'GET') => {
    const response = isControl
      ? await app.inject({ method, url: `/__admin${url}` })
      : await send(app, url, { method, headers: BOB })
    const body = response.json()
    if (isControl) delete body.data?.ms
    delete body.data?.updatedAt
    answers.set(`${method} ${url}`, [response.statusCode, body])
  }
  for (const query of QUERIES) {
    for (const projection of PROJECTIONS) {
      await ask(listUrl('notes', query, projection), false)
      // A list has its indexes at its second evaluation at the latest.
      await ask(`/explain${listUrl('notes', query, projection)}&accountId=bob`, true)
    }
    for (const id of others)
      await ask(`/explain${listUrl(`notes/${id}`, query)}&accountId=bob`, true)
  }
  for (const name of ['late=1', 'pin=5', 'secret.deep=1', 'other=7', 'n=5'])
    await ask(`/notes?${name}`, false)
  await ask('/notes/default', false)
  await ask('/notes/default?accountId=ann', false)
  await ask(`/notes/${others[0]}/move-to-set?newSetId=set`, false, 'POST')
  return answers
}

for (const count of [8, 600]) {
  t.test(`nothing depends on what hidden items hold, among ${count} items`, async (t) => {
    const visible: JsonObject[] = Array.from({ length: count }, (_, n) => ({
      _id: `v${n}`,
      n,
      other: n % 9,
      pin: `x${n}`,
      ...(n % 2 === 0 && { owner: { _id: 'bob' } }),
    }))
    visible.push({ _id: 'set', isEntitySet: true, entitySetType: 'ordered' })
    const askWith = async (hidden: readonly JsonObject[]) => {
      const notes = [
        ...hidden.slice(0, 2).map((each, n) => ({ _id: `h${n}`, owner: { _id: 'ann' }, ...each })),
        ...visible,
        ...hidden.slice(2).map((each, n) => ({ _id: `i${n}`, owner: { _id: 'ann' }, ...each })),
      ]
      const app = await build(t, { fixtures: { accounts: ACCOUNTS, notes }, journal: 0 })
      return askAll(app, ['v1', 'v3'])
    }
    const expected = await askWith([])
    const actual = await askWith(HIDDEN)
    for (const [question, answer] of expected) t.strictSame(actual.get(question), answer, question)
    // Enough of them to pass the number from which on there are indexes.
    const many = Array.from({ length: 500 }, (_, n) => ({ n: 5, other: n === 0 ? [7] : 7 }))
    const among = await askWith(many)
    for (const [question, answer] of expected) t.strictSame(among.get(question), answer, question)
  })
}

t.test(
  'why not tells of a hidden item that it is hidden, and nothing of what it holds',
  async (t) => {
    const explain = async (item: JsonObject, query: JsonObject) => {
      const notes = [{ ...item, _id: 'h', owner: { _id: 'ann' } }]
      const app = await build(t, { fixtures: { accounts: ACCOUNTS, notes } })
      const url = `/__admin/explain${listUrl('notes/h', query, { sort: { tags: 1 } })}&accountId=bob`
      const response = await app.inject({ method: 'GET', url })
      t.equal(response.statusCode, 200)
      return response.json().data
    }
    for (const query of QUERIES) {
      const [first, ...others] = await Promise.all(HIDDEN.map((item) => explain(item, query)))
      t.match(first, { visible: false, matches: null, clauses: [], owner: 'ann' })
      for (const other of others) t.strictSame(other, first)
    }
  },
)
