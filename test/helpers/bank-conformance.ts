import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Test } from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { send } from './build.js'

/**
 * Tests the behaviour of a bank: its items can be copied, and nothing else can be written.
 * @param target the resource that its items are copied into
 * @param items the items of the bank
 */
export async function testBankConformance(
  t: Test,
  app: FastifyInstance,
  bank: string,
  target: string,
  headers: Record<string, string>,
  items: readonly JsonObject[],
): Promise<void> {
  const accountId = headers['X-Account-Id'] as string
  const copy = async (path: string) => {
    const response = await send(app, `/${bank}/${path}`, { method: 'POST', headers })
    return { status: response.statusCode, data: response.json().data }
  }

  await t.test(`${bank}: copies into ${target} of the account`, async (t) => {
    for (const original of items.slice(0, 4)) {
      const { _id: _, owner: __, systemName: ___, ...rest } = original
      for (const query of ['', `?accountId=${accountId}`]) {
        const { status, data } = await copy(`${String(original._id)}/copy${query}`)
        t.not(data._id, original._id)
        t.match(
          { status, data, systemName: data.systemName },
          {
            status: 200,
            data: {
              name: rest.name,
              owner: { _id: accountId, cls: 'Account' },
              isDefault: false,
              exabyteId: String,
            },
            systemName: undefined,
          },
        )
        t.same(
          Object.keys(rest).filter((name) => !(name in data)),
          [],
          'the copy is whole',
        )
        const found = await send(app, `/${target}/${data._id}`, { headers })
        t.same(found.json().data, data)
        await send(app, `/${target}/${data._id}`, { method: 'DELETE', headers })
      }
      t.same(
        (await send(app, `/${bank}/${String(original._id)}`, { headers })).json().data,
        original,
      )
    }
    const forbidden = await copy(
      `${String(items[0]?._id)}/copy?accountId=${findOther(app, accountId)}`,
    )
    t.match(forbidden, { status: 403, data: { code: 'OWNER_FORBIDDEN' } })
    t.match(await copy('nothing/copy'), { status: 404, data: { code: 'ITEM_NOT_FOUND' } })
    for (const wrong of ['accountId=', 'account=x'])
      t.equal((await copy(`${String(items[0]?._id)}/copy?${wrong}`)).status, 400, wrong)
  })

  await t.test(`${bank}: is read-only otherwise`, async (t) => {
    const id = String(items[0]?._id)
    const writes: [method: NonNullable<InjectOptions['method']>, path: string][] = [
      ['PUT', 'create'],
      ['PUT', 'create-set'],
      ['PATCH', id],
      ['DELETE', id],
      ['POST', `${id}/set-default`],
      ['POST', `${id}/move-to-set`],
    ]
    for (const [method, path] of writes) {
      const response = await send(app, `/${bank}/${path}`, { method, headers })
      t.same([response.statusCode, response.headers.allow], [405, 'GET, HEAD'], `${method} ${path}`)
    }
    t.equal((await send(app, `/${bank}/${id}/copy`, { headers })).headers.allow, 'POST')
  })
}

const findOther = (app: FastifyInstance, accountId: string): string | undefined =>
  app.store.accounts.find(({ _id }) => _id !== accountId)?._id
