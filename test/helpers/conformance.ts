import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { describeResource } from '../../src/resources/resources.js'
import { testBankConformance } from './bank-conformance.js'
import { listUrl, send } from './build.js'
import { testWriteConformance } from './write-conformance.js'

/**
 * Tests the behaviour that all resources share. The test of each resource starts with it.
 * @param items the items of the fixtures that the account sees, in their order
 * @param hidden the `_id`s of the items that the account does not see
 */
export async function testConformance(
  t: Test,
  app: FastifyInstance,
  resource: string,
  headers: Record<string, string>,
  items: readonly JsonObject[],
  hidden: readonly string[],
): Promise<void> {
  const list = async (query?: unknown, projection?: unknown): Promise<JsonObject[]> => {
    const response = await send(app, listUrl(resource, query, projection), { headers })
    if (response.statusCode !== 200) throw new Error(response.payload)
    return response.json().data
  }

  await t.test(
    `${resource}: lists whole items that the account sees, in natural order`,
    async (t) => {
      t.same(await list(), items.slice(0, 50))
      t.same(await list({}, {}), items.slice(0, 50))
      t.same(await list({}, { sort: {}, fields: {} }), items.slice(0, 50))
    },
  )

  await t.test(`${resource}: pages together are the whole list`, async (t) => {
    const limit = 3
    const pages: JsonObject[] = []
    for (let skip = 0; skip <= items.length; skip += limit)
      pages.push(...(await list({}, { skip, limit })))
    t.same(pages, items)
  })

  await t.test(`${resource}: returns each item by its _id, and by a query`, async (t) => {
    const byId: JsonObject[] = []
    const byQuery: JsonObject[] = []
    for (const { _id } of items) {
      const response = await send(app, `/${resource}/${_id}`, { headers })
      byId.push(response.json())
      byQuery.push(...(await list({ _id })))
    }
    t.same(
      byId,
      items.map((data) => ({ status: 'success', data })),
    )
    t.same(byQuery, items)
  })

  await t.test(`${resource}: sorts up, and down in reverse order`, async (t) => {
    const ascending = await list({}, { sort: { _id: 1 }, limit: 500 })
    t.same(
      ascending.map(({ _id }) => _id),
      items.map(({ _id }) => _id as string).toSorted(),
    )
    t.same((await list({}, { sort: { _id: -1 }, limit: 500 })).toReversed(), ascending)
  })

  await t.test(`${resource}: fields include and exclude`, async (t) => {
    const ids = items.slice(0, 50).map(({ _id }) => ({ _id }))
    t.same(await list({}, { fields: { _id: 1 } }), ids)
    const others = await list({}, { fields: { _id: 0, name: 0 } })
    t.same(
      others,
      items.slice(0, 50).map(({ _id, name: _name, ...rest }) => rest),
    )
    t.same(await list(), items.slice(0, 50), 'stored items do not change')
  })

  await t.test(
    `${resource}: responds to a missing item, missing credentials and a wrong method`,
    async (t) => {
      const missing = await send(app, `/${resource}/nothing`, { headers })
      t.match(missing.json(), {
        message: `${resource} has no item with _id "nothing"`,
        data: { code: 'ITEM_NOT_FOUND' },
      })
      t.equal((await send(app, `/${resource}`)).statusCode, 401)
      t.equal((await send(app, `/${resource}/nothing`)).statusCode, 401)
      const method = await send(app, `/${resource}`, { method: 'TRACE', headers })
      t.equal(method.statusCode, 405)
      t.match(method.headers.allow, /\bGET\b.*\bHEAD\b/)
    },
  )

  const target = describeResource(resource).bankOf
  if (target === undefined) await testWriteConformance(t, app, resource, headers, hidden)
  else await testBankConformance(t, app, resource, target, headers, items)
}
