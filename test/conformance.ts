import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'

import type { JsonObject } from '../src/json/json.js'
import { listUrl, send } from './build.js'
import { writeConformance } from './write-conformance.js'

/**
 * What every resource does alike, whatever its items are. Each resource's test starts with it.
 * @param items the items of the fixtures that the account sees, in their order
 * @param hidden the `_id`s of those that it does not see
 */
export async function conformance(
  t: Test,
  app: FastifyInstance,
  resource: string,
  headers: Record<string, string>,
  items: readonly JsonObject[],
  hidden: readonly string[],
): Promise<void> {
  const list = async (query?: unknown, projection?: unknown): Promise<JsonObject[]> => {
    const response = await send(app, listUrl(resource, query, projection), { headers })
    t.equal(response.statusCode, 200)
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    t.same(Object.keys(response.json()), ['status', 'data'])
    return response.json().data
  }

  await t.test(`${resource}: lists what the account sees, in natural order, whole`, async (t) => {
    t.same(await list(), items.slice(0, 50))
    t.same(await list({}, {}), items.slice(0, 50))
    t.same(await list({}, { sort: {}, fields: {} }), items.slice(0, 50))
  })

  await t.test(`${resource}: pages make up the whole`, async (t) => {
    const limit = 3
    const pages: JsonObject[] = []
    for (let skip = 0; skip <= items.length; skip += limit)
      pages.push(...(await list({}, { skip, limit })))
    t.same(pages, items)
  })

  await t.test(`${resource}: gives each item by its _id, and finds it by a query`, async (t) => {
    for (const item of items) {
      const response = await send(app, `/${resource}/${item._id}`, { headers })
      t.same(response.json(), { status: 'success', data: item })
      t.same(await list({ _id: item._id }), [item])
    }
  })

  await t.test(`${resource}: sorts, and the reverse is the reverse`, async (t) => {
    const upward = await list({}, { sort: { _id: 1 }, limit: 500 })
    t.same(
      upward.map(({ _id }) => _id),
      items.map(({ _id }) => _id as string).toSorted(),
    )
    t.same((await list({}, { sort: { _id: -1 }, limit: 500 })).toReversed(), upward)
  })

  await t.test(`${resource}: fields pick and leave out`, async (t) => {
    const ids = items.slice(0, 50).map(({ _id }) => ({ _id }))
    t.same(await list({}, { fields: { _id: 1 } }), ids)
    for (const item of await list({}, { fields: { _id: 0, name: 0 } }))
      t.notOk('_id' in item || 'name' in item)
    t.same(await list(), items.slice(0, 50), 'and no stored item changes by it')
  })

  await t.test(`${resource}: answers what is not there, and what is not allowed`, async (t) => {
    const missing = await send(app, `/${resource}/nothing`, { headers })
    t.equal(missing.statusCode, 404)
    t.equal(missing.json().message, `${resource} has no item with _id "nothing"`)
    t.equal((await send(app, `/${resource}`)).statusCode, 401)
    t.equal((await send(app, `/${resource}/nothing`)).statusCode, 401)
    const method = await send(app, `/${resource}`, { method: 'TRACE', headers })
    t.equal(method.statusCode, 405)
    t.match(method.headers.allow, /\bGET\b.*\bHEAD\b/)
  })

  await writeConformance(t, app, resource, headers, hidden)
}
