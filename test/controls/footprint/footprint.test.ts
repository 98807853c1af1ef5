import t from 'tap'
import type { Test } from 'tap'

import type { BuildOptions } from '../../../src/server/app.js'
import { BASE, build, listUrl, send } from '../../helpers/build.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [
    { _id: 'm1', formula: 'Si', parts: [{ name: 'a', n: 1 }] },
    { _id: 'm2', formula: 'Ge' },
  ],
}
const headers = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }

async function start(t: Test, options: BuildOptions = {}) {
  const app = await build(t, { fixtures: FIXTURES, ...options })
  return {
    app,
    get: (url: string) => send(app, url, { headers }),
    footprint: async (sandbox = '') =>
      (await app.inject(`${sandbox}/__admin/footprint`)).json().data,
  }
}

const EMPTY = {
  statuses: [],
  operators: [],
  paths: [],
  sort: [],
  fields: [],
  parameters: [],
  code: [],
}

t.test('a footprint has each route that was used, whole with any journal', async (t) => {
  for (const journal of [0, 1, 1000]) {
    const { app, get, footprint } = await start(t, { journal })
    t.same(await footprint(), { requests: 0, uses: [] })
    await get(listUrl('materials', { formula: { $regex: 'S' } }, { sort: { name: -1 } }))
    await get(listUrl('materials', { formula: { $regex: 'S' } }, { fields: { name: 1 } }))
    await get('/materials?formula=Si&limit=3')
    await get('/materials/m1')
    await get('/materials/none/')
    await send(app, '/materials')
    await app.inject('/nowhere')
    await app.inject({ method: 'PUT', url: `${BASE}/materials` })
    t.same(await footprint(), {
      requests: 8,
      uses: [
        {
          ...EMPTY,
          method: 'GET',
          path: '*',
          count: 1,
          statuses: [404],
          code: ['ROUTE_NOT_FOUND'],
        },
        {
          ...EMPTY,
          method: 'PUT',
          path: '*',
          count: 1,
          statuses: [405],
          code: ['METHOD_NOT_ALLOWED'],
        },
        {
          method: 'GET',
          path: '/materials',
          count: 4,
          statuses: [200, 401],
          operators: ['$eq', '$regex'],
          paths: ['formula'],
          sort: ['name'],
          fields: ['name'],
          parameters: ['formula', 'limit', 'projection', 'query'],
          code: ['CREDENTIALS_REJECTED'],
        },
        {
          ...EMPTY,
          method: 'GET',
          path: '/materials/{id}',
          count: 2,
          statuses: [200, 404],
          code: ['ITEM_NOT_FOUND'],
        },
      ],
    })
    await app.inject({ method: 'POST', url: '/__admin/reset' })
    t.same(await footprint(), { requests: 0, uses: [] })
  }
})

t.test('operators and paths are those of the parsed query', async (t) => {
  const cases: [query: object, operators: string[], paths: string[]][] = [
    [{}, [], []],
    [{ formula: 'Si' }, ['$eq'], ['formula']],
    [{ formula: { $in: ['$gt'] } }, ['$in'], ['formula']],
    [{ formula: { $eq: { $literal: 1 } } }, ['$eq'], ['formula']],
    [{ 'a.b': { $gt: 1, $lt: 2 } }, ['$gt', '$lt'], ['a.b']],
    [
      { $or: [{ a: 1 }, { b: { $not: { $size: 2 } } }] },
      ['$eq', '$not', '$or', '$size'],
      ['a', 'b'],
    ],
    [
      { parts: { $elemMatch: { name: 'a', 'x.y': { $gt: 0 } } } },
      ['$elemMatch', '$eq', '$gt'],
      ['parts', 'parts.name', 'parts.x.y'],
    ],
    [{ parts: { $elemMatch: { $gt: 0 } } }, ['$elemMatch', '$gt'], ['parts']],
    [{ parts: { $elemMatch: { parts: 1 } } }, ['$elemMatch', '$eq'], ['parts', 'parts.parts']],
    [
      { $expr: { $gt: ['$a.b', { $add: ['$c', { $literal: '$d' }] }] } },
      ['$add', '$expr', '$gt', '$literal'],
      ['a.b', 'c'],
    ],
  ]
  for (const [query, operators, paths] of cases) {
    const { get, footprint } = await start(t)
    t.equal((await get(listUrl('materials', query))).statusCode, 200)
    t.match((await footprint()).uses, [{ operators, paths }], JSON.stringify(query))
  }
})

t.test('the newest client and plain parameters are parsed alike', async (t) => {
  const searches = encodeURIComponent('[{"formula":{"$in":["Si"]}}]')
  const { get, footprint } = await start(t)
  await get(`/materials?advancedSearches=${searches}&setId=s1&sort=-name&globalSearch=true`)
  t.match((await footprint()).uses, [
    {
      operators: ['$and', '$eq', '$in'],
      paths: ['formula', 'inSet._id'],
      sort: ['name'],
      parameters: ['advancedSearches', 'globalSearch', 'setId', 'sort'],
    },
  ])
})

t.test('a refused query leaves its code alone', async (t) => {
  const { get, footprint } = await start(t)
  await get(listUrl('materials', { formula: { $near: 1 } }, { sort: { name: 1 } }))
  await get('/materials?query={')
  await get('/materials?query=a&query=b&equalities=x')
  await get('/materials?nothing=1')
  await get(listUrl('materials', { formula: 'Si' }, { sort: { name: 2 } }))
  await get(listUrl('materials', { formula: 'Si' }, { fields: { name: 1, tags: 0 } }))
  t.same((await footprint()).uses, [
    {
      ...EMPTY,
      method: 'GET',
      path: '/materials',
      count: 6,
      statuses: [400],
      parameters: ['equalities', 'nothing', 'projection', 'query'],
      code: ['PARAMETER_INVALID', 'PROJECTION_INVALID', 'QUERY_INVALID'],
    },
  ])
})

t.test('fields are paths, however they are nested', async (t) => {
  const { get, footprint } = await start(t)
  const fields = { lattice: { a: 1, vectors: { b: 1 } }, 'basis.units': 1, tags: { $slice: 1 } }
  await get(listUrl('materials', undefined, { fields }))
  t.match((await footprint()).uses, [
    { fields: ['basis.units', 'lattice.a', 'lattice.vectors.b', 'tags'] },
  ])
})

t.test('fields are those of the items that a list returns', async (t) => {
  const cases: [fields: object, used: string[], operators?: string[], paths?: string[]][] = [
    [{ formula: 0, nothing: false }, []],
    [{ _id: 0, formula: true }, ['formula']],
    [{ 'parts.$': 1 }, ['parts']],
    [{ parts: { $elemMatch: { n: 1 } } }, ['parts']],
    [{ parts: { $slice: [0, 1] } }, ['parts']],
    [{ copy: '$formula', text: { $literal: '$x' } }, [], ['$literal'], ['formula']],
    [
      { count: { $size: '$parts' }, inner: { first: { $slice: ['$parts.n', 1] }, n: 1 } },
      ['inner.n'],
      ['$size', '$slice'],
      ['parts', 'parts.n'],
    ],
  ]
  for (const [fields, used, operators = [], paths = []] of cases) {
    const { get, footprint } = await start(t)
    const name = JSON.stringify(fields)
    t.equal(
      (await get(listUrl('materials', { 'parts.name': 'a' }, { fields }))).statusCode,
      200,
      name,
    )
    const { uses } = await footprint()
    t.same(uses[0].fields, used, name)
    t.same(uses[0].operators, ['$eq', ...operators], name)
    t.same(uses[0].paths, [...paths, 'parts.name'].toSorted(), name)
  }
})

t.test('a request without a response counts, and one of a sandbox is its own', async (t) => {
  const { app, get, footprint } = await start(t)
  app.sandboxes.make('ann')
  app.controls.faults.add({ path: '/api/*/materials', drop: 'reset' })
  await t.rejects(get('/materials'))
  t.match(await footprint(), { requests: 1, uses: [{ count: 1, statuses: [] }] })
  t.same(await footprint('/sandboxes/ann'), { requests: 0, uses: [] })
  await app.inject({ url: `/sandboxes/ann${BASE}/materials/m1`, headers })
  t.match(await footprint('/sandboxes/ann'), { requests: 1, uses: [{ path: '/materials/{id}' }] })
})

t.test('a page, a preflight and a control leave no footprint', async (t) => {
  const { app, footprint } = await start(t)
  const origin = 'http://localhost:3000'
  const preflight = { origin, 'access-control-request-method': 'GET' }
  await app.inject({ method: 'OPTIONS', url: `${BASE}/materials`, headers: preflight })
  await app.inject({ url: `${BASE}/materials`, headers: { ...headers, 'x-mock-page': 'true' } })
  await app.inject('/__admin/health')
  t.same(await footprint(), { requests: 0, uses: [] })
})

t.test('a footprint that has no room for more names says so', async (t) => {
  const { app, get, footprint } = await start(t)
  await get(`/materials/m1?${'n'.repeat(201)}=1`)
  t.match((await footprint()).uses, [{ parameters: [], cut: true }])
  await app.inject({ method: 'POST', url: '/__admin/reset' })
  for (let round = 0; round < 11; round += 1) {
    const names = Array.from({ length: 1000 }, (_, index) => `n${round}x${index}`)
    await get(`/materials/m1?${names.join('&')}`)
  }
  await get('/materials')
  const { uses } = await footprint()
  t.match(uses, [
    { path: '/materials', count: 1, statuses: [200] },
    { count: 11, cut: true },
  ])
  t.equal(uses[1].parameters.length, 10_000)
})

t.test('nothing is collected without controls', async (t) => {
  const { app, get } = await start(t, { admin: false })
  await get('/materials')
  t.same(app.controls.footprint.toJSON(), { requests: 0, uses: [] })
})
