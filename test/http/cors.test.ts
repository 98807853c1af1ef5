import type { InjectOptions } from 'fastify'
import t from 'tap'

import { BASE, build } from '../helpers/build.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [{ _id: 'm1' }],
}
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const PAGE = { origin: 'http://localhost:3000' }
const PREFLIGHT = { ...PAGE, 'access-control-request-method': 'DELETE' }
const ALLOWED = {
  'access-control-allow-origin': PAGE.origin,
  'access-control-allow-credentials': 'true',
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const EXPOSED =
  'Allow, Preference-Applied, Retry-After, X-Mock-Completed, X-Mock-Lists, X-Total-Count'

t.test('a page of any origin may read every response, including failures', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const cases: [request: InjectOptions & { url: string }, status: number][] = [
    [{ url: `${BASE}/materials`, headers: { ...PAGE, ...ANN } }, 200],
    [{ url: `${BASE}/materials?query={`, headers: { ...PAGE, ...ANN } }, 400],
    [{ url: `${BASE}/materials`, headers: PAGE }, 401],
    [{ url: `${BASE}/nothing`, headers: PAGE }, 404],
    [{ url: '/api', headers: PAGE }, 404],
    [{ url: `${BASE}/login`, method: 'DELETE', headers: PAGE }, 405],
    [{ url: `${BASE}/swagger.json`, headers: PAGE }, 200],
  ]
  for (const [request, status] of cases) {
    const { statusCode, headers } = await app.inject(request)
    t.equal(statusCode, status, request.url)
    t.match(headers, ALLOWED, request.url)
    t.equal(headers['access-control-expose-headers'], EXPOSED, request.url)
    t.notOk('access-control-allow-methods' in headers, request.url)
    t.equal(headers.vary, 'Origin', request.url)
  }
  const { headers } = await app.inject({ url: `${BASE}/materials`, headers: ANN })
  t.same(
    Object.keys(headers).filter((name) => name.startsWith('access-control-')),
    [],
    'without an origin',
  )
  t.equal(headers.vary, 'Origin', 'a cache must not take it for the response to a page')
})

t.test('a preflight needs no credentials, and succeeds for an unknown path too', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  for (const url of ['/login', '/materials', '/materials/m1', '/nothing']) {
    const response = await app.inject({ method: 'OPTIONS', url: BASE + url, headers: PREFLIGHT })
    t.equal(response.statusCode, 204, url)
    t.equal(response.payload, '')
    t.match(response.headers, { ...ALLOWED, 'access-control-allow-methods': METHODS })
    t.notOk('access-control-allow-headers' in response.headers, 'it asked for none')
  }
})

t.test('a preflight allows whatever headers it asks for', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  for (const asked of [
    'baggage,sentry-trace,x-account-id,x-auth-token',
    'traceparent,tracestate',
    'x-requested-with',
    'cache-control,x-request-id,content-type',
  ]) {
    const { headers } = await app.inject({
      method: 'OPTIONS',
      url: `${BASE}/materials`,
      headers: { ...PREFLIGHT, 'access-control-request-headers': asked },
    })
    t.equal(headers['access-control-allow-headers'], asked)
  }
})

t.test('an injected fault can be read, too, and no response sets or reads a cookie', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  await app.inject({
    method: 'POST',
    url: '/__admin/faults',
    payload: { path: '/api/*/materials', status: 503, times: 1 },
  })
  const cookie = { cookie: 'X-Auth-Token=ann-token; X-Account-Id=ann' }
  const cases: [url: string, headers: Record<string, string>, status: number][] = [
    [`${BASE}/materials`, ANN, 503],
    [`${BASE}/materials`, ANN, 200],
    [`${BASE}/materials`, cookie, 401],
  ]
  for (const [url, sent, status] of cases) {
    const { statusCode, headers } = await app.inject({ url, headers: { ...PAGE, ...sent } })
    t.equal(statusCode, status)
    t.match(headers, ALLOWED)
    t.notOk('set-cookie' in headers)
  }
})

t.test('paths outside the API and the controls have no CORS headers', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  for (const url of ['/', '/explorer', '/apis', '/nothing']) {
    t.notMatch(await app.inject({ url, headers: PAGE }), {
      headers: { 'access-control-allow-origin': String },
    })
  }
})

t.test('OPTIONS that is not a preflight lists the methods of the path in Allow', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const cases: [url: string, status: number, allow: string | undefined][] = [
    [`${BASE}/login`, 204, 'POST'],
    [`${BASE}/materials/m1`, 204, 'DELETE, GET, HEAD, PATCH'],
    ['/explorer', 204, 'GET, HEAD'],
    [`${BASE}/nothing`, 404, undefined],
  ]
  for (const [url, status, allow] of cases) {
    const response = await app.inject({ method: 'OPTIONS', url, headers: PAGE })
    t.equal(response.statusCode, status, url)
    t.equal(response.headers.allow, allow, url)
  }
})

t.test('--no-cors sends no CORS headers', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, cors: false })
  const response = await app.inject({ url: `${BASE}/materials`, headers: { ...PAGE, ...ANN } })
  t.equal(response.statusCode, 200)
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: `${BASE}/materials`,
    headers: PREFLIGHT,
  })
  t.equal(preflight.headers.allow, 'GET, HEAD')
  for (const { headers } of [response, preflight]) {
    t.same(
      Object.keys(headers).filter((name) => name.startsWith('access-control-')),
      [],
    )
  }
})
