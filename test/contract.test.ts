import { gzipSync } from 'node:zlib'

import { Type } from '@sinclair/typebox'
import type { InjectOptions } from 'fastify'
import t from 'tap'

import { compileValidator } from '@materials-mock/json'
import { buildApp } from '../src/server/app.js'
import { BASE, build, listUrl, logIn, send } from './helpers/build.js'
import { replace } from './helpers/replace.js'

const FIXTURES = {
  accounts: [
    { _id: 'ann', username: 'ann', password: 'x y&z', tokens: ['ann-token'] },
    { _id: 'bob', username: 'bob', password: 'y' },
  ],
  materials: [
    { _id: 'm1', name: 'one', formula: 'Si', owner: { _id: 'ann' }, unknown: { deep: [1, null] } },
    { _id: 'm2', name: 'two', formula: 'Ge', owner: { _id: 'bob' } },
    { _id: 'm3', name: 'three', formula: 'Si', owner: { _id: 'nobody' } },
    { _id: 'm4', name: 'a/b c', formula: 'Si' },
  ],
  projects: [{ _id: 'p1', name: 'default' }],
}

const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = 'application/json; charset=utf-8'

t.test('--login-envelope jsend puts the response of a login in the envelope', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, loginEnvelope: 'jsend' })
  t.match(await logIn(app, 'bob', 'y'), {
    status: 'success',
    data: { 'X-Account-Id': 'bob', 'X-Auth-Token': String },
  })
})

t.test('a path without the version names the one with it', async (t) => {
  const app = await buildApp({ fixtures: FIXTURES, logLevel: 'silent' })
  t.teardown(() => app.close())
  const { message } = (await app.inject('/materials/m1')).json()
  t.match(
    message,
    /^there is nothing at \/materials\/m1; the closest one is \/api\/2018-10-01\/materials\/m1;/,
  )
})

t.test('credentials are rejected unless both headers are those of one session', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const token = (await logIn(app, 'bob', 'y'))['X-Auth-Token'] ?? ''
  const ended = await logIn(app, 'bob', 'y')
  await send(app, '/logout', { headers: ended })
  const cases: Record<string, string>[] = [
    { 'x-account-id': 'ann', 'x-auth-token': token },
    { 'x-account-id': 'ann', 'x-auth-token': '' },
    { 'x-account-id': '', 'x-auth-token': 'ann-token' },
    { 'x-account-id': 'ann', 'x-auth-token': 'ANN-TOKEN' },
    { 'x-account-id': '__proto__', 'x-auth-token': '__proto__' },
    {},
    { authorization: 'Bearer x' },
    ended,
  ]
  const message =
    'X-Account-Id and X-Auth-Token must be those of an open session, or of a preferences token; log in with POST /login, and send both headers that it returns'
  for (const headers of cases) {
    const response = await send(app, '/materials', { headers })
    t.equal(response.statusCode, 401)
    const { data } = response.json()
    t.match(data, { code: 'CREDENTIALS_REJECTED', message }, JSON.stringify(headers))
  }
})

t.test('an item of another account is not visible; an item of any other owner is', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const bob = await logIn(app, 'bob', 'y')
  const listIds = async (headers: Record<string, string>) =>
    (await send(app, '/materials', { headers })).json().data.map(({ _id }: { _id: string }) => _id)
  t.same(await listIds(ANN), ['m1', 'm3', 'm4'])
  t.same(await listIds(bob), ['m2', 'm3', 'm4'])
  t.equal((await send(app, '/materials/m2', { headers: ANN })).statusCode, 404)
  t.equal((await send(app, '/materials/m2', { headers: bob })).statusCode, 200)
})

t.test('every failure is in the failure envelope', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const long = 'x'.repeat(5000)
  const cases: [
    request: InjectOptions & { url: string },
    status: number,
    code: string,
    message: RegExp,
  ][] = [
    [
      { url: '/api' },
      404,
      'ROUTE_NOT_FOUND',
      /^there is nothing at \/api; \/api\/2018-10-01\/swagger\.json and \/__admin\/openapi\.json list all paths$/,
    ],
    [{ url: '/api/2019-01-01/materials' }, 404, 'ROUTE_NOT_FOUND', /2019-01-01/],
    [
      { url: `${BASE}/materialz`, headers: ANN },
      404,
      'ROUTE_NOT_FOUND',
      /materialz; the closest one is \/api\/2018-10-01\/materials; \/api\/2018-10-01\/swagger\.json lists all paths$/,
    ],
    [{ url: `${BASE}/materials/m1/copi`, method: 'POST' }, 404, 'ROUTE_NOT_FOUND', /m1\/copy;/],
    [{ url: '/__admin/resett' }, 404, 'ROUTE_NOT_FOUND', /closest one is \/__admin\/reset;/],
    [{ url: `${BASE}/accounts`, headers: ANN }, 404, 'ROUTE_NOT_FOUND', /accounts/],
    [{ url: `${BASE}/materials/m1/basis`, headers: ANN }, 404, 'ROUTE_NOT_FOUND', /m1\/basis/],
    [
      { url: `${BASE}/materials/m9`, headers: ANN },
      404,
      'ITEM_NOT_FOUND',
      /^materials has no item with _id "m9"$/,
    ],
    [{ url: `${BASE}/materials/__proto__`, headers: ANN }, 404, 'ITEM_NOT_FOUND', /__proto__/],
    [{ url: `${BASE}/materials/${long}`, headers: ANN }, 404, 'ITEM_NOT_FOUND', /xxx/],
    [{ url: `${BASE}/materials/a%2Fb`, headers: ANN }, 404, 'ITEM_NOT_FOUND', /"a\/b"/],
    [{ url: `${BASE}/materials//`, headers: ANN }, 404, 'ITEM_NOT_FOUND', /""/],
    [{ url: `${BASE}/materials/%zz`, headers: ANN }, 400, 'REQUEST_MALFORMED', /%zz/],
    [
      { url: `${BASE}/login` },
      405,
      'METHOD_NOT_ALLOWED',
      /^GET is not allowed at \/api\/2018-10-01\/login; use POST$/,
    ],
    [{ url: `${BASE}/login/`, method: 'DELETE' }, 405, 'METHOD_NOT_ALLOWED', /use POST/],
    [{ url: `${BASE}/materials`, method: 'QUERY' }, 405, 'METHOD_NOT_ALLOWED', /^QUERY is not/],
    [{ url: `${BASE}/materials`, method: 'DELETE' }, 405, 'METHOD_NOT_ALLOWED', /GET, HEAD$/],
    [
      { url: `${BASE}/materials/`, method: 'POST' },
      405,
      'METHOD_NOT_ALLOWED',
      /GET, HEAD; PUT \/api\/2018-10-01\/materials\/create creates an item$/,
    ],
    [
      {
        url: `${BASE}/login`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        payload: '{}',
      },
      415,
      'CONTENT_TYPE_UNSUPPORTED',
      /^Content-Type "application\/json" is not supported here; send application\/x-www-form-urlencoded$/,
    ],
    [
      {
        url: `${BASE}/login`,
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        payload: 'x',
      },
      415,
      'CONTENT_TYPE_UNSUPPORTED',
      /text\/plain/,
    ],
    [
      { url: `${BASE}/login`, method: 'POST', headers: FORM, payload: 'username=ann' },
      400,
      'BODY_INVALID',
      /^password is missing$/,
    ],
    [
      { url: `${BASE}/login`, method: 'POST', headers: FORM, payload: 'username=&password=x' },
      400,
      'BODY_INVALID',
      /^username must be a string that is not empty, not ""$/,
    ],
    [
      {
        url: `${BASE}/login`,
        method: 'POST',
        headers: FORM,
        payload: 'username=a&username=b&password=x',
      },
      400,
      'BODY_INVALID',
      /^username must be a string/,
    ],
    [
      {
        url: `${BASE}/login`,
        method: 'POST',
        headers: FORM,
        payload: 'username=a&password=b&remember=1',
      },
      400,
      'BODY_INVALID',
      /"remember" is not known/,
    ],
    [
      { url: `${BASE}/login`, method: 'POST' },
      400,
      'BODY_INVALID',
      /^username is missing; password is missing$/,
    ],
    [
      {
        url: `${BASE}/login`,
        method: 'POST',
        headers: FORM,
        payload: `username=${'x'.repeat(16 * 1024)}`,
      },
      413,
      'BODY_TOO_LARGE',
      /at most 16384 bytes/,
    ],
    [
      {
        url: `${BASE}/logout`,
        method: 'POST',
        headers: { ...ANN, 'content-type': 'application/json' },
        payload: '{"a":',
      },
      400,
      'BODY_INVALID',
      /^body is not JSON: line 1, column 6: a value is expected$/,
    ],
    [
      {
        url: `${BASE}/logout`,
        method: 'POST',
        headers: { ...ANN, 'content-type': 'application/json' },
        payload: `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
      },
      400,
      'BOUND_EXCEEDED',
      /^body must have at most 100 levels of JSON$/,
    ],
    [
      {
        url: `${BASE}/logout`,
        method: 'POST',
        headers: { ...ANN, 'content-type': 'application/json' },
        payload: '{"__proto__": 1}',
      },
      400,
      'BODY_INVALID',
      /^body must not have "__proto__" in a key$/,
    ],
    [
      {
        url: `${BASE}/projects/create`,
        method: 'PUT',
        headers: { ...ANN, 'content-type': 'application/json' },
        payload: '{"a": {"b": 1, "\\u0062": 2}}',
      },
      400,
      'BODY_INVALID',
      /^body.a has the key "b" twice; name it once$/,
    ],
    [
      {
        url: `${BASE}/projects/create`,
        method: 'PUT',
        headers: { ...ANN, 'content-type': 'application/json' },
        payload: Buffer.from('{"name":"\xff"}', 'latin1'),
      },
      400,
      'BODY_INVALID',
      /^body must be UTF-8$/,
    ],
    [
      {
        url: `${BASE}/projects/create`,
        method: 'PUT',
        headers: { ...ANN, 'content-type': 'application/json', 'content-encoding': 'gzip' },
        payload: gzipSync('{}'),
      },
      400,
      'BODY_INVALID',
      /^the body must have no Content-Encoding, not "gzip"$/,
    ],
    [
      {
        url: `${BASE}/nowhere`,
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        payload: '{bad',
      },
      404,
      'ROUTE_NOT_FOUND',
      /nowhere/,
    ],
    [
      {
        url: `${BASE}/nowhere`,
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        payload: 'x',
      },
      404,
      'ROUTE_NOT_FOUND',
      /nowhere/,
    ],
  ]
  for (const [request, status, code, message] of cases) {
    const response = await app.inject({ method: 'GET', ...request })
    const name = `${request.method ?? 'GET'} ${request.url.slice(0, 60)}`
    const found = {
      statusCode: response.statusCode,
      body: response.json(),
      headers: response.headers,
    }
    t.match(
      found,
      {
        statusCode: status,
        body: { status: 'error', message, data: { message: found.body.message, code } },
        headers: { 'content-type': JSON_TYPE, ...(status === 405 && { allow: /^[A-Z, ]+$/ }) },
      },
      name,
    )
  }
})

t.test('several errors are listed in details', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { message, data } = (
    await send(app, listUrl('materials', {}, { limit: 0, skip: -1, lmit: 2 }), { headers: ANN })
  ).json()
  t.same(data.details, [
    {
      path: '/lmit',
      message:
        '"lmit" is not known in projection, which has sort, skip, limit, fields; the closest one is limit',
    },
    { path: '/skip', message: 'projection.skip must be an integer, 0 or more, not -1' },
    { path: '/limit', message: 'projection.limit must be an integer from 1 to 500, not 0' },
  ])
  t.equal(message, data.details.map((detail: { message: string }) => detail.message).join('; '))
})

t.test('at most 20 errors are read of a body with many, each of another path', async (t) => {
  const body = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x${index}`, 1]))
  let reads = 0
  const counted = new Proxy(body, {
    get: (target, key) => {
      if (typeof key === 'string' && key.startsWith('x')) reads += 1
      return Reflect.get(target, key) as unknown
    },
  })
  const validate = compileValidator(Type.Object({}, { additionalProperties: false }), 'body')
  t.equal(validate(counted)?.details?.length, 20)
  t.ok(reads <= 20, `${reads} values are read`)
})

t.test('a wrong query or projection is rejected', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const cases: [parameters: string, code: string, message: RegExp][] = [
    ['query=', 'PARAMETER_INVALID', /^query is empty/],
    ['projection=', 'PARAMETER_INVALID', /^projection is empty/],
    ['query={}&query={}', 'PARAMETER_INVALID', /^query is given 2 times/],
    ['query={', 'QUERY_INVALID', /query/],
    ['query=[]', 'QUERY_INVALID', /query/],
    ['query={"a":{"$gtx":1}}', 'QUERY_INVALID', /\$gtx/],
    ['query={"$where":"1"}', 'QUERY_INVALID', /\$where/],
    ['query={"$expr":{"$rand":{}}}', 'QUERY_INVALID', /^query\.\$expr\.\$rand is not supported/],
    ['query={"__proto__":1}', 'QUERY_INVALID', /__proto__/],
    [
      'projection={"limit":501}',
      'PROJECTION_INVALID',
      /^projection\.limit must be an integer from 1 to 500, not 501$/,
    ],
    ['projection={"limit":0}', 'PROJECTION_INVALID', /not 0$/],
    ['projection={"limit":"10"}', 'PROJECTION_INVALID', /not "10"$/],
    ['projection={"limit":1.5}', 'PROJECTION_INVALID', /not 1\.5$/],
    ['projection={"limit":null}', 'PROJECTION_INVALID', /not null$/],
    [
      'projection={"skip":-1}',
      'PROJECTION_INVALID',
      /^projection\.skip must be an integer, 0 or more, not -1$/,
    ],
    [
      'projection={"sort":{"name":2}}',
      'PROJECTION_INVALID',
      /^projection\.sort\.name must be 1 or -1, not 2$/,
    ],
    [
      'projection={"sort":"name"}',
      'PROJECTION_INVALID',
      /^projection\.sort must be an object, not "name"$/,
    ],
    ['projection={"fields":{"a":1,"b":0}}', 'PROJECTION_INVALID', /b/],
    ['projection={"fields":{"a":{"$rand":{}}}}', 'PROJECTION_INVALID', /fields\.a\.\$rand/],
    [
      'projection={"order":{}}',
      'PROJECTION_INVALID',
      /^"order" is not known in projection, which has sort, skip, limit, fields$/,
    ],
  ]
  for (const [parameters, code, message] of cases) {
    const response = await send(app, `/materials?${parameters.replaceAll('"', '%22')}`, {
      headers: ANN,
    })
    t.match(response.json(), { message, data: { code } }, parameters)
  }
})

t.test('HEAD has the length of GET', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  for (const url of ['/materials', '/materials/m1', '/materials/']) {
    const [get, head] = [
      await send(app, url, { headers: ANN }),
      await send(app, url, { method: 'HEAD', headers: ANN }),
    ]
    t.equal(head.headers['content-length'], get.headers['content-length'], url)
  }
})

t.test('two servers in one process share nothing', async (t) => {
  const [first, second] = [
    await build(t, { fixtures: FIXTURES }),
    await build(t, { fixtures: FIXTURES }),
  ]
  const headers = await logIn(first, 'ann', 'x y&z')
  t.equal((await send(first, '/materials', { headers })).statusCode, 200)
  t.equal((await send(second, '/materials', { headers })).statusCode, 401)
})

t.test('fixtures in process are copied', async (t) => {
  const material = { _id: 'm', name: 'before' }
  const app = await build(t, { fixtures: { accounts: FIXTURES.accounts, materials: [material] } })
  material.name = 'after'
  t.equal((await send(app, '/materials/m', { headers: ANN })).json().data.name, 'before')
})

t.test('a defect of the server is a 500 that does not reveal its cause', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  replace(t, app.store.getCollection('materials'), 'findById', () => {
    throw new Error('secret at /home/somebody')
  })
  const response = await send(app, '/materials/m1', { headers: ANN })
  t.equal(response.statusCode, 500)
  t.match(response.json(), { status: 'error', data: { code: 'INTERNAL_ERROR' } })
  t.notMatch(response.payload, /secret|somebody|\.ts/)
})
