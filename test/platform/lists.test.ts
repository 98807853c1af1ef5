import t from 'tap'

import type { Lists } from '../../src/query/list-parameters.js'
import { build, listUrl, send } from '../build.js'

const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'token-of-ann' }

const ACCOUNTS = [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['token-of-ann'] }]

const MATERIALS = [
  { _id: 'm1', name: 'c', formula: 'Si' },
  { _id: 'm2', name: 'b', formula: 'Ge' },
  { _id: 'm3', name: 'a', formula: 'Si', inSet: [{ _id: 's1', type: 'ordered', index: 0 }] },
  { _id: 's1', name: 'd', isEntitySet: true },
]

const FIXTURES = {
  accounts: ACCOUNTS,
  materials: MATERIALS,
  workflows: MATERIALS,
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

/** What the newest client sends for its lists: all forms at once. */
const CLIENT_CALLS: readonly [calls: Readonly<Record<string, unknown>>, ids: readonly string[]][] =
  [
    [
      {
        query: { formula: 'Si' },
        projection: { limit: 10, skip: 0, sort: { name: -1 } },
        advancedSearches: [{ formula: 'Si' }],
        limit: 10,
        skip: 0,
        sort: '-name',
        globalSearch: 'true',
      },
      ['m1', 'm3'],
    ],
    [
      {
        query: { 'inSet._id': 's1' },
        projection: {},
        advancedSearches: [{ 'inSet._id': 's1' }],
        setId: 's1',
      },
      ['m3'],
    ],
    [
      {
        query: { isEntitySet: true },
        projection: {},
        advancedSearches: [{ isEntitySet: true }],
      },
      ['s1'],
    ],
    [{ query: {}, projection: { limit: 2 }, limit: 2, globalSearch: 'true' }, ['m1', 'm2']],
  ]

t.test('the newest client gets the same items from both kinds of lists', async (t) => {
  for (const lists of ['both', 'migrated'] as const) {
    const app = await build(t, { fixtures: FIXTURES, lists })
    for (const resource of ['materials', 'workflows']) {
      for (const [parameters, ids] of CLIENT_CALLS) {
        const url = `/${resource}?${toSearch(parameters)}`
        const { data } = (await send(app, url, { headers: ANN })).json()
        t.same(
          data.map(({ _id }: { _id: string }) => _id),
          ids,
          `${lists} ${decodeURIComponent(url)}`,
        )
      }
    }
  }
})

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
