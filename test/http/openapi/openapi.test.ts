import type { TSchema } from '@sinclair/typebox'
import t from 'tap'

import { FIELD_OPERATORS, MAX_MATCH_MS, TOP_LEVEL_OPERATORS } from '@materials-mock/query'
import { RESOURCES } from '../../../src/resources/resources.js'
import { BASE, build, listUrl, logIn, send } from '../../helpers/build.js'
import { createResponseCheck, findResponse } from './response-checks.js'

interface Parameter {
  readonly name: string
  readonly examples?: Examples
}

interface Operation {
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { example: unknown } } }
}

type Examples = Readonly<Record<string, { readonly value: unknown }>>

const MATERIAL = { _id: 'm1', name: 'a.bc', deep: { er: 'x', more: { number: 1.5 } }, 'a.b': 'c' }
const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x y&z', tokens: ['ann-token'] }],
  materials: [MATERIAL],
  things: [{ _id: 't1' }],
  empty: [],
}
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }

t.test('the document has every operation that is served, and no other', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, readOnly: true })
  const { openapi, paths, components, servers, tags } = (await send(app, '/swagger.json')).json()
  t.equal(openapi, '3.1.1')
  const served = Object.entries<object>(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  )
  const always = Object.keys(RESOURCES).filter((name) => RESOURCES[name]?.isAlwaysServed)
  const reads = always.flatMap((name) => [`/${name}`, `/${name}/default`, `/${name}/{id}`])
  t.same(
    served.toSorted(),
    [
      ...[...reads, '/measurements/{id}/files'].map((path) => `get ${path}`),
      'get /api/v1/users/me',
      'get /empty',
      'get /empty/default',
      'get /empty/{id}',
      'get /logout',
      'get /materials',
      'get /materials/default',
      'get /materials/{id}',
      'get /other/clusters',
      'get /other/entity-counts',
      'get /postman.json',
      'get /swagger.json',
      'get /things',
      'get /things/default',
      'get /things/{id}',
      'post /login',
      'post /logout',
      'post /oidc/device/auth',
      'post /oidc/token',
    ].toSorted(),
  )
  t.same(servers, [{ url: `http://localhost:80${BASE}`, description: 'This server' }])
  t.same(
    tags.map(({ name }: { name: string }) => name),
    ['materials', ...always, 'things', 'empty', 'session', 'other', 'oidc', 'contract'],
  )
  for (const name of ['OpenApi', 'Failure', 'FailureDetails', 'Credentials', 'Login'])
    t.ok(name in components.schemas, name)
  t.match(components.schemas.Material.properties.lattice.properties.a, {
    type: 'number',
    description: 'The length of the edge a in Å.',
  })
  t.notMatch(JSON.stringify({ paths, components }), /\$id|x-consume|additionalProp1/)
})

t.test('a document has no budget: it is whole on a machine with much else to do', async (t) => {
  const app = await build(t, { queryBudget: 1 })
  const { paths } = (await send(app, '/swagger.json')).json()
  t.ok(paths['/materials'])
  t.ok((await send(app, '/postman.json')).json().item)
  const controls = await app.inject({ method: 'GET', url: '/__admin/openapi.json' })
  t.ok(controls.json().paths['/reset'])
})

t.test('the controls have a document of their own, with every control', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { openapi, paths, servers, security } = (await app.inject('/__admin/openapi.json')).json()
  t.equal(openapi, '3.1.1')
  t.same(servers, [{ url: 'http://localhost:80/__admin', description: 'This server' }])
  t.same(security, [])
  const operations = Object.entries<Record<string, Operation & { readonly summary: string }>>(paths)
  t.same(
    operations
      .flatMap(([path, each]) => Object.keys(each).map((key) => `${key} ${path}`))
      .toSorted(),
    app.documentedRoutes
      .filter(({ path }) => path.startsWith('/__admin/'))
      .flatMap(({ path, methods }) =>
        methods.map(
          (method) => `${method.toLowerCase()} ${path.slice(8).replaceAll(/:(\w+)/g, '{$1}')}`,
        ),
      )
      .toSorted(),
  )
  t.ok(operations.length > 10, `${operations.length} paths`)
  for (const [path, methods] of operations)
    for (const { summary } of Object.values(methods)) t.match(summary, /^[A-Z]/, path)
  const example = paths['/faults'].post.requestBody.content['application/json'].example
  const added = await app.inject({ method: 'POST', url: '/__admin/faults', payload: example })
  t.equal(added.statusCode, 200, 'the example of a rule works')
})

/** The writes that every resource has. */
const listWrites = (resource: string): string[] => [
  `delete /${resource}/{id}`,
  `patch /${resource}/{id}`,
  `post /${resource}/{id}/copy`,
  `post /${resource}/{id}/move-to-set`,
  `post /${resource}/{id}/set-default`,
  `put /${resource}/create`,
  `put /${resource}/create-set`,
  `put /${resource}/{id}/update-set`,
]

t.test('the document has the writes, unless the server is read-only', async (t) => {
  const fixtures = { ...FIXTURES, jobs: [] }
  const documentedWrites = async (readOnly: boolean): Promise<string[]> => {
    const app = await build(t, { fixtures, readOnly })
    const { paths } = (await send(app, '/swagger.json')).json()
    return Object.entries<object>(paths)
      .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method} ${path}`))
      .filter((name) => /(?!get)^\w+ \/(jobs|materials)/.test(name))
      .toSorted()
  }
  const special = [
    'post /jobs/{id}/output-files',
    'post /jobs/{id}/presigned-urls',
    'post /jobs/{id}/submit',
    'post /materials/import',
  ]
  t.same(
    await documentedWrites(false),
    [...listWrites('jobs'), ...listWrites('materials'), ...special].toSorted(),
  )
  t.same(await documentedWrites(true), [])
})

t.test('the example of every write works', async (t) => {
  const app = await build(t)
  const { paths } = (await send(app, '/swagger.json')).json()
  const headers = await logIn(app, 'demo', 'demo')
  const writes = Object.entries<Record<string, Operation>>(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
    )
    .filter(({ path, method }) => method !== 'get' && !/^\/(log|oidc)|update-set$/.test(path))
    .toSorted((one, other) => Number(one.method === 'delete') - Number(other.method === 'delete'))
  t.ok(writes.length > 30, `${writes.length} writes`)
  for (const { path, method, operation } of writes) {
    const { parameters, requestBody } = operation
    const id = parameters.find(({ name }) => name === 'id')?.examples?.one?.value
    const response = await send(app, path.replace('{id}', String(id)), {
      method: method.toUpperCase() as 'PUT',
      headers,
      ...(requestBody && { payload: requestBody.content['application/json'].example as object }),
    })
    t.equal(response.statusCode, 200, `${method} ${path}: ${response.payload.slice(0, 200)}`)
  }
})

t.test('query is a text of JSON, whose schema lists every operator', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { paths, components } = (await send(app, '/swagger.json')).json()
  const [query, projection] = paths['/materials'].get.parameters
  t.match(
    [query, projection],
    [
      {
        name: 'query',
        schema: {
          type: 'string',
          contentMediaType: 'application/json',
          contentSchema: { $ref: '#/components/schemas/Query' },
        },
      },
      { schema: { contentSchema: { $ref: '#/components/schemas/Projection' } } },
    ],
  )
  const documented = [
    ...Object.keys(components.schemas.Query.properties),
    ...Object.keys(components.schemas.Condition.properties),
  ]
  const supported = { ...TOP_LEVEL_OPERATORS, ...FIELD_OPERATORS }
  t.same(documented.toSorted(), Object.keys(supported).toSorted())
})

t.test('each failure has the codes of its status, and the resources have schemas', async (t) => {
  const app = await build(t)
  const document = (await send(app, '/swagger.json')).json()
  const { paths } = document
  const getProperties = (documented: { $ref: string }): Record<string, TSchema> => {
    const { response } = findResponse(document, [], documented)
    const schema = response?.content['application/json']?.schema as TSchema | undefined
    return schema?.properties ?? {}
  }
  const { data } = getProperties(paths['/jobs/{id}'].get.responses[404])
  t.same(data?.properties.code, {
    type: 'string',
    enum: ['ITEM_NOT_FOUND', 'FAULT_INJECTED', 'SANDBOX_NOT_FOUND'],
  })
  const { data: other } = document.components.schemas.Failure.properties
  t.ok(other.properties.code.enum?.includes('HEADERS_TOO_LARGE'), 'any other failure, too')
  const { error } = getProperties(paths['/oidc/token'].post.responses[400])
  t.same(error?.enum, [
    'invalid_request',
    'unsupported_grant_type',
    'invalid_grant',
    'expired_token',
  ])
  for (const [resource, name] of [
    ['jobs', 'Job'],
    ['workflows', 'Workflow'],
    ['bank-workflows', 'Workflow'],
    ['projects', 'Project'],
    ['properties', 'Property'],
    ['materials', 'Material'],
    ['charges', 'Item'],
  ] as const) {
    const properties = getProperties(paths[`/${resource}/{id}`].get.responses[200])
    t.same(properties.data, { $ref: `#/components/schemas/${name}` }, resource)
  }
})

t.test('no document lists a value of an enumeration twice', async (t) => {
  const app = await build(t)
  for (const path of [`${BASE}/swagger.json`, '/__admin/openapi.json']) {
    const enumerations: unknown[][] = []
    JSON.parse((await app.inject(path)).body, (key, value: unknown) => {
      if (key === 'enum' && Array.isArray(value)) enumerations.push(value)
      return value
    })
    t.ok(enumerations.length > 10, path)
    const repeated = enumerations.filter((values) => new Set(values).size < values.length)
    t.same(repeated, [], path)
  }
})

t.test(
  'no object has optional properties beside an index signature that excludes them',
  async (t) => {
    const app = await build(t)
    for (const path of [`${BASE}/swagger.json`, '/__admin/openapi.json']) {
      const refused: unknown[] = []
      JSON.parse((await app.inject(path)).body, (key, value) => {
        const { properties, additionalProperties, required = [] } = (value ?? {}) as TSchema
        const isOpen = Object.keys(Object(additionalProperties)).length > 0
        if (isOpen && Object.keys(properties ?? {}).length > required.length) refused.push(key)
        return value
      })
      t.same(refused, [], path)
    }
  },
)

t.test('every operation of both documents has a description, and examples', async (t) => {
  const empty = Object.fromEntries([...Object.keys(RESOURCES), 'things'].map((name) => [name, []]))
  for (const fixtures of [undefined, FIXTURES, empty]) {
    const app = await build(t, fixtures && { fixtures })
    for (const path of [`${BASE}/swagger.json`, '/__admin/openapi.json']) {
      const { paths } = (await app.inject(path)).json()
      for (const [template, operations] of Object.entries<object>(paths)) {
        for (const [method, { description, responses }] of Object.entries(operations)) {
          t.match(description, /\.$/, `${method} ${template}`)
          for (const [type, media] of Object.entries<object>(responses[200].content))
            t.ok('example' in media || 'examples' in media, `${method} ${template}: ${type}`)
        }
      }
    }
  }
})

t.test('every $ref of the document refers to a component', async (t) => {
  const app = await build(t)
  const document = (await send(app, '/swagger.json')).json()
  const references = [
    ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(schemas|responses)\/([\w-]+)"/g),
  ]
  for (const [, kind = '', name = ''] of references)
    t.ok(name in document.components[kind], `${kind}/${name}`)
  const names = Object.keys(document.components.responses)
  t.ok(names.length < 80, `${names.length} failures are shared`)
})

t.test('the server of the document is the host of the request', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const response = await send(app, '/swagger.json', { headers: { host: 'mock.test:4321' } })
  t.equal(response.json().servers[0].url, `http://mock.test:4321${BASE}`)
})

t.test('the examples of each shipped resource work', async (t) => {
  const app = await build(t)
  const { paths } = (await send(app, '/swagger.json')).json()
  const login = paths['/login'].post.requestBody.content['application/x-www-form-urlencoded']
  const headers = await logIn(app, login.example.username, login.example.password)
  const listExamples = (path: string, name: string): unknown[] => {
    const parameter = paths[path].get.parameters.find((each: Parameter) => each.name === name)
    return Object.values<{ value: string }>(parameter.examples).map(({ value }) =>
      name === 'id' ? value : JSON.parse(value),
    )
  }
  for (const resource of app.store.collections.keys()) {
    const itemPath = `/${resource}/{id}`
    for (const id of listExamples(itemPath, 'id')) {
      const response = await send(app, `/${resource}/${id}`, { headers })
      const { example } = paths[itemPath].get.responses[200].content['application/json']
      t.same(response.json(), example, `the example of ${resource} is its response`)
    }
    const queries = listExamples(`/${resource}`, 'query')
    t.ok(queries.length >= 3, resource)
    for (const query of queries) {
      for (const projection of listExamples(`/${resource}`, 'projection')) {
        const response = await send(app, listUrl(resource, query, projection), { headers })
        t.equal(response.statusCode, 200)
        const { skip = 0 } = projection as { skip?: number }
        if (skip === 0)
          t.ok(response.json().data.length > 0, `${resource}: ${JSON.stringify(query)}`)
      }
    }
  }
})

t.test('the examples are of current items', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const listExamples = async (resource: string): Promise<(Examples | undefined)[]> => {
    const { paths } = (await send(app, '/swagger.json')).json()
    return paths[`/${resource}`].get.parameters
      .filter(({ name }: Parameter) => name === 'query' || name === 'projection')
      .map(({ examples }: Parameter) => examples)
  }
  const [query] = await listExamples('materials')
  t.same(
    Object.values(query ?? {}).map(({ value }) => JSON.parse(String(value))),
    [
      { name: 'a.bc' },
      { 'deep.er': { $in: ['x'] } },
      { 'deep.more.number': { $gte: 1, $lt: 2 } },
      { name: { $regex: '^a\\.b', $options: 'i' } },
      {},
    ],
  )
  t.same(await listExamples('empty'), [undefined, undefined], 'an empty resource has no examples')
  for (const entry of app.store.collections.get('things')?.entries ?? [])
    app.store.collections.get('things')?.remove(entry)
  t.same(await listExamples('things'), [undefined, undefined])
})

t.test('the document has the login envelope of the option', async (t) => {
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

t.test('a response that is not as documented fails a test', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const document = (await send(app, '/swagger.json')).json()
  const check = createResponseCheck(document)
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  const url = `${BASE}/materials`

  t.doesNotThrow(() =>
    check('GET', url, { statusCode: 200, headers, payload: success([MATERIAL]) }),
  )
  const cases: [
    method: string,
    url: string,
    statusCode: number,
    payload: string,
    message: RegExp,
  ][] = [
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
  for (const [method, path, statusCode, payload, message] of cases)
    t.throws(() => check(method, path, { statusCode, headers, payload }), { message }, path)
  for (const other of [{ ...headers, 'x-other': '1' }, { 'content-type': 'text/plain' }])
    t.throws(() => check('GET', url, { statusCode: 200, headers: other, payload: success([]) }))
})

t.test('only the operations with empty security need no credentials', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { paths, security } = (await send(app, '/swagger.json')).json()
  t.same(security, [{ accountId: [], authToken: [] }, { bearer: [] }])
  for (const [path, operations] of Object.entries<Record<string, { security?: []; servers?: [] }>>(
    paths,
  )) {
    for (const [method, operation] of Object.entries(operations)) {
      const { security: own, servers } = operation
      const url = (servers === undefined ? BASE : '') + path.replace('{id}', 'm1')
      const { statusCode } = await app.inject({ method: method.toUpperCase() as 'GET', url })
      t.equal(statusCode === 401, own === undefined, `${method} ${path}`)
    }
  }
  t.equal((await send(app, '/materials', { headers: ANN })).statusCode, 200)
})

t.test('a body is refused at the size that the document says', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const document = (await send(app, '/swagger.json')).json()
  const cases: [path: string, url: string, type: string][] = [
    ['/login', `${BASE}/login`, 'application/x-www-form-urlencoded'],
    ['/oidc/device/auth', '/oidc/device/auth', 'application/x-www-form-urlencoded'],
    ['/oidc/token', '/oidc/token', 'application/x-www-form-urlencoded'],
  ]
  for (const [path, url, type] of cases) {
    const headers = { 'content-type': type }
    const payload = 'x'.repeat(20_000)
    const response = await app.inject({ method: 'POST', url, headers, payload })
    t.equal(response.statusCode, 413, path)
    const reference = document.paths[path].post.responses[413]
    const { examples } =
      findResponse(document, [], reference).response?.content['application/json'] ?? {}
    const documented = Object.values(examples as Examples).map(({ value }) => value)
    t.match(documented, [response.json()], path)
  }
})

t.test('both documents name the time that a regular expression may take', async (t) => {
  const app = await build(t)
  for (const url of [`${BASE}/swagger.json`, '/__admin/openapi.json']) {
    const text = (await app.inject(url)).body
    const messages = [...text.matchAll(/"regular expressions took longer than (\d+) ms/g)]
    t.ok(messages.length > 0, url)
    t.same(new Set(messages.map(([, ms]) => Number(ms))), new Set([MAX_MATCH_MS]), url)
  }
})
