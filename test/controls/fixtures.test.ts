import { request as httpRequest } from 'node:http'

import type { FastifyInstance } from 'fastify'
import t from 'tap'

import { generateMaterials } from '@materials-mock/structures'
import { EMPTY_RESOURCES, build, send } from '../helpers/build.js'

const FIXTURES = {
  accounts: [
    { _id: 'ann', username: 'ann', password: 'secret', tokens: ['ann-token'] },
    { _id: 'bob', username: 'bob', password: 'y' },
  ],
  empty: [],
  materials: [
    { _id: 'm1', formula: 'Si', owner: { _id: 'bob' } },
    { _id: 'm2', formula: 'Ge', ratio: 1.5, name: 'β\n"' },
  ],
}
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }

const get = (app: FastifyInstance, url = '') =>
  app.inject({ method: 'GET', url: `/__admin/fixtures${url}` })

const put = (app: FastifyInstance, resource: string, payload: string | Buffer) =>
  app.inject({
    method: 'PUT',
    url: `/__admin/fixtures/${resource}`,
    headers: { 'content-type': 'application/json' },
    payload,
  })

t.test('the fixtures are all items as they are held, of every account', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { accounts: _, ...own } = FIXTURES
  const resources = { ...own, ...Object.fromEntries(EMPTY_RESOURCES.map((name) => [name, []])) }
  t.same((await get(app)).json(), { status: 'success', data: resources })
  t.notMatch((await get(app)).body, /secret|ann-token/)
  await send(app, '/materials/m2', { method: 'DELETE', headers: ANN })
  t.same((await get(app)).json().data, { ...resources, materials: [FIXTURES.materials[0]] })
  const list = await get(app, '/materials')
  t.equal(list.headers['content-type'], 'application/json; charset=utf-8')
  t.same(list.json(), { status: 'success', data: [FIXTURES.materials[0]] })
  t.same((await get(app, '/empty')).json().data, [])
})

t.test('format=jsonl returns what a fixture file has', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const lines = await get(app, '/materials?format=jsonl')
  t.equal(lines.headers['content-type'], 'application/jsonl')
  t.equal(lines.body, FIXTURES.materials.map((item) => `${JSON.stringify(item)}\n`).join(''))
  t.equal((await get(app, '/empty?format=jsonl')).body, '')
})

t.test('a PUT replaces the items of a resource, and a reset brings them back', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const items = [{ _id: 'n1', formula: 'C' }, FIXTURES.materials[1], { _id: 'n2' }]
  t.same((await put(app, 'materials', `\uFEFF${JSON.stringify(items, undefined, 2)}\n`)).json(), {
    status: 'success',
    data: { resource: 'materials', size: 3 },
  })
  t.same((await get(app, '/materials')).json().data, items)
  t.same((await send(app, '/materials', { headers: ANN })).json().data, items)
  const query = encodeURIComponent('{"formula": "C"}')
  t.same((await send(app, `/materials?query=${query}`, { headers: ANN })).json().data, [items[0]])
  t.same((await put(app, 'materials', '[]')).json().data.size, 0)
  await app.inject({ method: 'POST', url: '/__admin/reset' })
  t.same((await get(app, '/materials')).json().data, FIXTURES.materials)
})

t.test("a PUT converts MongoDB's Extended JSON", async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const item = '{"_id": {"$oid": "5f1b2c3d4e5f6a7b8c9d0e1f"}, "n": {"$numberLong": "5"}}'
  t.equal((await put(app, 'materials', `[${item}]`)).statusCode, 200)
  t.same((await get(app, '/materials')).json().data, [{ _id: '5f1b2c3d4e5f6a7b8c9d0e1f', n: 5 }])
})

const seed = (app: FastifyInstance, payload: unknown, search = '') =>
  app.inject({
    method: 'POST',
    url: `/__admin/seed${search}`,
    headers: { 'content-type': 'application/json' },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })

t.test('a seed completes and replaces the items of several resources', async (t) => {
  const app = await build(t, { fixtures: { ...FIXTURES, jobs: [], workflows: [] } })
  const partial = { jobs: [{ name: 'Relax' }], materials: [{ formula: 'Si' }], empty: [{}] }
  const { data } = (await seed(app, partial, '?seed=7')).json()
  t.match(data, {
    jobs: [{ name: 'Relax', _material: { _id: data.materials[0]._id } }],
    materials: [{ formula: 'Si', basis: {}, owner: { _id: 'ann' } }],
    empty: [{ _id: /^.{17}$/ }],
    workflows: [],
  })
  for (const resource of ['jobs', 'materials', 'empty'])
    t.same((await get(app, `/${resource}`)).json().data, data[resource], resource)
  t.same((await seed(app, partial, '?seed=7')).json().data.materials, data.materials)
  t.not((await seed(app, partial)).json().data.materials[0]._id, data.materials[0]._id)
  await app.inject({ method: 'POST', url: '/__admin/reset' })
  t.same((await get(app, '/materials')).json().data, FIXTURES.materials)
})

t.test('a seed that is wrong replaces nothing', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const cases: [payload: unknown, message: string | RegExp, search?: string][] = [
    [{ materials: [{}], empty: [{}, 5] }, 'seed.empty[1]: must be an object, not 5'],
    [{ materials: [{}, { formula: 5 }] }, 'seed.materials[1]: formula must be a string, not 5'],
    [{ materials: [], matirials: [] }, /^seed\.matirials must .*; the closest one is materials$/],
    [{ materials: [], accounts: [] }, /^seed\.accounts must be a resource that/],
    [{ materials: [], empty: {} }, 'seed.empty must be an array of items, not {}'],
    [[], /^seed must be an object such as .*, not \[\]$/],
    ['{"materials": [', /^body/],
    ['', /^(?:seed|body|the body) /],
    [{ materials: [] }, 'seed must be an integer, not 1.5', '?seed=1.5'],
    [{ materials: [] }, 'seed must be an integer, not "x"', '?seed=x'],
    [{ materials: [] }, /^"sed" is not a parameter of POST .*; the closest one is seed$/, '?sed=1'],
  ]
  for (const [payload, message, search] of cases) {
    const response = await seed(app, payload, search)
    t.match(response.json(), { status: 'error', message }, JSON.stringify(payload))
    t.equal(response.statusCode, 400)
  }
  t.same((await get(app, '/materials')).json().data, FIXTURES.materials)
})

t.test('what is returned can be sent back', async (t) => {
  const app = await build(t)
  const before = (await get(app)).json().data
  for (const [resource, items] of Object.entries(before)) {
    const answer = await put(app, resource, JSON.stringify(items))
    t.equal(answer.statusCode, 200, `${resource}: ${answer.body}`)
  }
  t.same((await get(app)).json().data, before)
})

t.test('a PUT of anything wrong is refused, says where, and changes nothing', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const cases: [body: string | Buffer, code: string, message: string | RegExp][] = [
    ['', 'BODY_INVALID', 'body must be a JSON array of items'],
    ['{"_id": "a"}', 'BODY_INVALID', 'body must be a JSON array of items'],
    ['[{"_id": "a"}, 5]', 'BODY_INVALID', 'body[1]: must be an object, not 5'],
    ['[{}]', 'BODY_INVALID', 'body[0]: _id is missing'],
    ['[{"_id": ""}]', 'BODY_INVALID', 'body[0]: _id must be a string that is not empty, not ""'],
    ['[{"_id": ".."}]', 'BODY_INVALID', 'body[0]: _id must not be "..": no path can have it'],
    [
      '[{"_id": "a"}, {"_id": "a"}]',
      'BODY_INVALID',
      'body[1]: _id must be unique, but body[0] has "a" too',
    ],
    [
      '[{"_id": "a", "formula": 5}]',
      'BODY_INVALID',
      /^body\[0\] \(_id "a"\): formula must be a string, not 5$/,
    ],
    ['[{"_id": "a", "n": 1e999}]', 'BODY_INVALID', /^body\[0\]\.n must be a number/],
    [
      '[{"_id": "a", "n": 1, "n": 2}]',
      'BODY_INVALID',
      'body[0] has the key "n" twice; name it once',
    ],
    [
      '[{"_id": "a"}, {"_id": "b",}]',
      'BODY_INVALID',
      'body is not JSON: line 1, column 28: a key in double quotes is expected',
    ],
    [
      '[{"_id": "a", "at": {"$date": "soon"}}]',
      'BODY_INVALID',
      'body[0].at must have a time in ISO 8601 or in ms as $date, not "soon"',
    ],
    [
      '[{"_id": "a"}',
      'BODY_INVALID',
      'body is not JSON: line 1, column 14: a closing bracket is expected',
    ],
    [Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), 'BODY_INVALID', 'body must be UTF-8'],
    [
      `[{"_id": "a", "deep": ${'['.repeat(200)}${']'.repeat(200)}}]`,
      'BOUND_EXCEEDED',
      'body must have at most 101 levels of JSON',
    ],
  ]
  for (const [body, code, message] of cases) {
    const answer = await put(app, 'materials', body)
    t.equal(answer.statusCode, 400, body.toString().slice(0, 80))
    t.match(answer.json(), { message, data: { code } })
    t.same((await get(app, '/materials')).json().data, FIXTURES.materials)
  }
  for (const resource of ['nothing', 'accounts']) {
    const message = `there is nothing at /__admin/fixtures/${resource}; the resources are empty, materials`
    t.match((await get(app, `/${resource}`)).json(), { message })
  }
  for (const resource of ['accounts', 'a%20b'])
    t.match((await put(app, resource, '[]')).json(), { data: { code: 'PARAMETER_INVALID' } })
  t.match((await get(app, '/materials?format=xml')).json(), { data: { code: 'PARAMETER_INVALID' } })
  const text = await app.inject({
    method: 'PUT',
    url: '/__admin/fixtures/materials',
    headers: { 'content-type': 'text/plain' },
    payload: '[]',
  })
  t.match(text.json(), { data: { code: 'CONTENT_TYPE_UNSUPPORTED' } })
})

t.test(
  'too large a body is answered while it is sent, and a hang-up changes nothing',
  async (t) => {
    const app = await build(t, { fixtures: FIXTURES })
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const start = (headers: Record<string, string> = {}) =>
      httpRequest({
        port,
        method: 'PUT',
        path: '/__admin/fixtures/materials',
        headers: { 'content-type': 'application/json', ...headers },
      })
    const large = start({ 'content-length': String(64 * 1024 * 1024 + 1) })
    large.write('[')
    const tooLarge = await new Promise((resolve) => {
      large.once('response', (response) => resolve(response.statusCode))
    })
    t.equal(tooLarge, 413)
    large.once('error', () => undefined).destroy()

    const aborted = start()
    aborted.once('error', () => undefined)
    await new Promise((resolve) => aborted.write('[{"_id": "a"}', resolve))
    aborted.destroy()
    await new Promise((resolve) => setTimeout(resolve, 100))
    t.same((await get(app, '/materials')).json().data, FIXTURES.materials)
  },
)

t.test('many items are replaced and returned in many turns of the event loop', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const items = [...generateMaterials(6000, { seed: 3 })]
  const text = JSON.stringify(items)
  let [turns, isDone] = [0, false]
  const count = (): void => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const answer = await put(app, 'materials', text)
  t.same(answer.json().data, { resource: 'materials', size: 6000 })
  // JSON.parse of the whole body is one turn; the items are inserted in slices of 10 ms.
  t.ok(turns > 8, `${turns} turns for the PUT`)
  turns = 0
  t.equal((await get(app, '/materials?format=jsonl')).body.length, text.length - 1)
  t.ok(turns > 4, `${turns} turns for the GET`)
  isDone = true
})

t.test('a deleted item is put back in its place, whatever happened meanwhile', async (t) => {
  const things = ['a', 'b', 'c', 'd'].map((id) => ({ _id: id, isDefault: id === 'd' }))
  const app = await build(t, { fixtures: { accounts: FIXTURES.accounts, things } })
  const remove = (id: string) => send(app, `/things/${id}`, { method: 'DELETE', headers: ANN })
  const restore = async (id: string, resource = 'things') => {
    const url = `/__admin/fixtures/${resource}/${id}/restore`
    const response = await app.inject({ method: 'POST', url })
    return response.statusCode === 200 ? response.json().data : response.json().data.code
  }
  const ids = async () =>
    (await get(app, '/things')).json().data.map(({ _id }: { _id: string }) => _id)
  for (const id of ['b', 'c', 'd']) await remove(id)
  const created = await send(app, '/things/create', {
    method: 'PUT',
    headers: { ...ANN, 'content-type': 'application/json' },
    payload: '{"name": "made meanwhile"}',
  })
  const { _id: made } = created.json().data
  await send(app, `/things/${made}/set-default`, { method: 'POST', headers: ANN })
  t.same(await restore('c'), things[2])
  t.same(await restore('d'), { _id: 'd', isDefault: false }, 'another item is the default')
  t.same(await restore('b'), things[1])
  t.same(await ids(), ['a', 'b', 'c', 'd', made])
  for (const [id, resource, code] of [
    ['b', 'things', 'ITEM_NOT_FOUND'],
    ['nothing', 'things', 'ITEM_NOT_FOUND'],
    ['b', 'nothings', 'ROUTE_NOT_FOUND'],
  ] as const)
    t.equal(await restore(id, resource), code)

  await remove(made)
  t.equal((await restore(made)).isDefault, true)
  await remove('a')
  await app.inject({ method: 'POST', url: '/__admin/reset' })
  t.equal(await restore('a'), 'ITEM_NOT_FOUND')
  t.same(await ids(), ['a', 'b', 'c', 'd'])
})
