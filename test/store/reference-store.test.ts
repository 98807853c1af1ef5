import assert from 'node:assert/strict'

import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import t from 'tap'

import type { JsonObject } from '../../src/json/json.js'
import { build, listUrl, send } from '../build.js'
import { ACCOUNTS, Model } from './reference-store.js'
import type { Answer } from './reference-store.js'

const NOTES: JsonObject[] = [
  { _id: 'n0', name: 'of nobody', tags: ['a'], count: 0 },
  { _id: 'n1', name: 'of ann', tags: [], count: 1, owner: { _id: 'ann' }, isDefault: true },
  { _id: 'n2', name: 'of bob', tags: ['b'], count: 2, owner: { _id: 'bob' }, isDefault: true },
]

const FIXTURES = {
  accounts: ACCOUNTS.map((_id) => ({ _id, username: _id, password: 'x', tokens: [_id] })),
  notes: NOTES,
}

/** One write of one account to one item, and the model that it has to agree with. */
interface Step {
  readonly model: Model
  readonly account: string
  readonly id: string
  /** The item, where the account sees it. */
  readonly item: JsonObject | undefined
  /** The `_id` of another item, or ''. */
  readonly otherId: string
  readonly value: number
  readonly flag: boolean
  readonly ask: (
    method: 'PUT' | 'PATCH' | 'POST' | 'DELETE',
    url: string,
    body?: object,
  ) => Promise<Answer>
}

/** Each sends one request, checks its status, and does the same to the model. */
const verbs: Record<string, (step: Step) => Promise<void>> = {
  create: async ({ ask, model, account, value, flag }) => {
    const body = { name: `n${value}`, tags: ['a'], count: value, isDefault: flag }
    const { status, data } = await ask('PUT', '/create', body)
    assert.equal(status, 200)
    model.add(account, data._id as string, body)
  },
  createSet: async ({ ask, model, account }) => {
    const { data } = await ask('PUT', '/create-set', { name: 'set' })
    model.add(account, data._id as string, { name: 'set', isEntitySet: true })
  },
  copy: async ({ ask, model, account, id, item }) => {
    const { status, data } = await ask('POST', `/${id}/copy`)
    assert.equal(status, item === undefined ? 404 : 200)
    if (item !== undefined) model.add(account, data._id as string, { ...item, isDefault: false })
  },
  remove: async ({ ask, model, account, id, item }) => {
    assert.equal((await ask('DELETE', `/${id}`)).status, item === undefined ? 404 : 200)
    model.remove(account, id)
  },
  patch: async ({ ask, model, account, id, item, value, flag }) => {
    const { status } = await ask('PATCH', `/${id}`, { 'deep.count': value, isDefault: flag })
    assert.equal(status, item === undefined ? 404 : 200)
    model.change(account, id, (each) => ({ ...each, deep: { count: value }, isDefault: flag }))
  },
  push: async ({ ask, model, account, id, item, value }) => {
    const body = { $push: { tags: `t${value}` }, $inc: { count: value } }
    assert.equal((await ask('PATCH', `/${id}`, body)).status, item === undefined ? 404 : 200)
    model.change(account, id, ({ tags = [], count = 0, ...each }) => ({
      ...each,
      tags: [...(tags as string[]), `t${value}`],
      count: (count as number) + value,
    }))
  },
  refused: async ({ ask, id, item }) => {
    const body = { $set: { count: 99 }, $inc: { name: 1 }, $unset: { tags: 1 } }
    assert.equal((await ask('PATCH', `/${id}`, body)).status, item === undefined ? 404 : 400)
  },
  setDefault: async ({ ask, model, account, id, item }) => {
    const { status } = await ask('POST', `/${id}/set-default`)
    assert.equal(status, item === undefined ? 404 : 200)
    if (item !== undefined) model.endDefaults(account)
    model.change(account, id, (each) => ({ ...each, isDefault: true }))
  },
  moveToSet: async ({ ask, model, account, id, item, otherId }) => {
    const set = otherId === '' ? undefined : model.find(account, otherId)
    const { status } = await ask('POST', `/${id}/move-to-set?newSetId=${otherId}`)
    const isMissing = item === undefined || (otherId !== '' && set === undefined)
    const isRefused = set !== undefined && set.isEntitySet !== true
    assert.equal(status, isMissing ? 404 : isRefused ? 400 : 200)
    const membership = { _id: otherId, type: 'unordered' }
    const isNewIn = (inSet: JsonObject[]) => !inSet.some(({ _id }) => _id === otherId)
    model.change(account, id, (each) => {
      const inSet = (each.inSet ?? []) as JsonObject[]
      return status === 200 && otherId !== '' && isNewIn(inSet)
        ? { ...each, inSet: [...inSet, membership] }
        : each
    })
  },
}

const steps = fc.array(
  fc.record({
    verb: fc.constantFrom(...Object.keys(verbs)),
    account: fc.constantFrom(...ACCOUNTS),
    /** Which of all items there ever were, and of some that were never. */
    at: fc.nat({ max: 10 }),
    otherAt: fc.nat({ max: 10 }),
    value: fc.integer({ min: 0, max: 3 }),
    flag: fc.boolean(),
  }),
  { minLength: 1, maxLength: 25 },
)

t.test('any sequence of writes gives what a plain array gives', async (t) => {
  const property = fc.asyncProperty(steps, async (sequence) => {
    const app = await build(t, { fixtures: FIXTURES })
    const model = new Model(NOTES)
    const ids = NOTES.map(({ _id }) => _id as string)
    for (const { verb, account, at, otherAt, value, flag } of sequence) {
      const id = ids[at] ?? 'nothing'
      const item = model.find(account, id)
      const ask: Step['ask'] = async (method, url, body) => {
        const headers = { ...headersOf(account), 'content-type': 'application/json' }
        const payload = body === undefined ? '' : JSON.stringify(body)
        const response = await send(app, `/notes${url}`, { method, headers, payload })
        return { status: response.statusCode, data: response.json().data }
      }
      const step = { model, account, id, item, otherId: ids[otherAt] ?? '', value, flag, ask }
      await verbs[verb]?.(step)
      ids.push(...model.items.map(({ _id }) => _id as string).filter((each) => !ids.includes(each)))
      for (const each of ACCOUNTS) await agree(app, model, each)
    }
  })
  await fc.assert(property, { numRuns: 40 })
})

/** Each account sees in the server what it sees in the model, by a list and by a query. */
async function agree(app: FastifyInstance, model: Model, account: string): Promise<void> {
  const seen = model.seenBy(account)
  const defaults = seen.filter(({ isDefault, count }) => isDefault === true && Number(count) >= 1)
  const query = { isDefault: true, count: { $gte: 1 } }
  assert.deepEqual(await list(app, '/notes', account), seen)
  assert.deepEqual(await list(app, listUrl('notes', query), account), defaults)
}

async function list(app: FastifyInstance, url: string, account: string): Promise<JsonObject[]> {
  const { data } = (await send(app, url, { headers: headersOf(account) })).json()
  for (const item of data) {
    delete item.createdAt
    delete item.updatedAt
  }
  return data
}

const headersOf = (account: string) => ({ 'x-account-id': account, 'x-auth-token': account })
