import t from 'tap'

import type { Lists } from '@materials-mock/api'
import type { JsonObject } from '@materials-mock/json'
import { build, listUrl, send } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'

const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'token-of-ann' }

const ACCOUNTS = [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['token-of-ann'] }]

const MATERIALS = [
  { _id: 'm1', name: 'c', formula: 'Si' },
  { _id: 'm2', name: 'b', formula: 'Ge' },
  { _id: 'm3', name: 'a', formula: 'Si', inSet: [{ _id: 's1', type: 'ordered', index: 0 }] },
  { _id: 's1', name: 'd', isEntitySet: true },
]

/** The resources whose lists the newest client asks for with all parameters. */
const MIGRATED = [
  'materials',
  'workflows',
  'bank-materials',
  'bank-workflows',
  'projects',
  'jobs',
  'properties',
]

const FIXTURES = {
  accounts: ACCOUNTS,
  ...Object.fromEntries(MIGRATED.map((resource) => [resource, MATERIALS])),
  materials: MATERIALS,
  charges: MATERIALS,
}

/** Returns the text of parameters; values that are no strings are sent as JSON. */
const toSearch = (parameters: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString()

type Expected = readonly string[] | RegExp

/** The ids of the items of `materials`, or the message of the failure, for each of the ways. */
const CASES: readonly [
  parameters: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<Lists, Expected>>,
][] = [
  [
    {},
    {
      both: ['m1', 'm2', 'm3', 's1'],
      documented: ['m1', 'm2', 'm3', 's1'],
      migrated: ['m1', 'm2', 's1'],
    },
  ],
  [
    { query: { formula: 'Si' } },
    { both: ['m1', 'm3'], documented: ['m1', 'm3'], migrated: ['m1', 'm2', 's1'] },
  ],
  [
    { query: {}, limit: 2 },
    { both: ['m1', 'm2'], documented: /^limit is not documented/, migrated: ['m1', 'm2'] },
  ],
  [
    { query: {}, sort: '-name', limit: 1 },
    { both: ['s1'], documented: /^limit is not documented/, migrated: ['s1'] },
  ],
  [
    { query: {}, projection: { limit: 1 }, limit: 3, skip: 1 },
    { both: ['m2'], documented: /^limit is not documented/, migrated: ['m2', 's1'] },
  ],
  [
    { advancedSearches: [{ formula: 'Si' }] },
    {
      both: ['m1', 'm3'],
      documented: /^advancedSearches is not documented/,
      migrated: ['m1'],
    },
  ],
  [
    { advancedSearches: [{ formula: 'Si' }, { name: { $lt: 'c' } }], globalSearch: true },
    { both: ['m3'], documented: /^advancedSearches is not/, migrated: ['m3'] },
  ],
  [
    { query: { formula: 'Si' }, advancedSearches: [{ name: 'c' }] },
    { both: ['m1'], documented: /^advancedSearches is not/, migrated: ['m1'] },
  ],
  [
    { query: { name: 'c' }, advancedSearches: [{ name: 'b' }] },
    { both: [], documented: /^advancedSearches is not/, migrated: ['m2'] },
  ],
  [
    { advancedSearches: [] },
    {
      both: ['m1', 'm2', 'm3', 's1'],
      documented: /^advancedSearches is not/,
      migrated: ['m1', 'm2', 's1'],
    },
  ],
  [{ setId: 's1' }, { both: ['m3'], documented: /^setId is not documented/, migrated: ['m3'] }],
  [
    { setId: 's1', name: 'b' },
    { both: [], documented: /^setId is not/, migrated: ['m3'] },
  ],
  [
    { globalSearch: 'true' },
    {
      both: ['m1', 'm2', 'm3', 's1'],
      documented: /^globalSearch is not documented/,
      migrated: ['m1', 'm2', 'm3', 's1'],
    },
  ],
  [{ name: 'b' }, { both: ['m2'], documented: ['m2'], migrated: ['m1', 'm2', 's1'] }],
  [
    { sort: 'name', skip: 1, limit: 1 },
    { both: ['m2'], documented: ['m2'], migrated: ['m1'] },
  ],
  [
    { page: '2' },
    {
      both: /^"page" is not a parameter/,
      documented: /^"page" is not a parameter/,
      migrated: ['m1', 'm2', 's1'],
    },
  ],
]

for (const lists of ['both', 'documented', 'migrated'] as const) {
  t.test(`--lists ${lists} reads its parameters`, async (t) => {
    const app = await build(t, { fixtures: FIXTURES, lists })
    for (const [parameters, { [lists]: expected }] of CASES) {
      const search = toSearch(parameters)
      const response = await send(app, `/materials?${search}`, { headers: ANN })
      const { data, message } = response.json()
      const found =
        response.statusCode === 200 ? data.map(({ _id }: { _id: string }) => _id) : message
      t.match(found, expected, decodeURIComponent(search))
      if (Array.isArray(expected)) t.equal(found.length, expected.length)
    }
  })
}

/**
 * What `list` of the newest client sends for a query and its options, on a resource whose lists are
 * migrated: all forms at once.
 */
function toClientCall(
  resource: string,
  query: JsonObject,
  { limit, skip, sort }: { limit?: number; skip?: number; sort?: string } = {},
): Record<string, unknown> {
  const page = { ...(limit !== undefined && { limit }), ...(skip !== undefined && { skip }) }
  const order = sort?.startsWith('-') ? { [sort.slice(1)]: -1 } : sort && { [sort]: 1 }
  const both = { query, projection: { ...page, ...(order && { sort: order }) } }
  if (!MIGRATED.includes(resource)) return both
  const setId = query['inSet._id']
  const isTopLevel = ['materials', 'workflows', 'jobs'].includes(resource)
  return {
    ...both,
    ...(Object.keys(query).length > 0 && { advancedSearches: [query] }),
    ...page,
    ...(sort && { sort }),
    ...(typeof setId === 'string' && { setId }),
    ...(isTopLevel && setId === undefined && query.isEntitySet !== true && { globalSearch: true }),
  }
}

/**
 * What the newest client lists, and the ids of the items. Of projects, properties and the banks it asks
 * neither for top-level items nor for all: a migrated list then has those that are in no set.
 */
const CLIENT_CALLS: readonly [
  query: JsonObject,
  options: Parameters<typeof toClientCall>[2],
  ids: readonly string[],
  idsOfTopLevel?: readonly string[],
][] = [
  [{}, {}, ['m1', 'm2', 'm3', 's1'], ['m1', 'm2', 's1']],
  [{}, { limit: 2 }, ['m1', 'm2']],
  [{}, { limit: 1, skip: 1 }, ['m2']],
  [{ formula: 'Si' }, {}, ['m1', 'm3'], ['m1']],
  [{ formula: 'Si' }, { limit: 10, skip: 0, sort: '-name' }, ['m1', 'm3'], ['m1']],
  [{ formula: 'Si' }, { sort: 'name' }, ['m3', 'm1'], ['m1']],
  [{ _id: { $in: ['m3', 'm2'] } }, {}, ['m2', 'm3'], ['m2']],
  [{ 'inSet._id': 's1' }, {}, ['m3']],
  [{ 'inSet._id': 's1', isEntitySet: { $ne: true } }, {}, ['m3']],
  [{ isEntitySet: true }, {}, ['s1']],
]

/** The resources that the newest client lists with `query` and `projection` alone. */
const OLD = ['charges', 'metaproperties', 'samples', 'measurements']

t.test('the newest client gets the items that it asks for from each kind of lists', async (t) => {
  const resources = [...MIGRATED, ...OLD]
  const fixtures = {
    accounts: ACCOUNTS,
    ...Object.fromEntries(resources.map((resource) => [resource, MATERIALS])),
  }
  for (const lists of ['both', 'documented', 'migrated'] as const) {
    const app = await build(t, { fixtures, lists })
    for (const resource of resources) {
      for (const [query, options, ids, idsOfTopLevel = ids] of CLIENT_CALLS) {
        const parameters = toClientCall(resource, query, options)
        const url = `/${resource}?${toSearch(parameters)}`
        const response = await send(app, url, { headers: ANN })
        const { data, message } = response.json()
        const name = `${lists} ${decodeURIComponent(url)}`
        const refused = ['advancedSearches', 'setId', 'globalSearch', 'limit', 'skip', 'sort'].find(
          (each) => each in parameters,
        )
        if (lists === 'documented' && refused !== undefined) {
          t.match([response.statusCode, message], [400, `${refused} is not documented`], name)
          continue
        }
        const hasAll =
          lists !== 'migrated' || 'globalSearch' in parameters || OLD.includes(resource)
        t.same(
          data.map(({ _id }: { _id: string }) => _id),
          hasAll ? ids : idsOfTopLevel,
          name,
        )
      }
    }
  }
})

/** The conditions that hold for each of the ways; undefined for a list that is refused. */
const HELD: readonly [
  parameters: Readonly<Record<string, unknown>>,
  held: Readonly<Record<Lists, unknown>>,
][] = [
  [{}, { both: null, documented: null, migrated: { 'inSet._id': { $exists: false } } }],
  [
    { query: { formula: 'Si' }, projection: { limit: 1 }, globalSearch: true },
    { both: { formula: 'Si' }, documented: undefined, migrated: null },
  ],
  [
    { query: { formula: 'Si' }, advancedSearches: [{ name: 'c' }], setId: 's1' },
    {
      both: { $and: [{ 'inSet._id': 's1' }, { name: 'c' }, { formula: 'Si' }] },
      documented: undefined,
      migrated: { $and: [{ name: 'c' }, { 'inSet._id': 's1' }] },
    },
  ],
  [
    { query: { formula: 'Si' }, advancedSearches: [{ formula: 'Si' }], globalSearch: true },
    { both: { formula: 'Si' }, documented: undefined, migrated: { formula: 'Si' } },
  ],
  [
    { formula: 'Si', ownerId: 'ann', limit: 2 },
    {
      both: { formula: 'Si', 'owner._id': 'ann' },
      documented: { formula: 'Si', 'owner._id': 'ann' },
      migrated: { 'inSet._id': { $exists: false } },
    },
  ],
]

t.test('an error in a query names its path, whatever is beside it', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  for (const others of [{}, { setId: 's1' }, { advancedSearches: [{ name: 'c' }] }]) {
    const path = `/materials?${toSearch({ query: { name: { $foo: 1 } }, ...others })}`
    const { message } = (await send(app, path, { headers: ANN })).json()
    t.match(message, /^query\.name\.\$foo is not an operator/, decodeURIComponent(path))
  }
})

t.test('a positional $ has the position of the query, whatever is beside it', async (t) => {
  const inSet = [{ _id: 's0' }, { _id: 's1' }]
  const materials = [{ _id: 'm', tags: ['a', 'b', 'c'], inSet }]
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, materials } })
  const list = { query: { tags: 'c' }, projection: { fields: { 'tags.$': 1 } } }
  for (const others of [{}, { setId: 's0' }, { advancedSearches: [{ 'inSet._id': 's1' }] }]) {
    const path = `/materials?${toSearch({ ...list, ...others })}`
    const { data } = (await send(app, path, { headers: ANN })).json()
    t.same(data, [{ _id: 'm', tags: ['c'] }], decodeURIComponent(path))
  }
})

t.test('the journal, the faults and explain have the conditions that held', async (t) => {
  for (const lists of ['both', 'documented', 'migrated'] as const) {
    const materials = MATERIALS.map((item) => ({ ...item, owner: { _id: 'ann' } }))
    const app = await build(t, { fixtures: { ...FIXTURES, materials }, lists })
    for (const [parameters, { [lists]: held }] of HELD) {
      const search = toSearch(parameters)
      const name = `${lists} ${decodeURIComponent(search)}`
      const recorded = held === undefined ? parameters.query : held
      const rule = { match: { query: { $eq: recorded } }, times: 1, status: 418 }
      await app.inject({ method: 'POST', url: '/__admin/faults', payload: rule })
      const path = `/materials?${search}`
      t.equal((await send(app, path, { headers: ANN })).statusCode, 418, `${name}: a fault`)
      const { statusCode, body } = await send(app, path, { headers: ANN })
      t.equal(statusCode, held === undefined ? 400 : 200, name)
      const { data } = (await app.inject('/__admin/requests?projection={"limit":1}')).json()
      t.same(data[0].query, recorded, `${name}: the journal`)
      const explained = await app.inject(`/__admin/explain${path}&accountId=ann`)
      const { statusCode: code, body: text } = explained
      t.equal(code, statusCode, `${name}: explain`)
      if (code === 200) t.equal(explained.json().data.returned, JSON.parse(body).data.length, name)
      else t.equal(JSON.parse(text).message, JSON.parse(body).message)
    }
  }
})

t.test('the journal has the page that a list had', async (t) => {
  const cases: readonly [
    parameters: Readonly<Record<string, unknown>>,
    lists: Lists,
    page: unknown,
  ][] = [
    [{ query: {}, limit: 2 }, 'both', { limit: 2 }],
    [
      { query: {}, projection: { limit: 1 }, limit: 2, sort: '-name' },
      'both',
      { limit: 1, sort: { name: -1 } },
    ],
    [{ projection: {} }, 'both', {}],
    [{ projection: { limit: 1 }, skip: 1 }, 'migrated', { skip: 1 }],
    [{ projection: { limit: 1 } }, 'migrated', null],
    [{ limit: 2 }, 'documented', { limit: 2 }],
  ]
  for (const [parameters, lists, page] of cases) {
    const app = await build(t, { fixtures: FIXTURES, lists })
    const search = toSearch(parameters)
    await send(app, `/materials?${search}`, { headers: ANN })
    const { data } = (await app.inject('/__admin/requests')).json()
    t.same(data[0].projection, page, `${lists} ${decodeURIComponent(search)}`)
  }
})

const BOB = { 'x-account-id': 'bob', 'x-auth-token': 'token-of-bob' }

/** 1200 items, enough for indexes: 600 belong to Ann, 100 of which have the kind `a`. */
const MANY = Array.from({ length: 1200 }, (_, index) => ({
  _id: `m${index}`,
  n: index,
  kind: index % 12 === 0 ? 'a' : 'b',
  list: [index % 12 === 0 ? 'a' : 'b'],
  owner: { _id: index % 2 === 0 ? 'ann' : 'bob' },
}))

const MANY_FIXTURES = {
  accounts: [...ACCOUNTS, { _id: 'bob', username: 'bob', password: 'y', tokens: ['token-of-bob'] }],
  materials: MANY,
}

t.test('a list has the number of all items that match', async (t) => {
  const app = await build(t, { fixtures: MANY_FIXTURES })
  const cases: [parameters: Record<string, unknown>, count: string][] = [
    [{}, '600'],
    [{ limit: 500 }, '600'],
    [{ limit: 500, skip: 99 }, '600'],
    [{ limit: 500, skip: 100 }, '600'],
    [{ limit: 500, skip: 700 }, '600'],
    [{ sort: '-n' }, '600'],
    [{ query: {}, projection: { sort: { $natural: -1 } } }, '600'],
    [{ kind: 'a' }, '100'],
    [{ query: { kind: 'a' }, projection: { limit: 99 } }, '100'],
    [{ query: { kind: 'a' }, projection: { limit: 100 } }, '100'],
    [{ query: { kind: 'a' }, projection: { limit: 7, sort: { n: -1 } } }, '100'],
    [{ query: { n: { $gte: 300, $lt: 400 } }, projection: { limit: 7 } }, '50'],
    [{ query: { list: 'a' }, projection: { limit: 7 } }, '100'],
    [{ query: { list: 'a' }, projection: { limit: 7, sort: { list: 1 } } }, '100'],
    [{ query: { kind: { $regex: '^a' } }, projection: { limit: 7, skip: 90 } }, '100'],
    [{ query: { list: 'a', n: { $lt: 240 } }, projection: { limit: 7 } }, '20'],
    [{ advancedSearches: [{ list: 'a' }], limit: 7 }, '100'],
    [{ query: { list: 'c' } }, '0'],
  ]
  for (const [parameters, count] of cases) {
    // The first time, there is no index yet.
    for (const headers of [ANN, ANN]) {
      const url = `/materials?${toSearch(parameters)}`
      const response = await send(app, url, { headers })
      t.equal(response.statusCode, 200)
      t.equal(response.headers['x-total-count'], count, decodeURIComponent(url))
      t.same(Object.keys(response.json()), ['status', 'data'])
    }
  }
  const other = await send(app, listUrl('materials', { kind: 'a' }, { limit: 1 }), {
    headers: BOB,
  })
  t.equal(other.headers['x-total-count'], '0', 'items of other accounts do not count')
  const origin = { ...ANN, origin: 'http://localhost:3000' }
  const { headers } = await send(app, '/materials', { headers: origin })
  t.match(headers['access-control-expose-headers'], /\bX-Total-Count\b/)
})

t.test(
  'a list whose items cannot be counted in time is whole; one that fails on another page fails',
  async (t) => {
    const app = await build(t, { fixtures: MANY_FIXTURES })
    const divides = { $expr: { $gte: [{ $divide: [1, { $subtract: ['$n', 400] }] }, -1] } }
    const url = listUrl('materials', divides, { limit: 1 })
    const failed = await send(app, url, { headers: ANN })
    t.equal(failed.statusCode, 400)
    t.match(failed.json(), { message: /\$divide/, data: { code: 'QUERY_INVALID' } })
    const materials = ['x', `${'a'.repeat(60)}!`].map((name) => ({ _id: name, name }))
    const other = await build(t, { fixtures: { ...FIXTURES, materials } })
    const pattern = { $or: [{ _id: 'x' }, { name: { $regex: '^(a+)+$' } }] }
    const costly = await send(other, listUrl('materials', pattern, { limit: 1 }), { headers: ANN })
    t.match(costly.json(), { status: 'success', data: [{ _id: 'x' }] }, 'a pattern takes too long')
    t.equal(costly.headers['x-total-count'], undefined)
    let now = performance.now()
    replace(t, performance, 'now', () => (now += 4))
    const slow = await send(app, listUrl('materials', { list: 'b' }, { limit: 1 }), {
      headers: ANN,
    })
    t.match(slow.json(), { status: 'success', data: [{ _id: 'm2' }] }, 'the time is used up')
    t.equal(slow.headers['x-total-count'], undefined)
  },
)

t.test('a migrated deployment still reads query for charges, and gives whole items', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, lists: 'migrated' })
  const charges = await send(app, listUrl('charges', { formula: 'Ge' }), { headers: ANN })
  t.match(charges.json().data, [{ _id: 'm2' }])
  t.equal(charges.json().data.length, 1)
  const url = listUrl('materials', {}, { fields: { name: 1 } })
  const { data } = (await send(app, `${url}&limit=1`, { headers: ANN })).json()
  t.same(data, [MATERIALS[0]])
})

t.test('what is wrong with a parameter is refused by its name', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const nested = '['.repeat(60)
  const cases: readonly [search: string, message: RegExp, code: string][] = [
    ['advancedSearches=', /^advancedSearches is empty/, 'PARAMETER_INVALID'],
    [
      'advancedSearches=[]&advancedSearches=[]',
      /^advancedSearches is given 2 times/,
      'PARAMETER_INVALID',
    ],
    [
      'advancedSearches={}',
      /^advancedSearches must be a list of JSON objects, not \{\}/,
      'QUERY_INVALID',
    ],
    [
      'advancedSearches=[{}, 5]',
      /^advancedSearches\[1\] must be a JSON object, not 5/,
      'QUERY_INVALID',
    ],
    ['advancedSearches=[{]', /^advancedSearches .*JSON/, 'QUERY_INVALID'],
    ['advancedSearches=[{"a":1,"a":2}]', /^advancedSearches.*twice|duplicate/, 'QUERY_INVALID'],
    [
      'advancedSearches=[{"a":{"$gtx":1}}]',
      /^advancedSearches\[0\]\.a\.\$gtx is not an operator/,
      'QUERY_INVALID',
    ],
    ['advancedSearches=[{"$where":"1"}]', /^advancedSearches\[0\]\.\$where/, 'QUERY_INVALID'],
    ['advancedSearches=[{"__proto__":1}]', /^advancedSearches.*__proto__/, 'QUERY_INVALID'],
    [
      `advancedSearches=[{"a":${nested}${']'.repeat(60)}}]`,
      /^advancedSearches.*50/,
      'BOUND_EXCEEDED',
    ],
    [
      `advancedSearches=[{"a":"${'x'.repeat(33_000)}"}]`,
      /^advancedSearches must have at most 32768 bytes/,
      'BOUND_EXCEEDED',
    ],
    [
      `advancedSearches=[{"a":{"$regex":"${'x'.repeat(1001)}"}}]`,
      /^advancedSearches\[0\]\.a\.\$regex/,
      'BOUND_EXCEEDED',
    ],
    ['query={}&limit=0', /^limit must be an integer from 1 to 500, not "0"/, 'PARAMETER_INVALID'],
    ['query={}&sort=a,b', /^sort must be one field/, 'PARAMETER_INVALID'],
    ['query={}&skip=-1', /^skip must be an integer/, 'PARAMETER_INVALID'],
    ['setId=', /^setId is empty/, 'PARAMETER_INVALID'],
    ['setId=a&setId=b', /^"setId" is given 2 times/, 'PARAMETER_INVALID'],
    ['globalSearch=yes', /^globalSearch must be true or false, not "yes"/, 'PARAMETER_INVALID'],
    [
      'lattice.a={"$gt":5.5}',
      /send query=\{"lattice\.a":\{"\$gt":5\.5\}\} encoded/,
      'PARAMETER_INVALID',
    ],
  ]
  for (const [search, message, code] of cases) {
    const response = await send(app, `/materials?${encodeURI(search)}`, { headers: ANN })
    t.equal(response.statusCode, 400, search.slice(0, 80))
    t.match(response.json(), { message, data: { code } }, search.slice(0, 80))
  }
})
