import t from 'tap'

import { checkAgainst } from './response-checks.js'
import { BASE, build, listUrl, logIn, send } from '../build.js'

interface Parameter {
  readonly name: string
  readonly examples?: Examples
  readonly content?: { readonly 'application/json': { readonly examples: Examples } }
}

interface Operation {
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { example: unknown } } }
}

type Examples = Readonly<Record<string, { readonly value: unknown }>>

const MATERIAL = { _id: 'm1', name: 'a.b', deep: { er: 'x', more: { number: 1.5 } }, 'a.b': 'c' }
const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x y&z', tokens: ['ann-token'] }],
  materials: [MATERIAL],
  things: [{ _id: 't1' }],
  empty: [],
}
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }

t.test('the document has what is served, and nothing else', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, readOnly: true })
  const { openapi, paths, components, servers, tags } = (await send(app, '/swagger.json')).json()
  t.equal(openapi, '3.1.1')
  const served = Object.entries<object>(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  )
  t.same(served.toSorted(), [
    'get /empty',
    'get /empty/{id}',
    'get /logout',
    'get /materials',
    'get /materials/{id}',
    'get /swagger.json',
    'get /things',
    'get /things/{id}',
    'post /login',
    'post /logout',
  ])
  t.same(servers, [{ url: `http://localhost:80${BASE}`, description: 'This server' }])
  t.same(
    tags.map(({ name }: { name: string }) => name),
    ['session', 'materials', 'things', 'empty', 'contract'],
  )
  t.match(Object.keys(components.schemas), ['OpenApi', 'Failure', 'Credentials', 'Login'])
  t.match(components.schemas.Material.properties.lattice.properties.a, {
    type: 'number',
    description: 'Length of the edge a, in Å.',
  })
  t.notMatch(JSON.stringify({ paths, components }), /\$id|x-consume|additionalProp1/)
})

const ofAll = (resource: string): string[] => [
  `delete /${resource}/{id}`,
  `patch /${resource}/{id}`,
  `post /${resource}/{id}/copy`,
  `post /${resource}/{id}/move-to-set`,
  `post /${resource}/{id}/set-default`,
  `put /${resource}/create`,
  `put /${resource}/create-set`,
]

t.test('the writes are in the document, unless there are none', async (t) => {
  const fixtures = { ...FIXTURES, jobs: [] }
  const listed = async (readOnly: boolean): Promise<string[]> => {
    const app = await build(t, { fixtures, readOnly })
    const { paths } = (await send(app, '/swagger.json')).json()
    return Object.entries<object>(paths)
      .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method} ${path}`))
      .filter((name) => /(?!get)^\w+ \/(jobs|materials)/.test(name))
      .toSorted()
  }
  const own = ['post /jobs/{id}/submit', 'post /materials/import']
  t.same(await listed(false), [...ofAll('jobs'), ...ofAll('materials'), ...own].toSorted())
  t.same(await listed(true), [])
})

t.test('the writes work as their examples say', async (t) => {
  const app = await build(t)
  const { paths } = (await send(app, '/swagger.json')).json()
  const headers = await logIn(app, 'demo', 'demo')
  const writes = Object.entries<Record<string, Operation>>(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
    )
    .filter(({ path, method }) => method !== 'get' && !path.startsWith('/log'))
    .toSorted((one, other) => Number(one.method === 'delete') - Number(other.method === 'delete'))
  t.equal(writes.length, 30)
  for (const { path, method, operation } of writes) {
    const { parameters, requestBody } = operation
    const id = parameters.find(({ name }) => name === 'id')?.examples?.one?.value
    const answer = await send(app, path.replace('{id}', String(id)), {
      method: method.toUpperCase() as 'PUT',
      headers,
      ...(requestBody && { payload: requestBody.content['application/json'].example as object }),
    })
    t.equal(answer.statusCode, 200, `${method} ${path}: ${answer.payload.slice(0, 200)}`)
  }
})

t.test('every reference of the document leads to a schema', async (t) => {
  const app = await build(t)
  const document = (await send(app, '/swagger.json')).json()
  const references = [
    ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g),
  ].map(([, name]) => name as string)
  t.ok(references.length > 20)
  for (const name of new Set(references)) t.ok(name in document.components.schemas, name)
})

t.test('the document names the host that it was asked of', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const answer = await send(app, '/swagger.json', { headers: { host: 'mock.test:4321' } })
  t.equal(answer.json().servers[0].url, `http://mock.test:4321${BASE}`)
})

t.test('the examples work, in each shipped resource', async (t) => {
  const app = await build(t)
  const { paths } = (await send(app, '/swagger.json')).json()
  const login = paths['/login'].post.requestBody.content['application/x-www-form-urlencoded']
  const headers = await logIn(app, login.example.username, login.example.password)
  const examplesOf = (path: string, name: string): unknown[] => {
    const parameter = paths[path].get.parameters.find((each: Parameter) => each.name === name)
    const examples = parameter.examples ?? parameter.content['application/json'].examples
    return Object.values<{ value: unknown }>(examples).map(({ value }) => value)
  }
  for (const resource of app.store.collections.keys()) {
    const one = `/${resource}/{id}`
    for (const id of examplesOf(one, 'id')) {
      const answer = await send(app, `/${resource}/${id}`, { headers })
      const { example } = paths[one].get.responses[200].content['application/json']
      t.same(answer.json(), example, `the example of ${resource} is what is served`)
    }
    const queries = examplesOf(`/${resource}`, 'query')
    t.ok(queries.length >= 3, resource)
    for (const query of queries) {
      for (const projection of examplesOf(`/${resource}`, 'projection')) {
        const answer = await send(app, listUrl(resource, query, projection), { headers })
        t.equal(answer.statusCode, 200)
        const { skip = 0 } = projection as { skip?: number }
        if (skip === 0) t.ok(answer.json().data.length > 0, `${resource}: ${JSON.stringify(query)}`)
      }
    }
  }
})

t.test('examples are of what there is at that moment', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const examplesOf = async (resource: string): Promise<(Examples | undefined)[]> => {
    const { paths } = (await send(app, '/swagger.json')).json()
    return paths[`/${resource}`].get.parameters
      .filter(({ name }: Parameter) => name === 'query' || name === 'projection')
      .map(({ content }: Parameter) => content?.['application/json'].examples)
  }
  const [query] = await examplesOf('materials')
  t.same(
    Object.values(query ?? {}).map(({ value }) => value),
    [
      { name: 'a.b' },
      { 'deep.er': { $in: ['x'] } },
      { 'deep.more.number': { $gte: 1, $lt: 2 } },
      { name: { $regex: '^a\\.b', $options: 'i' } },
      {},
    ],
  )
  t.same(await examplesOf('empty'), [undefined, undefined], 'nothing is there to show')
  for (const entry of app.store.collections.get('things')?.save() ?? [])
    app.store.collections.get('things')?.remove(entry)
  t.same(await examplesOf('things'), [undefined, undefined])
})

t.test('the document has the envelope of the login that is asked for', async (t) => {
  for (const [loginEnvelope, keys] of [
    ['flat', ['X-Account-Id', 'X-Auth-Token']],
    ['jsend', ['status', 'data']],
  ] as const) {
    const app = await build(t, { fixtures: FIXTURES, loginEnvelope })
    const { paths } = (await send(app, '/swagger.json')).json()
    const { example } = paths['/login'].post.responses[200].content['application/json']
    t.same(Object.keys(example), keys)
    t.same(Object.keys(await logIn(app, 'ann', 'x y&z')), keys)
  }
})

const failure = (code: string): string =>
  JSON.stringify({ status: 'error', message: 'm', data: { message: 'm', code } })

const success = (data: unknown): string => JSON.stringify({ status: 'success', data })

t.test('an answer that is not as documented fails a test', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const document = (await send(app, '/swagger.json')).json()
  const check = checkAgainst(document)
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  const url = `${BASE}/materials`

  t.doesNotThrow(() =>
    check('GET', url, { statusCode: 200, headers, payload: success([MATERIAL]) }),
  )
  const cases: [method: string, url: string, statusCode: number, payload: string, wrong: RegExp][] =
    [
      ['GET', url, 200, success(MATERIAL), /data must be array/],
      ['GET', url, 200, success([{ name: 1 }]), /name must be string/],
      ['GET', url, 200, JSON.stringify([MATERIAL]), /must be object/],
      ['GET', `${url}/m1`, 200, success({}), /must have required property '_id'/],
      ['GET', url, 418, failure('TEAPOT'), /no such status/],
      ['GET', url, 404, failure('ITEM_NOT_FOUND'), /no such status/],
      ['GET', `${url}/m1`, 404, failure('OTHER_NOT_FOUND'), /has no OTHER_NOT_FOUND/],
      ['GET', url, 401, JSON.stringify({ status: 'fail' }), /has no|must/],
      ['HEAD', url, 200, 'x', /a HEAD has a body/],
      ['PATCH', url, 200, success({}), /no such status/],
      ['GET', `${BASE}/nowhere`, 200, success({}), /no such status/],
    ]
  for (const [method, path, statusCode, payload, wrong] of cases)
    t.throws(() => check(method, path, { statusCode, headers, payload }), { message: wrong }, path)
  for (const other of [{ ...headers, 'x-other': '1' }, { 'content-type': 'text/plain' }])
    t.throws(() => check('GET', url, { statusCode: 200, headers: other, payload: success([]) }))
})

t.test('the explorer is made of its own files', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const root = await app.inject('/')
  t.equal(root.statusCode, 302)
  t.equal(root.headers.location, '/explorer')
  const page = await app.inject('/explorer')
  t.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  t.match(page.headers['content-security-policy'], /default-src 'none'/)
  t.equal((await app.inject('/explorer/')).payload, page.payload)
  const files = [...page.payload.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '')
  t.equal(files.length, 4)
  for (const file of files) {
    const answer = await app.inject(file)
    t.equal(answer.statusCode, 200, file)
    t.match(answer.headers['content-type'], /^(text\/(javascript|css)|image\/png)/, file)
    t.ok(answer.rawPayload.length > 100, file)
  }
  for (const file of ['nothing.js', 'index.html', 'constructor', '..%2Fpackage.json']) {
    const answer = await app.inject(`/explorer/${file}`)
    t.equal(answer.statusCode, 404, file)
    t.equal(answer.json().data.code, 'ROUTE_NOT_FOUND', file)
  }
  t.equal((await app.inject({ method: 'POST', url: '/explorer' })).statusCode, 405)
})

t.test('a document needs no credentials, and the rest does', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { paths, security } = (await send(app, '/swagger.json')).json()
  t.same(security, [{ accountId: [], authToken: [] }])
  for (const [path, operations] of Object.entries<Record<string, { security?: [] }>>(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const url = path.replace('{id}', 'm1')
      const request = { method: method.toUpperCase() as 'GET', headers: {} }
      const isOpen = operation.security !== undefined
      t.equal((await send(app, url, request)).statusCode === 401, !isOpen, `${method} ${path}`)
    }
  }
  t.equal((await send(app, '/materials', { headers: ANN })).statusCode, 200)
})
