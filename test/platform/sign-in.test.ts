import v8 from 'node:v8'

import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import t from 'tap'

import { OidcRejected, OptionsInvalid } from '../../src/errors.js'
import { MAX_GRANTS } from '../../src/store/sign-in/authorization-grants.js'
import { BASE, build, logIn, send } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'

const FIXTURES = {
  accounts: [
    { _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] },
    { _id: 'lab', username: 'lab', password: 'y', name: 'The Lab', type: 'organization' },
  ],
  materials: [
    { _id: 'm1', owner: { _id: 'ann' } },
    { _id: 'm2', owner: { _id: 'lab' } },
  ],
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const post = (
  app: FastifyInstance,
  path: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> =>
  app.inject({
    method: 'POST',
    url: `/oidc${path}`,
    headers: { ...FORM, ...headers },
    payload: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
  })

t.test('a form of more than 16 KiB is refused before it is parsed', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, oidc: true })
  const form = Array.from({ length: 3000 }, (_, index) => `k${index}=1`).join('&')
  for (const path of ['/token', '/device/auth'])
    t.equal((await post(app, path, form)).statusCode, 413, path)
  const login = { method: 'POST', url: `${BASE}/login`, headers: FORM, payload: form } as const
  t.match((await app.inject(login)).json(), { message: 'the body must have at most 16384 bytes' })
})

/** Asks for a device code. */
const authorize = async (app: FastifyInstance): Promise<Record<string, string>> =>
  (await post(app, '/device/auth', { client_id: 'cli', scope: 'openid profile email' })).json()

const exchange = (
  app: FastifyInstance,
  code: string | undefined,
  fields: Record<string, string> = {},
): Promise<LightMyRequestResponse> =>
  post(app, '/token', {
    grant_type: DEVICE_GRANT,
    device_code: code ?? '',
    client_id: 'cli',
    ...fields,
  })

const listIds = async (app: FastifyInstance, headers: Record<string, string>) =>
  (await send(app, '/materials', { headers })).json().data?.map(({ _id }: { _id: string }) => _id)

t.test('a bearer token stands in place of the two headers', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const token = (await logIn(app, 'lab', 'y'))['X-Auth-Token'] ?? ''
  t.same(await listIds(app, { authorization: 'Bearer ann-token' }), ['m1'])
  t.same(await listIds(app, { authorization: 'bearer  ann-token' }), ['m1'])
  t.same(await listIds(app, { authorization: `Bearer ${token}` }), ['m2'])
  const created = await send(app, '/materials/create', {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    payload: { name: 'new' },
  })
  t.match(created.json().data, { name: 'new', owner: { _id: 'lab' } })
  const rejected: Record<string, string>[] = [
    { authorization: 'Bearer other' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer ' },
    { authorization: 'Basic ann-token' },
    { authorization: 'ann-token' },
    { authorization: 'Bearer ann-token', 'x-account-id': 'ann' },
    { authorization: 'Bearer ann-token', 'x-auth-token': '' },
  ]
  for (const headers of rejected) {
    const response = await send(app, '/materials', { headers })
    t.equal(response.statusCode, 401, JSON.stringify(headers))
    t.match(response.json(), { message: /log in with POST \/login/, data: { code: /CREDENTIALS/ } })
  }
  const both = { authorization: 'Bearer x', 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
  t.same(await listIds(app, both), ['m1'], 'the two headers decide')
})

t.test('a logout ends a bearer token, and a session expires', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, sessionTtl: 10 })
  const [one, other] = [await logIn(app, 'lab', 'y'), await logIn(app, 'lab', 'y')]
  const headers = { authorization: `Bearer ${one['X-Auth-Token']}` }
  const later = { authorization: `Bearer ${other['X-Auth-Token']}` }
  const logout = await send(app, '/logout', { method: 'POST', headers })
  t.same(logout.json().data, { message: 'You are successfully logged out' })
  t.equal((await send(app, '/materials', { headers })).statusCode, 401)
  t.equal((await send(app, '/materials', { headers: later })).statusCode, 200)
  const now = Date.now() + 10_000
  replace(t, Date, 'now', () => now)
  t.equal((await send(app, '/materials', { headers: later })).statusCode, 401)
})

t.test('GET /api/v1/users/me describes the account of the request', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const session = await logIn(app, 'lab', 'y')
  const cases: [headers: Record<string, string>, id: string, entity: object][] = [
    [{ authorization: 'Bearer ann-token' }, 'ann', { name: 'ann', type: 'personal' }],
    [
      { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' },
      'ann',
      { name: 'ann', type: 'personal' },
    ],
    [session, 'lab', { name: 'The Lab', type: 'organization' }],
  ]
  for (const [headers, _id, entity] of cases) {
    const response = await app.inject({ url: '/api/v1/users/me', headers })
    t.same(response.json(), {
      status: 'success',
      data: {
        user: { entity: { _id, defaultAccountId: _id } },
        accounts: [{ entity: { _id, ...entity }, isDefault: true }],
      },
    })
  }
  const anonymous = await app.inject('/api/v1/users/me')
  t.match(anonymous.json(), { status: 'error', data: { code: 'CREDENTIALS_REJECTED' } })
  t.equal(anonymous.statusCode, 401)
  for (const url of ['/api/v1', '/api/v1/users', '/api/v1/materials'])
    t.equal((await app.inject(url)).statusCode, 404, url)
})

t.test('the device flow signs the first account in at once', async (t) => {
  for (const readOnly of [false, true]) {
    const app = await build(t, { fixtures: FIXTURES, readOnly })
    const device = await post(
      app,
      '/device/auth',
      { client_id: 'cli', client_secret: 's', scope: 'openid', unknown: '1' },
      { host: 'localhost:4321' },
    )
    t.equal(device.statusCode, 200)
    t.equal(device.headers['cache-control'], 'no-store')
    const { device_code: code, user_code: userCode, ...rest } = device.json()
    t.match(code, /^[\w-]{43}$/)
    t.match(userCode, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    t.same(rest, {
      verification_uri: 'http://localhost:4321/oidc/device',
      verification_uri_complete: `http://localhost:4321/oidc/device?user_code=${userCode}`,
      expires_in: 600,
      interval: 1,
    })
    const page = await app.inject(`/oidc/device?user_code=${userCode}`)
    t.match(page.headers['content-type'], 'text/html')
    t.match(page.payload, /has approved this device/)

    const token = await exchange(app, code, { token_endpoint_auth_method: 'none' })
    t.equal(token.statusCode, 200)
    t.equal(token.headers['cache-control'], 'no-store')
    const { access_token: accessToken, refresh_token: refreshToken, ...more } = token.json()
    t.same(more, { token_type: 'Bearer', expires_in: 3600 })
    t.same(await listIds(app, { authorization: `Bearer ${accessToken}` }), ['m1'])

    const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: 'cli' }
    const refreshed = (await post(app, '/token', refresh)).json()
    t.not(refreshed.refresh_token, refreshToken)
    t.same(await listIds(app, { authorization: `Bearer ${refreshed.access_token}` }), ['m1'])
    t.match((await post(app, '/token', refresh)).json(), { error: 'invalid_grant' })
  }
})

t.test('a failure under /oidc is as RFC 6749 and RFC 8628 define it', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { device_code: code = '' } = await authorize(app)
  const grant = { grant_type: DEVICE_GRANT, device_code: code, client_id: 'cli' }
  const cases: [
    path: string,
    fields: Record<string, string> | string,
    error: string,
    text: RegExp,
  ][] = [
    ['/device/auth', {}, 'invalid_request', /client_id is missing/],
    ['/device/auth', { client_id: '' }, 'invalid_request', /client_id must be/],
    ['/device/auth', 'client_id=a&client_id=b', 'invalid_request', /client_id must be a text/],
    ['/token', { client_id: 'cli', device_code: code }, 'invalid_request', /grant_type is missing/],
    [
      '/token',
      { grant_type: DEVICE_GRANT, client_id: 'cli' },
      'invalid_request',
      /^device_code is/,
    ],
    ['/token', { grant_type: 'refresh_token', client_id: 'cli' }, 'invalid_request', /^refresh_/],
    ['/token', { ...grant, grant_type: 'password' }, 'unsupported_grant_type', /not "password"/],
    ['/token', { ...grant, device_code: 'x' }, 'invalid_grant', /that this client has received/],
    ['/token', { ...grant, client_id: 'other' }, 'invalid_grant', /that this client has received/],
    [
      '/token',
      { grant_type: 'refresh_token', refresh_token: code, client_id: 'cli' },
      'invalid_grant',
      /^refresh_token must be/,
    ],
  ]
  for (const [path, fields, error, text] of cases) {
    const response = await post(app, path, fields)
    t.equal(response.statusCode, 400, JSON.stringify(fields))
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    t.same(Object.keys(response.json()), ['error', 'error_description'])
    t.match(response.json(), { error, error_description: text })
  }
  const text = await post(app, '/token', '{}', { 'content-type': 'application/json' })
  t.equal(text.statusCode, 415)
  t.match(text.json(), { error: 'invalid_request', error_description: /x-www-form-urlencoded/ })
  t.equal((await exchange(app, code)).statusCode, 200, 'no failure has used the code up')
  t.match((await exchange(app, code)).json(), { error: 'invalid_grant' })
})

t.test('a refusal has the error of RFC 6749 beside its code', async (t) => {
  const refusal = new OidcRejected('invalid_grant', 'the code was used')
  t.match(refusal, { code: 'OIDC_REJECTED', error: 'invalid_grant', message: 'the code was used' })
})

t.test('a device code expires after ten minutes, and a reset drops all of them', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const codes = [(await authorize(app)).device_code, (await authorize(app)).device_code]
  app.controls.reset()
  t.match((await exchange(app, codes[0])).json(), { error: 'invalid_grant' })
  const { device_code: code } = await authorize(app)
  const now = Date.now() + 600_000
  replace(t, Date, 'now', () => now)
  t.match((await exchange(app, code)).json(), { error: 'expired_token' })
  t.match((await exchange(app, code)).json(), { error: 'invalid_grant' })
})

t.test('a device code that has expired stays so when the clock is set back', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { device_code: code } = await authorize(app)
  const change = (payload: object) => app.inject({ method: 'POST', url: '/__admin/clock', payload })
  await change({ freeze: true })
  await change({ advance: 600_000 })
  await app.inject({ method: 'DELETE', url: '/__admin/clock' })
  const { device_code: later } = await authorize(app)
  t.match((await exchange(app, code)).json(), { error: 'expired_token' })
  t.equal((await exchange(app, later)).statusCode, 200)
})

t.test('the oldest grants are dropped', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const first = app.store.grants.issue('device_code', 'ann', 'cli')
  const second = app.store.grants.issue('device_code', 'ann', 'cli')
  for (let count = 1; count < MAX_GRANTS; count += 1)
    app.store.grants.issue('refresh_token', 'ann', 'cli')
  t.match((await exchange(app, first)).json(), { error: 'invalid_grant' })
  t.equal((await exchange(app, second)).statusCode, 200)
})

t.test('while the memory is full, nobody signs in, and a code stays valid', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { device_code: code } = await authorize(app)
  const heap = { ...v8.getHeapStatistics(), used_heap_size: 950, heap_size_limit: 1000 }
  const restore = replace(t, v8, 'getHeapStatistics', () => heap)
  const refusal = { error: 'invalid_request', error_description: /^the server's memory is full/ }
  t.match((await post(app, '/device/auth', { client_id: 'cli' })).json(), refusal)
  t.match((await exchange(app, code)).json(), refusal)
  const response = await send(app, '/login', {
    method: 'POST',
    headers: FORM,
    payload: 'username=ann&password=x',
  })
  t.match(response.json().data, { code: 'BOUND_EXCEEDED' })
  restore()
  t.equal((await exchange(app, code)).statusCode, 200)
})

t.test('--oidc-account names the account, and --session-ttl the life of its token', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, oidcAccount: 'lab', sessionTtl: 90.5 })
  const token = (await exchange(app, (await authorize(app)).device_code)).json()
  t.equal(token.expires_in, 90)
  t.same(await listIds(app, { authorization: `Bearer ${token.access_token}` }), ['m2'])
  await t.rejects(build(t, { fixtures: FIXTURES, oidcAccount: 'bob' }), {
    name: OptionsInvalid.name,
    message: '--oidc-account must be the username of an account ("ann", "lab"), not "bob"',
  })
  await t.rejects(build(t, { fixtures: FIXTURES, oidc: false, oidcAccount: 'ann' }), {
    message: 'give one of --oidc-account and --no-oidc; they exclude each other',
  })
})

t.test('without its account, the device flow is denied', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, oidcAccount: 'lab' })
  const { device_code: code } = await authorize(app)
  app.store.reloadAccounts(FIXTURES.accounts.slice(0, 1) as never)
  const removed = await exchange(app, code)
  t.match(removed.json(), { error: 'invalid_grant', error_description: /has been removed$/ })
  t.match(await authorize(app), {
    error: 'access_denied',
    error_description: 'accounts.json has no account with the username "lab"',
  })
  const empty = await build(t, { fixtures: { accounts: [] } })
  t.match(await authorize(empty), {
    error: 'access_denied',
    error_description: 'accounts.json has no account; add one',
  })
})

t.test('/oidc is there on loopback hosts, unless an option says otherwise', async (t) => {
  const cases: [options: object, isThere: boolean][] = [
    [{}, true],
    [{ host: 'localhost' }, true],
    [{ host: '0.0.0.0' }, false],
    [{ host: '0.0.0.0', oidc: true }, true],
    [{ oidc: false }, false],
    [{ admin: false }, true],
  ]
  for (const [options, isThere] of cases) {
    const app = await build(t, { fixtures: FIXTURES, ...options })
    for (const path of ['/device/auth', '/token']) {
      const { statusCode } = await post(app, path, {})
      t.equal(statusCode, isThere ? 400 : 404, JSON.stringify(options))
    }
    const { paths } = (await send(app, '/swagger.json')).json()
    t.equal('/oidc/token' in paths, isThere)
  }
})

t.test('the document describes the sign-in', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { paths, security, components } = (await send(app, '/swagger.json')).json()
  t.same(security, [{ accountId: [], authToken: [] }, { bearer: [] }])
  t.match(components.securitySchemes.bearer, { type: 'http', scheme: 'bearer' })
  for (const [path, method] of [
    ['/oidc/device/auth', 'post'],
    ['/oidc/token', 'post'],
    ['/api/v1/users/me', 'get'],
  ] as const)
    t.match(paths[path][method].servers, [{ url: 'http://localhost:80' }])
  t.same(paths['/oidc/token'].post.parameters, [])
})

t.test('the journal has no code and no token, and knows the account of a token', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const device = await authorize(app)
  const token = (await exchange(app, device.device_code)).json()
  await app.inject(`/oidc/device?user_code=${device.user_code}`)
  await exchange(app, undefined, { refresh_token: token.refresh_token })
  await send(app, '/materials', { headers: { authorization: `Bearer ${token.access_token}` } })
  await send(app, '/materials', { headers: { authorization: 'Bearer other' } })
  const journal = await app.inject('/__admin/requests')
  for (const secret of [
    device.device_code,
    device.user_code,
    token.access_token,
    token.refresh_token,
  ] as string[])
    t.notOk(journal.payload.includes(secret), secret)
  t.match(journal.json().data, [
    { path: `${BASE}/materials`, accountId: null, status: 401 },
    { path: `${BASE}/materials`, accountId: 'ann', headers: { authorization: '***' } },
    { path: '/oidc/token', body: { refresh_token: '***' } },
    { path: '/oidc/device' },
    { path: '/oidc/token', body: { device_code: '***', client_id: 'cli' }, accountId: null },
    { path: '/oidc/device/auth', body: { client_id: 'cli' }, status: 200 },
  ])
})

t.test('a fault for an account applies to its bearer token', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  app.controls.faults.add({ accountId: 'ann', status: 503 })
  const lab = `Bearer ${(await logIn(app, 'lab', 'y'))['X-Auth-Token']}`
  const get = (authorization: string) => send(app, '/materials', { headers: { authorization } })
  t.equal((await get('Bearer ann-token')).statusCode, 503)
  t.equal((await get(lab)).statusCode, 200)
})
