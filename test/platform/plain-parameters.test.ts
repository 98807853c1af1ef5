import t from 'tap'

import { build, listUrl, send } from '../helpers/build.js'

const FIXTURES = {
  accounts: [
    { _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] },
    { _id: 'bob', username: 'bob', password: 'y' },
  ],
  things: [
    { _id: 't1', name: 'one', n: 2, is: true, deep: { er: 'x' }, list: [{ k: 'a' }, { k: 'b' }] },
    { _id: 't2', name: 'two', n: '2', is: 'true', none: null, owner: { _id: 'ann' } },
    { _id: 't3', name: 'three', n: 2.5, 'odd name': 'a b', limit: 7 },
    { _id: 't4', name: 'four', secret: 1, owner: { _id: 'bob' } },
  ],
  materials: [],
  empty: [],
}
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }

t.test('plain parameters are equalities on fields, and the projection', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const cases: [parameters: string, ids: string[]][] = [
    ['', ['t1', 't2', 't3']],
    ['name=two', ['t2']],
    ['name=two&limit=1', ['t2']],
    ['name=two&n=3', []],
    ['name=', []],
    ['_id=t3', ['t3']],
    ['n=2', ['t1', 't2']],
    ['n=2.50', ['t3']],
    ['n=25e-1', ['t3']],
    ['n=02', []],
    ['is=true', ['t1', 't2']],
    ['is=True', []],
    ['deep.er=x', ['t1']],
    ['list.k=b', ['t1']],
    ['list.0.k=b', []],
    ['none=null', []],
    ['odd+name=a%20b', ['t3']],
    ['owner._id=ann', ['t2']],
    ['ownerId=ann', ['t2']],
    ['isDefault=true', []],
    ['limit=2', ['t1', 't2']],
    ['skip=1', ['t2', 't3']],
    ['skip=1&limit=1', ['t2']],
    ['sort=name', ['t1', 't3', 't2']],
    ['sort=-name', ['t2', 't3', 't1']],
    ['sort=-deep.er&limit=1', ['t1']],
    ['_=1700000000000', ['t1', 't2', 't3']],
    ['_=1&_=2&name=one', ['t1']],
  ]
  for (const [parameters, ids] of cases) {
    const response = await send(app, `/things?${parameters}`, { headers: ANN })
    t.equal(response.statusCode, 200, `${parameters} ${response.payload}`)
    t.same(
      response.json().data.map(({ _id }: { _id: string }) => _id),
      ids,
      parameters,
    )
  }
  const head = await send(app, '/things?name=one', { method: 'HEAD', headers: ANN })
  t.equal(head.statusCode, 200)
  for (const url of ['/materials?formula=Si&tags=x', '/empty?name=a&inSet._id=', '/empty?_id=x']) {
    const { statusCode } = await send(app, url, { headers: ANN })
    t.equal(statusCode, url.includes('inSet._id') ? 400 : 200, `${url}: the schema has the field`)
  }
})

t.test('two URLs never share an answer, however alike they are', async (t) => {
  const names = ['x?_=1', 'x?_=2', 'x', 'x;_=1', 'x?', 'X', 'x ', 'x#', '_=1', 'x%26_=1']
  const things = names.map((name, index) => ({ _id: `t${index}`, name }))
  const app = await build(t, { fixtures: { ...FIXTURES, things } })
  for (const form of [encodeURI, encodeURIComponent]) {
    for (const [index, name] of names.entries()) {
      const url = `/things?name=${form(name).replace('#', '%23')}`
      for (const end of ['', '&_=1', '&_=2']) {
        const response = await send(app, url + end, { headers: ANN })
        t.same(response.json().data, [things[index]], url + end)
      }
    }
  }
})

const encode = (value: unknown): string => encodeURIComponent(JSON.stringify(value))
const query = (value: unknown): string => `query=${encode(value)}`
const projection = (value: unknown): string => `projection=${encode(value)}`

t.test('any other plain parameter is refused, with the right encoding', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const cases: [parameters: string, message: string][] = [
    [
      'page=2',
      '"page" is not a parameter: no item of things has such a field. The parameters are query,',
    ],
    ['page=2', 'and with --lists both also advancedSearches, setId and globalSearch.'],
    ['page=2', `JSON: ${query({ formula: 'Si' })}&${projection({ limit: 10, skip: 10 })}`],
    ['name=one&page=2', '"page" is not a parameter'],
    ['secret=1', '"secret" is not a parameter'],
    ['deep.other=x', '"deep.other" is not a parameter'],
    ['$where=1', '"$where" is not a parameter'],
    ['__proto__=1', '"__proto__" is not a parameter'],
    ['constructor=1', '"constructor" is not a parameter'],
    ['a..b=1', '"a..b" is not a parameter'],
    ['=1', '"" is not a parameter'],
    ['query[formula]=Si', `send JSON without brackets: ${query({ formula: 'Si' })}, which is`],
    ['query[formula]=Si', '"query[formula]" is not a parameter'],
    ['query%5Bformula%5D=Si', '"query[formula]" is not a parameter'],
    ['query[a][$gt]=1&query[b]=x', query({ formula: 'Si' })],
    ['projection[limit]=2', `${projection({ limit: 2 })}, which is projection={"limit":2} encoded`],
    ['sort[name]=1&sort[n]=-1', projection({ limit: 2 })],
    ['limit=2&fields[name]=1', projection({ limit: 2 })],
    ['query.name=one', query({ formula: 'Si' })],
    ['$or=[object Object]', query({ formula: 'Si' })],
    ['name=[object Object]', query({ formula: 'Si' })],
    ['sort=[object Object]', projection({ limit: 2 })],
    ['sort={"name":1}', 'which no field equals; send projection={"sort":{"name":1}} encoded'],
    ['name={"n":1}', 'which no field equals; send query={"name":{"n":1}} encoded'],
    ['query=name&query=one', `query is given 2 times; give it once: ${query({ formula: 'Si' })}`],
    ['projection=limit&projection=2', `give it once: ${projection({ limit: 2 })}`],
    ['query[a=1', query({ formula: 'Si' })],
    ['query[tags][]=x', query({ formula: 'Si' })],
    ['filter[name]=x', query({ formula: 'Si' })],
    ['name[]=x', '"name[]" is not a parameter'],
    ['query={}&projection[limit]=2', '"projection[limit]" is not a parameter'],
    ['name=one&name=two', '"name" is given 2 times; give it once'],
    ['limit=1&limit=2', '"limit" is given 2 times; give it once'],
    ['limit=0', 'limit must be an integer from 1 to 500, not "0"'],
    ['limit=501', 'limit must be an integer from 1 to 500, not "501"'],
    ['limit=', 'limit must be an integer from 1 to 500, not ""'],
    ['limit=1.5', 'limit must be an integer from 1 to 500, not "1.5"'],
    ['skip=-1', 'skip must be an integer, 0 or more, not "-1"'],
    ['sort=', 'sort must be one field, such as name, or -name for the reverse order, not ""'],
    ['sort=name,n', 'sort must be one field'],
    ['sort=+name', 'sort must be one field'],
    ['sort=--name', 'sort must be one field'],
    ['sort=$natural', 'sort must be one field'],
    ['ownerId=ann&owner._id=bob', 'are the same field'],
  ]
  for (const [parameters, message] of cases) {
    const response = await send(app, `/things?${parameters}`, { headers: ANN })
    t.equal(response.statusCode, 400, parameters)
    t.ok(response.json().message.includes(message), response.json().message)
    t.equal(response.json().data.code, 'PARAMETER_INVALID')
  }
  for (const name of ['query', 'projection'] as const) {
    const right = name === 'query' ? query({ formula: 'Si' }) : projection({ limit: 2 })
    for (const text of [
      '[object Object]',
      'limit,2',
      'limit|2',
      'undefined',
      'null',
      '%257B%257D',
    ]) {
      const response = await send(app, `/things?${name}=${text}`, { headers: ANN })
      t.equal(response.statusCode, 400, text)
      t.ok(response.json().message.includes(`; send JSON: ${right}, which is`), text)
      t.equal(response.json().data.code, `${name.toUpperCase()}_INVALID`)
    }
  }
  const long = await send(app, `/things?name=${'x'.repeat(40_000)}`, { headers: ANN })
  t.match(long.json(), { message: /at most 32768 bytes/, data: { code: 'BOUND_EXCEEDED' } })
})

t.test('a URL has at most 1000 parameters, wherever it goes', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const message =
    'a URL must have at most 1000 parameters; send many values as one query, such as {"_id":{"$in":["a","b"]}}'
  const origin = 'http://front.end'
  const sendMany = (path: string, count: number) =>
    app.inject({
      url: `${path}?${'query=0&'.repeat(count).slice(0, -1)}`,
      headers: { ...ANN, origin },
    })
  for (const path of ['/api/2018-10-01/things', '/__admin/requests', '/nowhere', '/']) {
    const refused = await sendMany(path, 1001)
    t.match(refused.json(), { message, data: { code: 'BOUND_EXCEEDED' } }, path)
    t.equal(refused.statusCode, 400)
    t.notMatch((await sendMany(path, 1000)).payload, /at most 1000 parameters/, path)
  }
  const { headers } = await sendMany('/api/2018-10-01/things', 1001)
  t.equal(headers['access-control-allow-origin'], origin, 'a page can read it')
  const { json } = await app.inject('/__admin/requests?query={"status":400}')
  const [{ url }] = json().data
  t.equal(url, '/api/2018-10-01/things', 'what is not read is not recorded')
})

t.test('beside query or projection, any other parameter is refused by its name', async (t) => {
  const lists = [
    ['query', listUrl('things', { name: 'one' })],
    ['projection', listUrl('things', undefined, { limit: 1 })],
  ] as const
  const others = [
    ['page=2', 'query'],
    ['name=two', 'query'],
    ['fields=name', 'projection'],
    ['filter[x]=1', 'query'],
  ] as const
  for (const options of [{}, { lists: 'documented' }, { strict: true }] as const) {
    const app = await build(t, { fixtures: FIXTURES, ...options })
    for (const [given, url] of lists) {
      const alone = await send(app, `${url}&_=1`, { headers: ANN })
      t.match(alone.json().data, [{ _id: 't1' }], 'what bypasses a cache is read by nobody')
      for (const [other, right] of others) {
        const response = await send(app, `${url}&${other}`, { headers: ANN })
        t.equal(response.statusCode, 400, other)
        const [name] = other.split('=')
        const message = `"${name}" is not a parameter that a list has beside ${given}; send ${right}=`
        t.equal(response.json().message.slice(0, message.length), message)
      }
    }
  }
  const migrated = await build(t, {
    fixtures: { ...FIXTURES, materials: [{ _id: 'm1' }] },
    lists: 'migrated',
  })
  const url = listUrl('materials', {})
  const dropped = await send(migrated, `${url}&page=2`, { headers: ANN })
  t.match(dropped.json().data, [{ _id: 'm1' }], 'a migrated list drops it')
})

t.test('looking for a field among many items does not block the server', async (t) => {
  const items = Array.from({ length: 100_000 }, (_, index) => ({ _id: `i${index}`, index }))
  const fixtures = { ...FIXTURES, many: [...items, { _id: 'last', rare: 1 }] }
  const app = await build(t, { fixtures })
  let turns = 0
  const timer = setInterval(() => (turns += 1), 0)
  t.teardown(() => clearInterval(timer))
  const unknown = await send(app, '/many?page=2', { headers: ANN })
  t.equal(unknown.statusCode, 400, unknown.payload)
  t.match((await send(app, '/many?rare=1', { headers: ANN })).json().data, [{ _id: 'last' }])
  t.ok(turns > 2, `${turns} turns of the event loop`)
  const hasty = await build(t, { fixtures, queryBudget: 1 })
  const refused = await send(hasty, '/many?page=2', { headers: ANN })
  t.match(refused.json(), { data: { code: 'BUDGET_EXCEEDED' } })
})

t.test('a field of new items is a parameter at once', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const get = () => send(app, '/empty?colour=red', { headers: ANN })
  t.equal((await get()).statusCode, 400)
  const created = await send(app, '/empty/create', {
    method: 'PUT',
    headers: ANN,
    payload: { colour: 'red' },
  })
  t.same((await get()).json().data, [created.json().data])
  await send(app, `/empty/${created.json().data._id}`, { method: 'DELETE', headers: ANN })
  t.equal((await get()).statusCode, 400)
})
