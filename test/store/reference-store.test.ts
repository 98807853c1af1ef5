import assert from 'node:assert/strict'

import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { build, listUrl, send } from '../helpers/build.js'
import { ACCOUNTS, ReferenceStore } from './reference-store.js'
import type { Result } from './reference-store.js'

const NOTES: JsonObject[] = [
  { _id: 'n0', name: 'without an owner', tags: ['a'], count: 0 },
  { _id: 'n1', name: 'of ann', tags: [], count: 1, owner: { _id: 'ann' }, isDefault: true },
  { _id: 'n2', name: 'of bob', tags: ['b'], count: 2, owner: { _id: 'bob' }, isDefault: true },
]

const FIXTURES = {
  accounts: ACCOUNTS.map((_id) => ({ _id, username: _id, password: 'x', tokens: [_id] })),
  notes: NOTES,
}

/** One write of one account to one item, and the reference store to compare the server with. */
interface Step {
  readonly reference: ReferenceStore
  readonly account: string
  readonly id: string
  /** The item, if the account sees it. */
  readonly item: JsonObject | undefined
  /** The `_id` of another item, or ''. */
  readonly otherId: string
  readonly value: number
  readonly flag: boolean
  readonly request: (
    method: 'PUT' | 'PATCH' | 'POST' | 'DELETE',
    url: string,
    body?: object,
  ) => Promise<Result>
}

/** Each sends one request, checks the status, and does the same in the reference store. */
const operations: Record<string, (step: Step) => Promise<void>> = {
  create: async ({ request, reference, account, value, flag }) => {
    const body = { name: `n${value}`, tags: ['a'], count: value, isDefault: flag }
    const { status, data } = await request('PUT', '/create', body)
    assert.equal(status, 200)
    reference.add(account, data._id as string, { ...body, inSet: [], isEntitySet: false })
  },
  createSet: async ({ request, reference, account }) => {
    const { data } = await request('PUT', '/create-set', { name: 'set' })
    reference.add(account, data._id as string, {
      name: 'set',
      inSet: [],
      isEntitySet: true,
      entitySetType: 'unordered',
    })
  },
  copy: async ({ request, reference, account, id, item }) => {
    const { status, data } = await request('POST', `/${id}/copy`)
    assert.equal(status, item === undefined ? 404 : 200)
    if (item !== undefined)
      reference.add(account, data._id as string, { ...item, isDefault: false })
  },
  remove: async ({ request, reference, account, id, item }) => {
    assert.equal((await request('DELETE', `/${id}`)).status, item === undefined ? 404 : 200)
    reference.remove(account, id)
  },
  patch: async ({ request, reference, account, id, item, value, flag }) => {
    const { status } = await request('PATCH', `/${id}`, { 'deep.count': value, isDefault: flag })
    assert.equal(status, item === undefined ? 404 : 200)
    reference.change(account, id, (each) => ({ ...each, deep: { count: value }, isDefault: flag }))
  },
  push: async ({ request, reference, account, id, item, value }) => {
    const body = { $push: { tags: `t${value}` }, $inc: { count: value } }
    assert.equal((await request('PATCH', `/${id}`, body)).status, item === undefined ? 404 : 200)
    reference.change(account, id, ({ tags = [], count = 0, ...each }) => ({
      ...each,
      tags: [...(tags as string[]), `t${value}`],
      count: (count as number) + value,
    }))
  },
  invalidPatch: async ({ request, id, item }) => {
    const body = { $set: { count: 99 }, $inc: { name: 1 }, $unset: { tags: 1 } }
    assert.equal((await request('PATCH', `/${id}`, body)).status, item === undefined ? 404 : 400)
  },
  setDefault: async ({ request, reference, account, id, item }) => {
    const { status } = await request('POST', `/${id}/set-default`)
    assert.equal(status, item === undefined ? 404 : 200)
    if (item !== undefined) reference.clearDefaults(item)
    reference.change(account, id, (each) => ({ ...each, isDefault: true }))
  },
  moveToSet: async ({ request, reference, account, id, item, otherId }) => {
    const set = otherId === '' ? undefined : reference.find(account, otherId)
    const { status } = await request('POST', `/${id}/move-to-set?newSetId=${otherId}`)
    const isMissing = item === undefined || (otherId !== '' && set === undefined)
    const isNoSet = set !== undefined && (set.isEntitySet !== true || set === item)
    assert.equal(status, isMissing ? 404 : isNoSet ? 400 : 200)
    const membership = { _id: otherId, type: 'unordered' }
    const isNewMember = (inSet: JsonObject[]) => !inSet.some(({ _id }) => _id === otherId)
    reference.change(account, id, (each) => {
      const inSet = (each.inSet ?? []) as JsonObject[]
      return status === 200 && otherId !== '' && isNewMember(inSet)
        ? { ...each, inSet: [...inSet, membership] }
        : each
    })
  },
}

const steps = fc.array(
  fc.record({
    operation: fc.constantFrom(...Object.keys(operations)),
    account: fc.constantFrom(...ACCOUNTS),
    /** The position of the item among all that ever existed; a large one is of none. */
    at: fc.nat({ max: 10 }),
    otherAt: fc.nat({ max: 10 }),
    value: fc.integer({ min: 0, max: 3 }),
    flag: fc.boolean(),
  }),
  { minLength: 1, maxLength: 25 },
)

t.test('any sequence of writes has the same result as on a plain array', async (t) => {
  const property = fc.asyncProperty(steps, async (sequence) => {
    const app = await build(t, { fixtures: FIXTURES })
    const reference = new ReferenceStore(NOTES)
    const ids = NOTES.map(({ _id }) => _id as string)
    for (const { operation, account, at, otherAt, value, flag } of sequence) {
      const id = ids[at] ?? 'unknown'
      const item = reference.find(account, id)
      const request: Step['request'] = async (method, url, body) => {
        const headers = { ...headersOf(account), 'content-type': 'application/json' }
        const payload = body === undefined ? '' : JSON.stringify(body)
        const response = await send(app, `/notes${url}`, { method, headers, payload })
        return { status: response.statusCode, data: response.json().data }
      }
      const step = {
        reference,
        account,
        id,
        item,
        otherId: ids[otherAt] ?? '',
        value,
        flag,
        request,
      }
      await operations[operation]?.(step)
      ids.push(
        ...reference.items.map(({ _id }) => _id as string).filter((each) => !ids.includes(each)),
      )
      for (const each of ACCOUNTS) await compareLists(app, reference, each)
    }
  })
  await fc.assert(property, { numRuns: 40 })
})

/** Checks that an account sees the same items in the server as in the reference store. */
async function compareLists(
  app: FastifyInstance,
  reference: ReferenceStore,
  account: string,
): Promise<void> {
  const visible = reference.visibleTo(account)
  const defaults = visible.filter(
    ({ isDefault, count }) => isDefault === true && Number(count) >= 1,
  )
  const query = { isDefault: true, count: { $gte: 1 } }
  assert.deepEqual(await list(app, '/notes', account), visible)
  assert.deepEqual(await list(app, listUrl('notes', query), account), defaults)
}

async function list(app: FastifyInstance, url: string, account: string): Promise<JsonObject[]> {
  const { data } = (await send(app, url, { headers: headersOf(account) })).json()
  for (const item of data) {
    delete item.createdAt
    delete item.createdBy
    delete item.updatedAt
    delete item.updatedBy
  }
  return data
}

const headersOf = (account: string) => ({ 'x-account-id': account, 'x-auth-token': account })
