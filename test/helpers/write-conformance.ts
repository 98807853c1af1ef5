import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Test } from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { listUrl, send } from './build.js'

/**
 * Tests the writes that all resources share.
 * @param hidden the `_id`s of items that the account does not see
 */
export async function testWriteConformance(
  t: Test,
  app: FastifyInstance,
  resource: string,
  headers: Record<string, string>,
  hidden: readonly string[],
): Promise<void> {
  const request = async (
    method: NonNullable<InjectOptions['method']>,
    path: string,
    body?: JsonObject,
  ): Promise<{ status: number; data: JsonObject }> => {
    const json = { 'content-type': 'application/json' }
    const payload = body === undefined ? '' : JSON.stringify(body)
    const options = { method, headers: { ...headers, ...json }, payload }
    const response = await send(app, `/${resource}${path}`, options)
    return { status: response.statusCode, data: response.json().data }
  }
  const succeed = async (...parameters: Parameters<typeof request>): Promise<JsonObject> => {
    const { status, data } = await request(...parameters)
    if (status !== 200) throw new Error(`${parameters.join(' ')}: ${JSON.stringify(data)}`)
    return data
  }
  const get = (id: unknown): Promise<JsonObject> => succeed('GET', `/${String(id)}`)
  const list = async (query: unknown = {}): Promise<JsonObject[]> =>
    (await send(app, listUrl(resource, query, { limit: 500 }), { headers })).json().data

  await t.test(`${resource}: creates, at the end of natural order`, async (t) => {
    const before = await list()
    const body = { name: 'new', tags: ['t'], unknown: { deep: [1, null] } }
    const item = await succeed('PUT', '/create', body)
    t.match(item, body)
    t.match(item, {
      _id: /^[2-9A-HJ-NP-TW-Za-km-z]{17}$/,
      isDefault: false,
      isEntitySet: false,
      inSet: [],
      owner: { _id: headers['X-Account-Id'], cls: 'Account' },
      creator: { _id: headers['X-Account-Id'], cls: 'User' },
      createdAt: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
      createdBy: headers['X-Account-Id'],
      updatedAt: item.createdAt as string,
      updatedBy: headers['X-Account-Id'],
    })
    t.same(await get(item._id), item)
    t.same(await list(), [...before, item])
    t.same(await list({ 'unknown.deep': 1 }), [item])
  })

  await t.test(`${resource}: assigns an _id of its own, whatever the body says`, async (t) => {
    const former = await succeed('PUT', '/create', { name: 'former' })
    for (const _id of [former._id, 'mine', '', null]) {
      for (const path of ['/create', '/create-set']) {
        const created = await succeed('PUT', path, { _id, name: 'new' } as JsonObject)
        t.match(created._id, /^[2-9A-HJ-NP-TW-Za-km-z]{17}$/)
        t.not(created._id, former._id)
        t.same(await get(created._id), created)
        await succeed('DELETE', `/${String(created._id)}`)
      }
    }
    t.same(await get(former._id), former)
    await succeed('DELETE', `/${String(former._id)}`)
  })

  await t.test(`${resource}: patches the named fields only`, async (t) => {
    const item = await succeed('PUT', '/create', { name: 'a', tags: ['t'], n: { m: 1, k: 2 } })
    const path = `/${String(item._id)}`
    const patched = await succeed('PATCH', path, { name: 'b', 'n.m': 3 })
    t.same(patched, { ...item, name: 'b', n: { m: 3, k: 2 }, updatedAt: patched.updatedAt })
    t.ok((patched.updatedAt as string) >= (item.updatedAt as string))
    const pushed = await succeed('PATCH', path, { $push: { tags: 'u' }, $inc: { 'n.k': 1 } })
    t.match(pushed, { name: 'b', tags: ['t', 'u'], n: { m: 3, k: 3 } })
    t.same(await get(item._id), pushed)
    t.same(await list({ tags: 'u' }), [pushed], 'lists have the change at once')
    t.same(await succeed('PATCH', path, pushed), pushed, 'an unchanged item is accepted')
  })

  await t.test(`${resource}: copies`, async (t) => {
    for (const item of (await list()).slice(0, 3)) {
      const copy = await succeed('POST', `/${String(item._id)}/copy`)
      t.not(copy._id, item._id)
      t.match(copy, { name: item.name, isDefault: false, owner: { _id: headers['X-Account-Id'] } })
      t.same(Object.keys(copy).toSorted(), Object.keys(item).toSorted())
      t.same(await get(copy._id), copy)
      t.same(await get(item._id), item)
    }
  })

  await t.test(`${resource}: has at most one default item`, async (t) => {
    const items = (await list()).filter(({ isEntitySet }) => isEntitySet !== true)
    for (const { _id } of [items.at(-1), items[0], items[0]] as JsonObject[]) {
      const item = await succeed('POST', `/${String(_id)}/set-default`)
      t.same(await list({ isDefault: true }), [item])
      t.equal(item._id, _id)
    }
    const created = await succeed('PUT', '/create', { name: 'default', isDefault: true })
    t.same(await list({ isDefault: true }), [created])
    await succeed('DELETE', `/${String(created._id)}`)
    t.same(await list({ isDefault: true }), [])
  })

  await t.test(`${resource}: moves an item between sets`, async (t) => {
    const [one, two] = [
      await succeed('PUT', '/create-set', { name: 'one' }),
      await succeed('PUT', '/create-set', { name: 'two', unknown: 1 }),
    ]
    t.match(two, { name: 'two', isEntitySet: true, entitySetType: 'unordered', unknown: 1 })
    const { _id } = await succeed('PUT', '/create', { name: 'moved' })
    const move = async (oldSetId: unknown, newSetId: unknown): Promise<unknown> => {
      const path = `/${String(_id)}/move-to-set?oldSetId=${oldSetId}&newSetId=${newSetId}`
      const item = await succeed('POST', path)
      t.same(await get(_id), item)
      return item.inSet
    }
    t.same(await move('', one._id), [toReference(one)])
    t.same(await move('', one._id), [toReference(one)])
    t.same(await move('', two._id), [toReference(one), toReference(two)])
    t.same(await move(one._id, two._id), [toReference(two)])
    t.match(await list({ 'inSet._id': two._id }), [{ _id }])
    t.same(await move(two._id, ''), [])
    t.same(await move('', ''), [])
    const itself = await request(
      'POST',
      `/${String(one._id)}/move-to-set?oldSetId=&newSetId=${String(one._id)}`,
    )
    t.match(itself, { status: 400, data: { message: /^newSetId must be another set; / } })
  })

  await t.test(`${resource}: changes a set, and no other item`, async (t) => {
    const set = await succeed('PUT', '/create-set', { name: 'a', entitySetType: 'ordered' })
    const path = `/${String(set._id)}/update-set`
    const updated = await succeed('PUT', path, { name: 'b', unknown: [1] })
    t.same(updated, { ...set, name: 'b', unknown: [1], updatedAt: updated.updatedAt })
    t.same(await succeed('PUT', path, updated), updated, 'a whole set is accepted')
    t.same(await get(set._id), updated)
    const bodies = [{ isEntitySet: false }, { entitySetType: 'sorted' }, { name: 1 }, { _id: 'x' }]
    for (const body of bodies)
      t.equal((await request('PUT', path, body)).status, 400, JSON.stringify(body))
    const { _id } = await succeed('PUT', '/create', { name: 'no set' })
    const refused = await request('PUT', `/${String(_id)}/update-set`, { name: 'b' })
    t.match(refused.data, { message: /^id must be the _id of a set; ".+" is an item$/ })
    t.equal((await request('PUT', '/nothing/update-set', { name: 'b' })).status, 404)
    t.same(await get(set._id), updated)
  })

  await t.test(`${resource}: deletes an item once`, async (t) => {
    const before = await list()
    const { _id } = await succeed('PUT', '/create', { name: 'gone' })
    t.same(await succeed('DELETE', `/${String(_id)}`), {})
    t.equal((await request('DELETE', `/${String(_id)}`)).status, 404)
    t.equal((await request('GET', `/${String(_id)}`)).status, 404)
    t.same(await list(), before)
  })

  await t.test(`${resource}: rejects writes to items that the account does not see`, async (t) => {
    const before = await list()
    const writes = [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/copy'],
      ['POST', '/set-default'],
      ['POST', '/move-to-set'],
    ] as const
    for (const id of [...hidden.slice(0, 2), 'nothing']) {
      for (const [method, path] of writes) {
        const { status } = await request(method, `/${id}${path}`, { name: 'mine' })
        t.equal(status, 404, `${method} ${id}${path}`)
      }
    }
    t.same(await list(), before)
  })
}

const toReference = ({ _id }: JsonObject) => ({ _id, type: 'unordered' })
