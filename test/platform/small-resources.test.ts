import t from 'tap'

import { build, logIn, send } from '../helpers/build.js'

const FIXTURES = {
  accounts: [
    { _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] },
    { _id: 'bob', username: 'bob', password: 'y', tokens: ['bob-token'] },
  ],
  projects: [
    { _id: 'p1', owner: { _id: 'ann' } },
    { _id: 'p2', owner: { _id: 'ann' }, isDefault: true },
    { _id: 'p3', owner: { _id: 'bob' }, isDefault: true },
    { _id: 'p4', owner: { _id: 'curators' }, isDefault: true },
  ],
  materials: [{ _id: 'm1' }, { _id: 'm2', owner: { _id: 'bob' } }],
  things: [
    { _id: 'default', name: 'an unlucky _id' },
    { _id: 'other', isDefault: true },
  ],
  workflows: [
    { _id: 'w1', owner: { _id: 'bob' }, isDefault: true },
    { _id: 'w2', isDefault: true },
  ],
}
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }

t.test('GET /other/clusters lists clusters and their queues', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, readOnly: true })
  const { data } = (await send(app, '/other/clusters', { headers: ANN })).json()
  t.match(data, [{ hostname: /^cluster-001\./, displayName: 'cluster-001' }])
  t.same(data[0].queues[0], { NAME: 'D' })
  t.equal((await send(app, '/other/clusters')).statusCode, 401)
  const shipped = await build(t)
  const headers = await logIn(shipped, 'demo', 'demo')
  const job = await send(shipped, '/jobs/create', { method: 'PUT', headers, payload: {} })
  t.equal(job.json().data.compute.cluster.fqdn, data[0].hostname, 'a new job runs there')
})

t.test('GET /other/entity-counts counts the items of all accounts for everybody', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, readOnly: true })
  const response = await send(app, '/other/entity-counts')
  t.same(response.json(), {
    status: 'success',
    data: [
      { name: 'Jobs', count: 0 },
      { name: 'Materials', count: 2 },
      { name: 'Workflows', count: 2 },
      { name: 'Properties', count: 0 },
    ],
  })
  for (const url of ['/other', '/other/nothing']) t.equal((await send(app, url)).statusCode, 404)
})

t.test('GET /<resource>/default returns the default item of an account', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, readOnly: true })
  const cases: [url: string, id: string | undefined][] = [
    ['/projects/default', 'p2'],
    ['/projects/default?accountId=ann', 'p2'],
    ['/projects/default?accountId=curators', 'p4'],
    ['/projects/default?accountId=bob', undefined],
    ['/projects/default?accountId=nobody', undefined],
    ['/materials/default', undefined],
    ['/things/default', 'default'],
    ['/workflows/default', 'w2'], // which all accounts share
    ['/workflows/default?accountId=bob', undefined],
  ]
  for (const [url, id] of cases) {
    const response = await send(app, url, { headers: ANN })
    t.equal(response.statusCode, id === undefined ? 404 : 200, url)
    if (id === undefined) t.match(response.json(), { data: { code: 'ITEM_NOT_FOUND' } })
    else t.equal(response.json().data._id, id, url)
  }
  const empty = await send(app, '/projects/default?accountId=', { headers: ANN })
  t.match(empty.json(), { data: { code: 'PARAMETER_INVALID' } })
  const misspelt = await send(app, '/projects/default?accountID=bob', { headers: ANN })
  t.match(misspelt.json(), { message: /which has accountId; the closest one is accountId/ })
  t.equal((await send(app, '/projects/default?_=1', { headers: ANN })).statusCode, 200)
  t.equal((await send(app, '/projects/default')).statusCode, 401)
})

t.test('an ordered set numbers its items, whatever comes between two moves', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const request = async (method: 'PUT' | 'POST' | 'DELETE', url: string, payload?: object) =>
    (await send(app, url, { method, headers: ANN, ...(payload && { payload }) })).json().data
  const { _id: set } = await request('PUT', '/things/create-set', {
    name: 'path',
    entitySetType: 'ordered',
  })
  const items = await Promise.all(
    Array.from({ length: 8 }, (_, index) => request('PUT', '/things/create', { index })),
  )
  const move = async ({ _id }: { _id: string }) =>
    (await request('POST', `/things/${_id}/move-to-set?oldSetId=&newSetId=${set}`)).inSet
  const moved = await Promise.all(items.slice(0, 5).map(move))
  t.same(
    moved.map(([{ index }]) => index).toSorted(),
    [0, 1, 2, 3, 4],
    'moves at the same time get different indexes',
  )
  await request('DELETE', `/things/${items[0]._id}`)
  t.same(await move(items[5]), [{ _id: set, type: 'ordered', index: 5 }])
  t.same(await move(items[5]), [{ _id: set, type: 'ordered', index: 5 }], 'it stays where it is')
  await request('POST', `/things/${items[2]._id}/move-to-set?oldSetId=${set}&newSetId=`)
  t.same(await move(items[2]), [{ _id: set, type: 'ordered', index: 6 }])
})
