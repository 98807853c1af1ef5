import { createRequire } from 'node:module'

import type { FastifyInstance, InjectOptions } from 'fastify'
import t from 'tap'

import { LISTS } from '@materials-mock/api'
import { EMPTY_RESOURCES, build, logIn, send } from '../helpers/build.js'

const FIXTURES = {
  accounts: [
    { _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] },
    { _id: 'bob', username: 'bob', password: 'y' },
  ],
  materials: [
    { _id: 'm1', formula: 'Si' },
    { _id: 'm2', formula: 'Ge' },
  ],
  projects: [{ _id: 'p1' }],
}
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

type Method = NonNullable<InjectOptions['method']>

/** Sends a request to the controls, and returns the `data` of the response. */
async function request(app: FastifyInstance, method: Method, url: string) {
  const response = await app.inject({ method, url: `/__admin${url}` })
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

/** Removes the first material, as a DELETE would. */
function removeFirst(app: FastifyInstance): void {
  const materials = app.store.collections.get('materials')
  const entry = materials?.findById('m1', () => true)
  if (entry !== undefined) materials?.remove(entry)
}

const listIds = async (app: FastifyInstance): Promise<string[]> =>
  (await send(app, '/materials', { headers: ANN }))
    .json()
    .data.map(({ _id }: { _id: string }) => _id)

t.test('health has the version, the uptime and the size of each resource', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { uptime, ...rest } = await request(app, 'GET', '/health')
  const resources = {
    materials: 2,
    projects: 1,
    ...Object.fromEntries(EMPTY_RESOURCES.map((name) => [name, 0])),
  }
  t.same(rest, { status: 'ok', version, readOnly: false, strict: false, lists: 'both', resources })
  t.ok(uptime > 0 && uptime < 10, `${uptime} s`)
  removeFirst(app)
  t.match(await request(app, 'GET', '/health'), { resources: { materials: 1 } })
  const readOnly = await build(t, { fixtures: FIXTURES, readOnly: true })
  t.match(await request(readOnly, 'GET', '/health'), { readOnly: true })
})

t.test('a reset restores the state right after the start', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const headers = await logIn(app, 'bob', 'y')
  await send(app, '/logout', { headers: ANN })
  app.controls.faults.add({ status: 500, path: '/api/**' })
  removeFirst(app)
  t.same(await request(app, 'POST', '/reset'), {})
  t.same(await request(app, 'GET', '/faults'), [])
  t.same(await request(app, 'GET', '/requests'), [])
  t.same(await listIds(app), ['m1', 'm2'], 'a preferences token works again after a logout')
  t.equal((await send(app, '/materials', { headers })).statusCode, 401)
})

t.test('a session of any account opens without a password', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  t.same(await request(app, 'GET', '/accounts'), [
    { _id: 'ann', username: 'ann', name: 'ann', type: 'personal' },
    { _id: 'bob', username: 'bob', name: 'bob', type: 'personal' },
  ])
  const cases: [payload: object | undefined, username: string][] = [
    [undefined, 'ann'],
    [{}, 'ann'],
    [{ username: 'bob' }, 'bob'],
  ]
  for (const [payload, username] of cases) {
    const options = payload === undefined ? {} : { payload }
    const response = await app.inject({ method: 'POST', url: '/__admin/sessions', ...options })
    const { 'X-Auth-Token': token, ...rest } = response.json().data
    t.same(rest, { 'X-Account-Id': username, username })
    const headers = { 'x-account-id': username, 'x-auth-token': token }
    t.equal((await send(app, '/materials', { headers })).statusCode, 200)
  }
  for (const [payload, message] of [
    [{ username: 'eve' }, /^username must be the username of an account, not "eve"$/],
    [{ username: '' }, /^username must/],
    [{ user: 'ann' }, /user/],
  ] as const) {
    const response = await app.inject({ method: 'POST', url: '/__admin/sessions', payload })
    t.match(response.json(), { message, data: { code: 'BODY_INVALID' } })
  }
})

t.test('a snapshot can be restored any number of times', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const headers = await logIn(app, 'bob', 'y')
  t.same(await request(app, 'GET', '/snapshots'), [])
  const taken = await request(app, 'PUT', '/snapshots/before')
  t.match(taken, { name: 'before', takenAt: /Z$/, resources: { materials: 2, projects: 1 } })
  for (let count = 0; count < 2; count += 1) {
    removeFirst(app)
    await send(app, '/logout', { headers })
    t.same(await listIds(app), ['m2'])
    t.same(await request(app, 'POST', '/snapshots/before/restore'), taken)
    t.same(await listIds(app), ['m1', 'm2'])
    t.equal(
      (await send(app, '/materials', { headers })).statusCode,
      200,
      'sessions are restored too',
    )
  }
  removeFirst(app)
  await request(app, 'PUT', '/snapshots/after')
  await request(app, 'POST', '/reset')
  t.match(await request(app, 'GET', '/snapshots'), [
    { name: 'after', resources: { materials: 1 } },
    { name: 'before', resources: { materials: 2 } },
  ])
  await request(app, 'PUT', '/snapshots/after')
  t.match(await request(app, 'GET', '/snapshots'), [{ resources: { materials: 2 } }, {}])
  t.same(await request(app, 'DELETE', '/snapshots/after'), {})
  t.match(await request(app, 'GET', '/snapshots'), [{ name: 'before' }])
})

t.test(
  'explain has the plan of a list, and the numbers of items examined and matched',
  async (t) => {
    const materials = Array.from({ length: 1000 }, (_, index) => ({
      _id: `m${index}`,
      formula: index % 100 === 7 ? 'Si' : 'Ge',
      a: index,
      owner: { _id: index % 2 === 0 ? 'ann' : 'bob' },
    }))
    const app = await build(t, { fixtures: { ...FIXTURES, materials } })
    const scan = { plan: 'scan', candidates: 1000, conditions: [] }
    const hashIndex = { plan: 'index on formula', candidates: 10, conditions: [] }
    const sortedIndex = { plan: 'index on a, for the order', candidates: 700 }
    const schema = { $jsonSchema: { properties: { a: { maximum: 9 } } } }
    const cases: [parameters: Record<string, unknown>, explanation: object][] = [
      [{}, { ...scan, examined: 50, matched: 50, returned: 50 }],
      [{ accountId: 'ann' }, { ...scan, candidates: 500, examined: 50, matched: 50, returned: 50 }],
      [{ query: { formula: 'Si' } }, { ...hashIndex, examined: 10, matched: 10, returned: 10 }],
      [
        { query: { formula: 'Si', a: { $gt: 500 } }, projection: { skip: 2 } },
        {
          ...hashIndex,
          conditions: ['formula $eq', 'a $gt'],
          examined: 10,
          matched: 5,
          returned: 3,
        },
      ],
      [
        { query: { formula: 'Si' }, accountId: 'ann' },
        { ...hashIndex, candidates: 0, examined: 0, matched: 0, returned: 0 },
      ],
      [
        { query: { a: { $gte: 300 }, formula: 'Ge' }, projection: { sort: { a: 1 }, limit: 10 } },
        {
          ...sortedIndex,
          conditions: ['a $gte', 'formula $eq'],
          examined: 11,
          matched: 10,
          returned: 10,
        },
      ],
      [
        { query: { formula: { $regex: '^S' } } },
        { ...scan, conditions: ['formula $regex'], examined: 1000, matched: 10, returned: 10 },
      ],
      [
        { query: { ...schema, formula: 'Si' } },
        {
          ...hashIndex,
          conditions: ['$jsonSchema', 'formula $eq'],
          examined: 10,
          matched: 1,
          returned: 1,
        },
      ],
      [
        {
          query: {
            $and: [{ $expr: { $lt: ['$a', 2] } }],
            $or: [{ a: { $ne: 1 }, 'x y': { $size: 0 } }, { $nor: [schema] }, { $alwaysTrue: 1 }],
          },
        },
        {
          ...scan,
          conditions: ['$expr', '(a $ne and "x y" $size or not ($jsonSchema) or $alwaysTrue)'],
          examined: 1000,
          matched: 2,
          returned: 2,
        },
      ],
    ]
    for (const [parameters, explanation] of cases) {
      const texts = new URLSearchParams()
      for (const [name, value] of Object.entries(parameters))
        texts.set(name, typeof value === 'string' ? value : JSON.stringify(value))
      const before = performance.now()
      const { ms, ...rest } = await request(app, 'GET', `/explain/materials?${texts}`)
      const elapsed = performance.now() - before
      t.same(rest, explanation, JSON.stringify(parameters))
      t.ok(ms > 0 && ms <= elapsed, `${ms} ms of ${elapsed} ms`)
    }
    t.same((await request(app, 'GET', '/explain/projects')).plan, 'scan')
    for (const lists of LISTS) {
      for (const form of [undefined, ...LISTS]) {
        const other = await build(t, { lists, fixtures: { materials: [{ _id: 'm1', name: 'a' }] } })
        const url = `/explain/materials?query={"name":"b"}${form === undefined ? '' : `&lists=${form}`}`
        const { matched } = await request(other, 'GET', url)
        t.equal(matched, (form ?? lists) === 'migrated' ? 1 : 0, `${form} of ${lists}`)
      }
    }
  },
)

t.test('explain tells why an item is in a list, or why not', async (t) => {
  const materials = Array.from({ length: 120 }, (_, index) => ({
    _id: `m${index}`,
    n: index % 10,
    owner: { _id: index % 2 === 0 ? 'ann' : 'bob' },
  }))
  const app = await build(t, { fixtures: { ...FIXTURES, materials } })
  const cases: [id: string, parameters: object, explanation: object, headline: string][] = [
    ['m3', {}, { listed: true, place: 4, total: 120 }, 'm3 is in the list, at place 4 of 120'],
    [
      'm50',
      {},
      { listed: false, matches: true, place: 51, total: 120, skip: 0, limit: 50, clauses: [] },
      'm50 matches, but is at place 51 of 120, after the page (skip 0, limit 50)',
    ],
    [
      'm3',
      { projection: { sort: { n: -1 }, skip: 73 } },
      { listed: false, place: 73, total: 120, skip: 73 },
      'm3 matches, but is at place 73 of 120, before the page (skip 73, limit 50)',
    ],
    [
      'm119',
      { projection: { sort: { $natural: -1 }, limit: 1 }, accountId: 'bob' },
      { listed: true, place: 1, total: 60, visible: true, owner: 'bob' },
      'm119 is in the list, at place 1 of 60',
    ],
    [
      'm3',
      { accountId: 'ann', query: { n: 3 } },
      { listed: false, matches: null, visible: false, owner: 'bob', place: null, total: null },
      'm3 is hidden from ann by its owner bob',
    ],
    [
      'm3',
      { query: { n: { $gt: 4 } }, accountId: 'bob' },
      {
        matches: false,
        visible: true,
        clauses: [
          { path: 'n', operator: '$gt', operand: 4, matches: false, found: '3', values: [3] },
        ],
      },
      'm3 does not match\n└─ n $gt 4: no (n is 3)',
    ],
  ]
  const explain = (id: string, parameters: object) => {
    const texts = Object.entries(parameters).map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
    )
    return request(app, 'GET', `/explain/materials/${id}?${texts.join('&')}`)
  }
  for (const [id, parameters, explanation, text] of cases) {
    const data = await explain(id, parameters)
    t.match(data, { resource: 'materials', _id: id, ...explanation }, text)
    t.equal(data.text, text)
  }
  const query = { n: { $in: [2, 4, 6] } }
  for (const sort of [{}, { n: 1 }, { n: -1, _id: 1 }, { $natural: -1 }]) {
    const projection = { sort, limit: 500 }
    const url = `/materials?query=${JSON.stringify(query)}&projection=${JSON.stringify(projection)}`
    const ids = (await send(app, encodeURI(url), { headers: ANN })).json().data
    for (const [index, { _id }] of ids.entries()) {
      const { place, total } = await explain(_id, { query, projection, accountId: 'ann' })
      t.same([place, total], [index + 1, 36], `${JSON.stringify(sort)} ${_id}`)
    }
  }
})

t.test('an explanation has a bound', async (t) => {
  const list = Array.from({ length: 3 }, (_, a) => ({ a, text: 'x'.repeat(990) }))
  const app = await build(t, {
    fixtures: { ...FIXTURES, materials: [{ _id: 'm', list }] },
    queryBudget: 60_000,
  })
  const explain = async (count: number) => {
    const $or = Array.from({ length: count }, (_, n) => ({ text: `${n}` }))
    const query = encodeURIComponent(
      JSON.stringify({ list: { $elemMatch: { a: 5, $or, $nor: $or } } }),
    )
    const response = await app.inject({ url: `/__admin/explain/materials/m?query=${query}` })
    return response.json()
  }
  t.equal((await explain(300)).status, 'success')
  t.match(await explain(700), {
    data: { code: 'BOUND_EXCEEDED', message: /^an explanation must have at most 4194304 char/ },
  })
})

t.test('wrong paths, methods, parameters and bodies are errors that name them', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const cases: [method: Method, url: string, status: number, code: string, message: RegExp][] = [
    [
      'POST',
      '/snapshots/x/restore',
      404,
      'SNAPSHOT_NOT_FOUND',
      /snapshot with the name "x"; GET .* lists them$/,
    ],
    ['DELETE', '/snapshots/x', 404, 'SNAPSHOT_NOT_FOUND', /"x"; GET .* lists them$/],
    [
      'PUT',
      '/snapshots/a%20b',
      400,
      'PARAMETER_INVALID',
      /^name must be up to 100 letters, digits, "-", "_" and ".", and not "." or "..", not "a b"$/,
    ],
    ['DELETE', '/faults/1', 404, 'FAULT_NOT_FOUND', /"1"; GET .* lists them$/],
    [
      'GET',
      '/nowhere',
      404,
      'ROUTE_NOT_FOUND',
      /\/__admin\/nowhere; \/__admin\/openapi\.json lists all paths$/,
    ],
    ['GET', '', 404, 'ROUTE_NOT_FOUND', /\/__admin; \/__admin\/openapi\.json lists all paths$/],
    ['GET', '/reset', 405, 'METHOD_NOT_ALLOWED', /use POST$/],
    ['DELETE', '/snapshots', 405, 'METHOD_NOT_ALLOWED', /use GET, HEAD$/],
    ['GET', '/health?accountId=eve', 400, 'PARAMETER_INVALID', /^accountId must be the _id of an/],
    ['GET', '/health?full=1', 400, 'PARAMETER_INVALID', /^"full" is not a parameter of GET/],
    [
      'GET',
      '/requests?status=500',
      400,
      'PARAMETER_INVALID',
      /^"status" is not a parameter of GET \/__admin\/requests, which has query, projection$/,
    ],
    ['GET', '/requests/count?projection={}', 400, 'PARAMETER_INVALID', /which has query$/],
    ['GET', '/requests?query={%22$x%22:1}', 400, 'QUERY_INVALID', /\$x/],
    ['GET', '/requests?query=', 400, 'PARAMETER_INVALID', /^query is empty/],
    ['GET', '/requests?projection={%22limit%22:0}', 400, 'PROJECTION_INVALID', /limit/],
    [
      'GET',
      '/explain/nothing',
      404,
      'ROUTE_NOT_FOUND',
      /\/nothing; the resources are [a-z, ]*materials/,
    ],
    ['GET', '/explain/materials?query={%22$x%22:1}', 400, 'QUERY_INVALID', /\$x/],
    ['GET', '/explain/materials/m1?query={%22$x%22:1}', 400, 'QUERY_INVALID', /\$x/],
    ['GET', '/explain/materials/m9', 404, 'ITEM_NOT_FOUND', /"m9"$/],
    ['GET', '/explain/nothing/m1', 404, 'ROUTE_NOT_FOUND', /\/nothing\/m1; the resources are /],
    [
      'GET',
      '/explain/materials/m1?accountId=eve',
      400,
      'PARAMETER_INVALID',
      /accounts lists them, not "eve"$/,
    ],
    ['GET', '/explain/materials?projection={%22limit%22:0}', 400, 'PROJECTION_INVALID', /limit/],
    ['GET', '/explain/materials?limit=0', 400, 'PARAMETER_INVALID', /^limit must be an integer/],
    [
      'GET',
      '/explain/materials?lists=old',
      400,
      'PARAMETER_INVALID',
      /^lists must be "both" or .*, not "old"$/,
    ],
    ['GET', '/explain/materials?page=5', 400, 'PARAMETER_INVALID', /^"page" is not a parameter/],
    ['GET', '/explain/materials?accountId=a&accountId=b', 400, 'PARAMETER_INVALID', /accountId/],
    [
      'GET',
      '/explain/materials?accountId=eve',
      400,
      'PARAMETER_INVALID',
      /^accountId must be the _id of an account, as GET \/__admin\/accounts lists them, not "eve"$/,
    ],
  ]
  for (const [method, url, status, code, message] of cases) {
    const response = await app.inject({
      method,
      url: `/__admin${url}`,
    })
    t.equal(response.statusCode, status, `${method} ${url}`)
    t.match(response.json(), { status: 'error', message, data: { code } }, `${method} ${url}`)
  }
  const reset = { method: 'POST', url: '/__admin/reset' } as const
  t.match((await app.inject({ ...reset, payload: { resource: 'materials' } })).json(), {
    message: 'POST /__admin/reset takes no body',
    data: { code: 'BODY_INVALID' },
  })
  t.equal((await app.inject({ ...reset, payload: {} })).statusCode, 200)
  const headers = { 'content-type': 'application/json' }
  t.equal((await app.inject({ ...reset, headers })).statusCode, 200)
})

t.test('the controls are served on loopback hosts, or as --admin says', async (t) => {
  const cases: [options: { host?: string; admin?: boolean }, isServed: boolean][] = [
    [{}, true],
    [{ host: 'localhost' }, true],
    [{ host: '127.1.2.3' }, true],
    [{ host: '::1' }, true],
    [{ host: '0.0.0.0' }, false],
    [{ host: '127.evil.example' }, false],
    [{ host: '0.0.0.0', admin: true }, true],
    [{ admin: false }, false],
  ]
  for (const [options, isServed] of cases) {
    const app = await build(t, { fixtures: FIXTURES, ...options })
    const { statusCode } = await app.inject({
      url: '/__admin/health',
      headers: { host: 'localhost' },
    })
    t.equal(statusCode, isServed ? 200 : 404, JSON.stringify(options))
  }
})
