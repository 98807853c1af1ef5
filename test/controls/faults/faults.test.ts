import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'

import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import t from 'tap'
import type { Test } from 'tap'

import { PRESET_NAMES } from '@materials-mock/api'
import type { FaultRule } from '@materials-mock/api'
import { buildApp } from '../../../src/server/app.js'
import type { BuildOptions } from '../../../src/server/app.js'
import { BASE, build, hurryTimers, send, waitFor } from '../../helpers/build.js'
import { replace } from '../../helpers/replace.js'
import { sendBytes } from '../../helpers/send-bytes.js'

const FIXTURES = {
  accounts: [
    { _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] },
    { _id: 'bob', username: 'bob', password: 'y', tokens: ['bob-token'] },
  ],
  materials: [{ _id: 'm1', name: 'x'.repeat(1000) }],
}
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const BOB = { 'x-account-id': 'bob', 'x-auth-token': 'bob-token' }

const start = (t: Test, options: BuildOptions = {}): Promise<FastifyInstance> =>
  build(t, { fixtures: FIXTURES, ...options })

/** Builds a server whose responses are not checked by the OpenAPI document, which faults break. */
async function startUnchecked(t: Test, options: BuildOptions = {}): Promise<FastifyInstance> {
  const app = await buildApp({ fixtures: FIXTURES, logLevel: 'silent', ...options })
  t.teardown(() => app.close())
  return app
}

function addFault(app: FastifyInstance, payload: object): Promise<LightMyRequestResponse> {
  return app.inject({ method: 'POST', url: '/__admin/faults', payload })
}

async function listFaults(app: FastifyInstance): Promise<FaultRule[]> {
  return (await app.inject('/__admin/faults')).json().data
}

/** Returns the result of an action and its duration in ms. */
async function measure<T>(action: () => Promise<T>): Promise<[result: T, ms: number]> {
  const before = performance.now()
  return [await action(), performance.now() - before]
}

interface SocketResult {
  readonly text: string
  /** `end` if the server closed the connection, `timeout`, or the code of the socket's error. */
  readonly ending: string
}

/** Requests a path over a new connection, and returns what it received and how it ended. */
function requestOverSocket(
  app: FastifyInstance,
  path = '/materials',
  timeout = 60_000,
): Promise<SocketResult> {
  const { port } = app.server.address() as AddressInfo
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1')
    const finish = (ending: string): void => {
      socket.destroy()
      resolve({ text, ending })
    }
    socket.write(
      `GET ${BASE}${path} HTTP/1.1\r\nHost: localhost\r\n` +
        'X-Account-Id: ann\r\nX-Auth-Token: ann-token\r\nConnection: close\r\n\r\n',
    )
    socket.setTimeout(timeout, () => finish('timeout'))
    socket.on('data', (chunk) => (text += chunk))
    socket.on('end', () => finish('end'))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => finish(code ?? 'error'))
  })
}

t.test('a rule responds with its failure in the envelope, before auth', async (t) => {
  const app = await start(t)
  const added = await addFault(app, { path: '/api/**', status: 503, message: 'down for the night' })
  t.same(added.json(), {
    status: 'success',
    data: {
      _id: '1',
      path: '/api/**',
      status: 503,
      message: 'down for the night',
      matchCount: 0,
    },
  })
  for (const url of ['/materials', '/materials/m1', '/nowhere']) {
    const response = await send(app, url)
    t.equal(response.statusCode, 503, url)
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    t.equal(response.headers['retry-after'], '1')
    t.same(response.json(), {
      status: 'error',
      message: 'down for the night',
      data: { message: 'down for the night', code: 'FAULT_INJECTED' },
    })
  }
  t.match((await app.inject('/__admin/faults')).json().data, [{ _id: '1', matchCount: 3 }])
  t.equal((await app.inject({ method: 'DELETE', url: '/__admin/faults/1' })).statusCode, 200)
  t.equal((await send(app, '/materials', { headers: ANN })).statusCode, 200)
  t.match((await app.inject({ method: 'DELETE', url: '/__admin/faults/1' })).json().data, {
    code: 'FAULT_NOT_FOUND',
    message: 'there is no fault with _id "1"; GET /__admin/faults lists them',
  })
})

t.test('Retry-After depends on the status of the failure, unless the rule sets it', async (t) => {
  const app = await start(t)
  const cases: [fault: object, retryAfter: string | undefined][] = [
    [{ status: 429 }, '1'],
    [{ status: 503 }, '1'],
    [{ status: 429, retryAfter: 30 }, '30'],
    [{ status: 503, retryAfter: 0 }, '0'],
    [{ status: 500 }, undefined],
    [{ status: 404, retryAfter: 5 }, '5'],
  ]
  for (const [fault, retryAfter] of cases) {
    await addFault(app, { ...fault, times: 1 })
    const response = await send(app, '/materials')
    t.equal(response.headers['retry-after'], retryAfter, JSON.stringify(fault))
    t.match(response.json().message, /^an injected failure with status \d+$/)
  }
})

t.test('a rule for one account applies after a number of its requests', async (t) => {
  const app = await start(t)
  await addFault(app, { accountId: 'ann', after: 2, status: 401 })
  const statuses = async (headers: Record<string, string>) => {
    const result: number[] = []
    for (let count = 0; count < 4; count += 1)
      result.push((await send(app, '/materials', { headers })).statusCode)
    return result
  }
  t.same(await statuses(ANN), [200, 200, 401, 401])
  t.same(await statuses(BOB), [200, 200, 200, 200])
})

t.test('a rule that is wrong is rejected with a message that names the field', async (t) => {
  const app = await start(t)
  const cases: [fault: unknown, message: RegExp][] = [
    [{ statsu: 500 }, /^"statsu" is not known here, which has name, method, path, /],
    [{ status: 199 }, /^status must be an integer from 200 to 599, not 199$/],
    [{ status: '500' }, /^status must be an integer from 200 to 599, not "500"$/],
    [{ method: 'get', status: 500 }, /^method must be "GET" or .*, not "get"$/],
    [{ drop: 'rest' }, /^drop must be "reset" or "truncate" or "hang", not "rest"$/],
    [
      { delay: -1 },
      /delay must be an integer from 0 to 60000 or an object with min and max, not -1$/,
    ],
    [
      { delay: { min: 5 } },
      /^delay must be an integer from 0 to 60000 or an object with min and max, not /,
    ],
    [{ delay: { min: 5, max: 4 } }, /^delay\.min must be at most delay\.max, 4, not 5$/],
    [{ times: 0, status: 500 }, /^times must be an integer, 1 or more, not 0$/],
    [{}, /^a fault must have one of preset, delay, status, .*, drop, sequence$/],
    [{ path: '/api', force: true }, /^a fault must have one of preset, /],
    [{ preset: 'crash' }, /^preset must be "restivus-crash" or .*, not "crash"$/],
    [{ body: 'x' }, /^body must come with a status$/],
    [{ body: 'x', status: 204 }, /^body can't come with status 204, whose responses have no body$/],
    [{ body: 'x', status: 400, message: 'x' }, /^message can't come with a body, /],
    [{ preset: 'restivus-crash', message: 'x' }, /^message can't come with a body, /],
    [{ status: 200, message: 'x' }, /^message must come with a status from 400 on, not 200$/],
    [{ patch: { a: 1 }, status: 500 }, /^patch can't come with a status: it changes the real /],
    [{ patch: { $psh: { a: 1 } } }, /^patch\.\$psh is not supported; there are /],
    [{ patch: { a: 1 }, drop: 'reset' }, /^patch can't come with drop "reset", which sends no /],
    [{ bandwidth: 1, drop: 'truncate' }, /^bandwidth can't come with drop "truncate"$/],
    [{ headers: { 'Content-Type': 'x' } }, /^headers must not have Content-Type; use contentType$/],
    [{ headers: { 'a b': 'x' } }, /^headers\.a b must have the name of a header, not "a b"$/],
    [{ headers: { a: 'x\ny' } }, /^headers\.a must be the value of a header, .* not "x\\ny"$/],
    [{ headers: { a: 1 } }, /^headers\.a must be a string or an array of at most 50, not 1$/],
    [{ headers: { a: 'x', A: 'y' } }, /^headers must have a once$/],
    [
      { status: 503, retryAfter: 1, headers: { 'Retry-After': '2' } },
      /^retryAfter can't come with the header retry-after$/,
    ],
    [{ contentType: 'ä–', status: 500 }, /^contentType must be the value of a header/],
    [{ path: `/api/${'a'.repeat(1000)}`, status: 500 }, /^path must be a string of 1 to 1000 char/],
    [{ probability: 1.5, status: 500 }, /^probability must be a number above 0, and at most 1, /],
    [{ seed: 1, status: 500 }, /^seed must come with a probability$/],
    [{ ttl: 0, status: 500 }, /^ttl must be an integer from 1 to 86400000, not 0$/],
    [{ sequence: [], status: 500 }, /^sequence must be an array of 1 to 100 outcomes, not \[\]$/],
    [{ sequence: [{}], status: 500 }, /^status can't come with a sequence; put it into an /],
    [{ sequence: [{}], times: 2 }, /^times can't come with a sequence, whose outcomes have times$/],
    [{ sequence: [{}, { body: 1 }] }, /^sequence\[1\]\.body must come with a status$/],
    [{ sequence: [{ ttl: 1 }] }, /^"ttl" is not known in sequence\.0, which has times, preset, /],
    [{ match: { status: 500 }, drop: 'hang' }, /^match\.status is not a field of a request /],
    [
      { match: { 'headers.x-auth-token': 'ann-token' }, delay: 1 },
      /^match\.headers\.x-auth-token has a value that is masked in all requests; ask whether it is there with \$exists$/,
    ],
    [
      { match: { $or: [{ 'headers.X-Test': 'yes' }] }, delay: 1 },
      /^match\.headers\.X-Test must be headers\.x-test: the names of headers are in lower case$/,
    ],
    [
      { match: { headers: { 'X-A': 'b' } }, delay: 1 },
      /^match\.headers\.X-A must be headers\.x-a: the names of headers are in lower case$/,
    ],
    [
      { match: { method: { $not: { $eq: 'get' } } }, delay: 1 },
      /^match\.method must be a method in upper case, not "get"$/,
    ],
    [
      { match: { method: { $regex: '^get$' } }, delay: 1 },
      /^match\.method must be a method in upper case, which never meets \$regex "\^get\$"$/,
    ],
    [{ match: { method: { $exists: false } }, delay: 1 }, /^match matches no request$/],
    [{ match: { 'method.name': 'GET' }, delay: 1 }, /^match\.method\.name is not a field of a /],
    [{ match: { 'path.$x': 1, $foo: 1 }, delay: 1 }, /^match\.\$foo /],
    [{ match: { $where: '1' }, delay: 1 }, /^match\.\$where is not supported/],
    [{ message: 'x', delay: 1 }, /^message must come with a status$/],
    [{ retryAfter: 1, delay: 1 }, /^retryAfter must come with a status$/],
    [
      { drop: 'hang', status: 500 },
      /^status can't come with drop "hang", which sends no response$/,
    ],
    [{ path: '/materials', status: 500 }, /^path must match a path under \/api, .*"\/materials"$/],
    [{ path: '/__admin/**', status: 500 }, /^path must match a path under \/api/],
    [[], /^the body must be an object, not \[\]$/],
    [undefined, /^the body must be an object/],
  ]
  for (const [payload, message] of cases) {
    const response = await addFault(app, payload as object)
    t.equal(response.statusCode, 400, JSON.stringify(payload))
    t.match(response.json(), { message, data: { code: 'BODY_INVALID' } }, JSON.stringify(payload))
  }
  t.same((await app.inject('/__admin/faults')).json().data, [])
  for (const path of ['/api/**', '/api*/**', '**', '/*/2018-10-01/materials'])
    t.equal((await addFault(app, { path, status: 500 })).statusCode, 200, path)
})

t.test('a path without a route is refused with the closest one, unless it is forced', async (t) => {
  const app = await start(t)
  const cases: [path: string, closest: string | undefined][] = [
    ['/api/*/materials/m1/', undefined],
    ['/api/2018-10-01/m*/*', undefined],
    ['/api/**/login', undefined],
    ['/api', ''],
    ['/a*', ''],
    ['/api/2017-01-01/**', ''],
    ['/api/*/matirials', '; the closest one is /api/*/materials'],
    ['/api/**/matirials/import', '; the closest one is /api/**/materials/import'],
    ['/api/**/matirials', undefined], // which may be the _id of an item
    ['/api/*/matirials/m1', '; the closest one is /api/*/materials/m1'],
    [
      '/api/2018-10-01/matirials/QbA7yYP5XSiZheuS5/copy',
      '; the closest one is /api/2018-10-01/materials/QbA7yYP5XSiZheuS5/copy',
    ],
    ['/api/2018-10-01/logn', '; the closest one is /api/2018-10-01/login'],
    ['/api/2018-01-01/login', '; the closest one is /api/2018-10-01/login'],
  ]
  for (const [path, closest] of cases) {
    const { statusCode, body } = await addFault(app, { path, status: 500 })
    t.equal(statusCode, closest === undefined ? 200 : 400, path)
    if (closest === undefined) continue
    t.match(JSON.parse(body), {
      data: { code: 'BODY_INVALID' },
      message: `path must match the path of a route, or come with "force": true, not "${path}"${closest}`,
    })
    const forced = await addFault(app, { path, status: 500, force: true })
    t.match(forced.json().data, { path, force: true })
  }
  await app.inject({ method: 'PUT', url: '/__admin/sandboxes/one' })
  const headers = { 'x-mock-sandbox': 'one' }
  const payload = { path: '/api/*/matirials', status: 500 }
  const url = '/__admin/faults'
  t.equal((await app.inject({ method: 'POST', url, payload, headers })).statusCode, 400)
})

t.test('a Prefer header requests a failure and a delay, before any rule', async (t) => {
  const app = await startUnchecked(t)
  await addFault(app, { status: 418 })
  await addFault(app, { name: 'a "b"', match: { method: 'NONE' }, status: 410 })
  const cases: [prefer: string, status: number, applied: string | undefined, ms: number][] = [
    ['code=503', 503, 'code=503', 0],
    ['delay=60', 200, 'delay=60', 60],
    ['code=404, delay=40', 404, 'code=404, delay=40', 40],
    ['DELAY = "40" ; x="a,b", code="429"; y', 429, 'code=429, delay=40', 40],
    ['respond-async, wait=10, code=500,', 500, 'code=500', 0],
    ['code=500, code=501', 500, 'code=500', 0],
    ['fault=gateway-timeout', 504, 'fault=gateway-timeout', 0],
    ['fault="a \\"b\\"", delay=40', 410, 'fault="a \\"b\\"", delay=40', 40],
    ['return=minimal', 418, undefined, 0],
  ]
  const delays = hurryTimers(t)
  for (const [prefer, status, applied, ms] of cases) {
    delays.length = 0
    const response = await send(app, '/materials', { headers: { ...ANN, prefer } })
    t.equal(response.statusCode, status, prefer)
    t.equal(response.headers['preference-applied'], applied, prefer)
    // A delay is 1 ms longer, as a timer may be 1 ms early.
    t.same(delays, ms === 0 ? [] : [ms + 1], prefer)
  }
  const rejected: [prefer: string, message: RegExp][] = [
    ['code=200', /^Prefer: code must be an integer from 400 to 599, not "200"$/],
    ['code', /^Prefer: code must be an integer from 400 to 599, not ""$/],
    ['code=5e2', /not "5e2"$/],
    ['delay=60001', /^Prefer: delay must be an integer from 0 to 60000, not "60001"$/],
    ['delay=-1', /not "-1"$/],
    [
      'fault=x',
      /^Prefer: fault must be the name of a rule, or one of restivus-crash, .*, not "x"$/,
    ],
    ['fault=maintenance, code=500', /^Prefer must have a fault or a code, not both$/],
    ['code=500 delay=1', /^Prefer must be a list such as "code=503, delay=1500", not "code=500 /],
    ['code="500', /^Prefer must be a list/],
    [`x=${'y'.repeat(1000)}`, /^Prefer must have at most 1000 characters$/],
  ]
  for (const [prefer, message] of rejected) {
    const response = await send(app, '/materials', { headers: { ...ANN, prefer } })
    t.equal(response.statusCode, 400, prefer.slice(0, 40))
    t.equal(response.headers['preference-applied'], undefined)
    t.match(response.json(), { message, data: { code: 'PREFERENCE_INVALID' } })
  }
})

t.test('latency delays every request under /api that no rule delays', async (t) => {
  const app = await start(t, { latency: '300-320' })
  const delays = hurryTimers(t)
  for (const url of [`${BASE}/materials`, `${BASE}/login`, '/api', '/api/nowhere']) {
    await app.inject(url)
    t.match(delays.splice(0), { length: 1, 0: /^3(0[1-9]|1\d|2[01])$/ }, url)
  }
  await addFault(app, { delay: { min: 1, max: 5 }, times: 1 })
  await send(app, '/materials')
  t.match(delays.splice(0), { length: 1, 0: /^[2-6]$/ }, 'with a rule')
  await app.inject('/__admin/health')
  t.same(delays, [])
})

t.test('a request that is delayed until its sandbox has ended is not handled', async (t) => {
  for (const method of ['PUT', 'DELETE'] as const) {
    const app = await start(t)
    const sandbox = { url: '/__admin/sandboxes/s' }
    await app.inject({ ...sandbox, method: 'PUT' })
    app.sandboxes.find('s')?.faults.add({ path: '/api/**', delay: 50 })
    const url = `/sandboxes/s${BASE}/materials/create`
    const response = app.inject({ method: 'PUT', url, headers: ANN, payload: { name: 'lost' } })
    await waitFor(() => app.sandboxes.find('s')?.journal.size === 1)
    await app.inject({ ...sandbox, method })
    t.match((await response).json(), { message: /the sandbox ended/ }, method)
  }
})

t.test('a request that is delayed over a reset is not handled', async (t) => {
  const cases: [options: BuildOptions, fault: object | undefined, status: number][] = [
    [{}, { delay: 60_000 }, 409],
    [{ latency: 60_000 }, undefined, 409],
    [{}, { delay: 60_000, status: 503 }, 503],
  ]
  const { setTimeout } = globalThis
  let ends: (() => void)[] = []
  replace(t, globalThis, 'setTimeout', (end: () => void, ms: number) => {
    if (ms <= 60_000) return setTimeout(end, ms)
    ends.push(end)
    return undefined
  })
  for (const [options, fault, status] of cases) {
    ends = []
    const app = await start(t, options)
    if (fault !== undefined) await addFault(app, fault)
    const responses = (['DELETE', 'GET'] as const).map((method) =>
      send(app, '/materials/m1', { method, headers: ANN }),
    )
    await waitFor(() => ends.length === 2)
    await app.inject({ method: 'POST', url: '/__admin/reset' })
    for (const end of ends) end()
    t.same(
      (await Promise.all(responses)).map(({ statusCode }) => statusCode),
      [status, status],
    )
    t.equal(app.store.collections.get('materials')?.size, 1)
  }
})

t.test('no rule, Prefer or latency applies to the requests of the page', async (t) => {
  const app = await start(t, { latency: 60_000 })
  await addFault(app, { name: 'all fail', status: 503, delay: 60_000 })
  const page = { ...ANN, 'x-mock-page': 'true' }
  for (const headers of [page, { ...page, prefer: 'code=500, delay=60000' }]) {
    const response = await send(app, '/materials', { headers })
    t.equal(response.statusCode, 200)
    t.notOk('preference-applied' in response.headers)
  }
  t.match(await listFaults(app), [{ name: 'all fail', matchCount: 0 }])
})

t.test('a latency that is not a delay is rejected', async (t) => {
  const cases: [latency: string | number, message: RegExp][] = [
    ['200ms', /, the smaller number first, not "200ms"$/],
    [-1, /, not -1$/],
    [
      '500-100',
      /^latency must be milliseconds from 0 to 60000 such as 200, or 100-500, .*"500-100"$/,
    ],
    [60_001, /^latency must be milliseconds from 0 to 60000 .*, not 60001$/],
    ['0-60001', /, not "0-60001"$/],
  ]
  for (const [latency, message] of cases)
    await t.rejects(start(t, { latency }), { code: 'OPTIONS_INVALID', message })
})

t.test(
  'over a socket: a delay, a failure, a reset, a truncated body, a hanging request',
  async (t) => {
    const app = await start(t)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const whole = await requestOverSocket(app)
    const [head = '', body = ''] = whole.text.split('\r\n\r\n')
    t.equal(whole.ending, 'end')
    const length = /content-length: (\d+)/i.exec(head)?.[1]
    t.equal(length, String(body.length))

    await addFault(app, { delay: 150, times: 1 })
    const [delayed, ms] = await measure(() => requestOverSocket(app))
    t.equal(delayed.text.split('\r\n\r\n')[1], body)
    t.ok(ms >= 150, `it took ${ms} ms`)

    await addFault(app, { status: 429, retryAfter: 7, times: 1 })
    t.match(
      (await requestOverSocket(app)).text,
      /^HTTP\/1\.1 429 Too Many Requests\r\n.*retry-after: 7\r\n/s,
    )

    await addFault(app, { after: 1, status: 401, times: 1 })
    t.match((await requestOverSocket(app)).text, /^HTTP\/1\.1 200 /)
    t.match((await requestOverSocket(app)).text, /^HTTP\/1\.1 401 Unauthorized/)

    await addFault(app, { drop: 'reset', times: 1 })
    t.same(await requestOverSocket(app), { text: '', ending: 'ECONNRESET' })

    await addFault(app, { drop: 'truncate', times: 2 })
    const truncated = await requestOverSocket(app)
    const [truncatedHead = '', truncatedBody = ''] = truncated.text.split('\r\n\r\n')
    t.match(truncatedHead, /^HTTP\/1\.1 200 /)
    t.match(truncatedHead.toLowerCase(), `content-length: ${length}`)
    t.equal(truncatedBody, body.slice(0, body.length / 2))
    t.equal(truncated.ending, 'end')
    const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}${BASE}/materials`
    await t.rejects(
      fetch(url, { headers: ANN }).then((response) => response.text()),
      'fetch rejects an incomplete body',
    )

    await addFault(app, { drop: 'truncate', status: 500, times: 1 })
    t.match(
      (await requestOverSocket(app)).text,
      /^HTTP\/1\.1 500 .*\r\n\r\n{"status":"error"[^}]*$/s,
    )

    await addFault(app, { drop: 'hang', times: 1 })
    t.same(await requestOverSocket(app, '/materials', 400), { text: '', ending: 'timeout' })
    t.equal(
      (await requestOverSocket(app)).text.split('\r\n\r\n')[1],
      body,
      'the next request is not affected',
    )
  },
)

t.test(
  'a client that leaves during a delay has sent its request: it is done, and aborted',
  async (t) => {
    const app = await start(t)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}${BASE}/materials/m1`
    const large = { name: 'y'.repeat(20_000) } // parsed in slices
    const cases: [method: string, body: object | undefined, name: string][] = [
      ['PATCH', { name: 'renamed' }, 'renamed'],
      ['PATCH', large, large.name],
      ['GET', undefined, large.name],
    ]
    for (const [index, [method, body, name]] of cases.entries()) {
      await addFault(app, { delay: 60_000, times: 1 })
      const controller = new AbortController()
      const { signal } = controller
      const headers = { ...ANN, ...(body && { 'content-type': 'application/json' }) }
      const answer = fetch(url, {
        method,
        headers,
        signal,
        body: body ? JSON.stringify(body) : null,
      })
      await waitFor(() => app.controls.journal.findRecord(2 * index + 1)?.fault !== undefined)
      controller.abort()
      await t.rejects(answer, { name: 'AbortError' })
      const record = app.controls.journal.findRecord(2 * index + 1)
      await waitFor(() => record?.status !== undefined)
      t.match(record, { method, aborted: true, status: 200, fault: { delay: 60_000 } })
      const read = await app.inject({ url: `${BASE}/materials/m1`, headers: ANN })
      t.equal(read.json().data.name, name)
    }
    await addFault(app, { drop: 'reset', times: 1 })
    await t.rejects(
      fetch(url, {
        method: 'PATCH',
        headers: { ...ANN, 'content-type': 'application/json' },
        body: '{"name":"dropped"}',
      }),
    )
    t.match(app.controls.journal.findRecord(7), { fault: { drop: 'reset' } })
    t.notOk(app.controls.journal.findRecord(7)?.aborted, 'the fault has closed the connection')
    const read = await app.inject({ url: `${BASE}/materials/m1`, headers: ANN })
    t.equal(read.json().data.name, large.name, 'a drop comes before the work')
  },
)

t.test('a fault waits for the whole body', async (t) => {
  const app = await start(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  await addFault(app, { status: 503 })
  const socket = connect(port, '127.0.0.1')
  const type = 'Content-Type: application/json\r\nContent-Length: 12'
  socket.write(`PUT ${BASE}/materials/create HTTP/1.1\r\nHost: localhost\r\n${type}\r\n\r\n{"name"`)
  await waitFor(() => app.controls.journal.size === 1)
  t.equal(app.controls.journal.findRecord(1)?.fault, undefined)
  socket.write(':"x"}')
  await waitFor(() => app.controls.journal.findRecord(1)?.status === 503)
  socket.destroy()
})

t.test('a truncated HEAD closes the connection without a response', async (t) => {
  const app = await start(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  await addFault(app, { drop: 'truncate' })
  const { port } = app.server.address() as AddressInfo
  await t.rejects(
    fetch(`http://127.0.0.1:${port}${BASE}/materials`, { method: 'HEAD', headers: ANN }),
  )
})

t.test('a server closes at once, with delayed and hanging requests', async (t) => {
  const app = await start(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  await addFault(app, { drop: 'hang', times: 1 })
  await addFault(app, { delay: 60_000 })
  const hanging = requestOverSocket(app)
  await waitFor(async () => (await listFaults(app)).length === 1)
  const delayed = requestOverSocket(app)
  const injected = send(app, '/materials', { headers: ANN })
  await waitFor(async () => (await listFaults(app))[0]?.matchCount === 2)
  // Otherwise the close would destroy the connections after a while, without a response.
  await app.close()
  t.equal((await hanging).text, '')
  t.match((await delayed).text, /^HTTP\/1\.1 200 /)
  t.equal((await injected).statusCode, 200)
})

t.test('app.inject rejects a dropped request', async (t) => {
  const app = await start(t)
  for (const drop of ['reset', 'truncate']) {
    await addFault(app, { drop, times: 1 })
    await t.rejects(send(app, '/materials', { headers: ANN }), /destroyed/, drop)
  }
})

t.test('a preflight does not count for a rule, with and without CORS', async (t) => {
  for (const options of [{}, { cors: false }, { corsOrigin: 'http://localhost:1' }]) {
    const app = await start(t, options)
    await addFault(app, { status: 503, times: 1 })
    const headers = { origin: 'http://localhost:2', 'access-control-request-method': 'GET' }
    await app.inject({ method: 'OPTIONS', url: `${BASE}/materials`, headers })
    t.match(await listFaults(app), [{ matchCount: 0 }], JSON.stringify(options))
    t.equal((await send(app, '/materials')).statusCode, 503)
  }
})

t.test('a rule matches a path in every spelling', async (t) => {
  const app = await start(t)
  await addFault(app, { status: 503 })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  for (const path of [`/%61pi${BASE.slice(4)}/materials`, `http://localhost${BASE}/materials`]) {
    const text = await sendBytes(
      port,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:3000\r\nConnection: close\r\n\r\n`,
    )
    t.match(text, /^HTTP\/1\.1 503 .*^access-control-allow-origin: http:.*\r$/ims, path)
  }
})

t.test('a rule answers with any status, headers and body', async (t) => {
  const app = await startUnchecked(t)
  const json = 'application/json; charset=utf-8'
  const cases: [fault: object, status: number, type: string | undefined, text: string][] = [
    [{ status: 200, body: { data: [] } }, 200, json, '{"data":[]}'],
    [{ status: 200, body: null }, 200, json, 'null'],
    [{ status: 200 }, 200, undefined, ''],
    [{ status: 204 }, 204, undefined, ''],
    [{ status: 302, headers: { Location: '/x' } }, 302, undefined, ''],
    [{ status: 502, body: '<h1>', contentType: 'text/html' }, 502, 'text/html', '<h1>'],
    [{ status: 418, body: 'ä' }, 418, 'text/plain; charset=utf-8', 'ä'],
    [{ preset: 'restivus-crash' }, 500, 'text/html', 'Server error.'],
    [{ preset: 'restivus-crash', status: 501 }, 501, 'text/html', 'Server error.'],
  ]
  for (const [fault, status, type, text] of cases) {
    await addFault(app, { ...fault, times: 1 })
    const response = await send(app, '/materials')
    t.same(
      [response.statusCode, response.headers['content-type'], response.body],
      [status, type, text],
      JSON.stringify(fault),
    )
  }
  await addFault(app, { headers: { 'X-A': ['1', '2'] }, contentType: 'text/html', times: 1 })
  const real = await send(app, '/materials/m1', { headers: ANN })
  t.match(real.headers, { 'x-a': ['1', '2'], 'content-type': 'text/html' })
  t.match(real.json(), { data: { _id: 'm1' } })
  t.match((await app.inject('/__admin/requests')).json().data[0], {
    fault: { rule: '10', headers: ['x-a', 'content-type'] },
    response: { headers: { 'content-type': 'text/html' } },
  })
})

t.test('every preset has an effect', async (t) => {
  const app = await startUnchecked(t)
  const results = new Map<string, unknown[]>()
  for (const preset of PRESET_NAMES) {
    const headers = { ...ANN, prefer: `fault=${preset}, delay=0` }
    const response = await send(app, '/materials', { headers })
    const { 'content-type': type, 'retry-after': retryAfter } = response.headers
    results.set(preset, [response.statusCode, String(type).split(';')[0], retryAfter])
  }
  t.same(Object.fromEntries(results), {
    'restivus-crash': [500, 'text/html', undefined],
    'bad-gateway': [502, 'text/html', undefined],
    'gateway-timeout': [504, 'text/html', undefined],
    maintenance: [503, 'text/html', '120'],
    'session-expired': [401, 'application/json', undefined],
    'rate-limit': [429, 'application/json', '10'],
    'login-page': [200, 'text/html', undefined],
    'slow-3g': [200, 'application/json', undefined],
  })
  t.match((await app.inject('/__admin/requests')).json().data[0].fault, {
    rule: null,
    preset: 'slow-3g',
    delay: 0,
    bandwidth: 50_000,
  })
})

t.test('a patch changes the JSON of the real response', async (t) => {
  const materials = ['a', 'b', 'c'].map((_id) => ({ _id, formula: _id === 'b' ? 'Si' : 'Ge' }))
  const app = await startUnchecked(t, { fixtures: { ...FIXTURES, materials } })
  const list = async () => await send(app, '/materials', { headers: ANN })
  const cases: [patch: object, data: unknown][] = [
    [{ $pull: { data: { formula: 'Si' } } }, [{ _id: 'a' }, { _id: 'c' }]],
    [{ $pop: { data: 1 } }, [{ _id: 'a' }, { _id: 'b' }]],
    [{ 'data.0.formula': 7 }, [{ formula: 7 }, { formula: 'Si' }, { formula: 'Ge' }]],
    [
      { $unset: { 'data.$[x].formula': 1 }, arrayFilters: [{ 'x._id': 'c' }] },
      [{ _id: 'a' }, { _id: 'b' }, { _id: 'c', formula: undefined }],
    ],
    [{ $rename: { data: 'items' } }, undefined],
  ]
  for (const [patch, data] of cases) {
    await addFault(app, { patch, times: 1 })
    const response = await list()
    t.equal(response.statusCode, 200)
    t.match(response.json().data, data, JSON.stringify(patch))
    t.equal(response.headers['content-length'], String(response.body.length))
  }
  t.match((await app.inject('/__admin/requests')).json().data[0], {
    fault: { rule: '5', patch: true },
    response: { body: { items: [{}, {}, {}] } },
  })
  await addFault(app, { patch: { $pop: { 'data.0.formula': 1 } }, times: 1 })
  t.match((await list()).json(), {
    message: /^the fault "6" can't be applied: patch\.\$pop\.data\.0\.formula must /,
    data: { code: 'FAULT_FAILED' },
  })
  await addFault(app, { patch: { $pop: { data: 1 } }, times: 1 })
  const rejected = await send(app, '/materials', { headers: { 'x-account-id': 'bob' } })
  t.equal(rejected.statusCode, 500, 'a patch of a list meets an error')
  t.match(rejected.json(), {
    status: 'error',
    message: /^the fault "7" can't be applied: patch\.\$pop\.data must apply to an array, not \{/,
    data: { code: 'FAULT_FAILED' },
  })
})

/** Returns a body that is sent without its length. */
const chunked = (text: string) => new Blob([text]).stream()

t.test('a match of the body is decided before auth, and the body is still read', async (t) => {
  const app = await startUnchecked(t, { journalBody: 65_536 })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  await addFault(app, { match: { 'body.name': 'bad' }, status: 503 })
  await addFault(app, { match: { 'body.username': 'ann' }, status: 429, times: 1 })
  type Body = NonNullable<RequestInit['body']>
  const sendBody = (path: string, headers: Record<string, string>, body: Body) =>
    fetch(`http://127.0.0.1:${port}${BASE}${path}`, {
      method: path === '/login' ? 'POST' : 'PUT',
      headers,
      body,
      ...(typeof body !== 'string' && { duplex: 'half' }),
    } as RequestInit)
  const json = { 'content-type': 'application/json' }
  const cases: [path: string, headers: Record<string, string>, body: Body, status: number][] = [
    ['/materials/create', { ...ANN, ...json }, '{"name": "bad"}', 503],
    ['/materials/create', { ...ANN, ...json }, chunked('{"name": "bad"}'), 503],
    ['/materials/create', json, '{"name": "bad"}', 503],
    ['/nowhere', json, '{"name": "bad"}', 503],
    ['/materials/create', json, '{"name": "good"}', 401],
    ['/materials/create', { ...ANN, ...json }, '{"name": "good"}', 200],
    ['/materials/create', { ...ANN, ...json }, chunked('{"name": "good"}'), 200],
    ['/materials/create', { ...ANN, ...json }, JSON.stringify({ name: 'x'.repeat(200_000) }), 200],
    ['/materials/create', { ...ANN, ...json }, chunked(`{"name": "${'x'.repeat(200_000)}"}`), 200],
    ['/materials/create', json, chunked(`{"name": "${'x'.repeat(200_000)}"}`), 401],
    ['/materials/create', { ...ANN, ...json }, '', 400],
    ['/materials/create', { ...ANN, ...json }, '{', 400],
    ['/login', {}, new URLSearchParams({ username: 'ann', password: 'x' }), 429],
    ['/login', {}, new URLSearchParams({ username: 'ann', password: 'x' }), 200],
  ]
  for (const [index, [path, headers, body, status]] of cases.entries()) {
    const response = await sendBody(path, headers, body)
    t.equal(response.status, status, `case ${index}`)
    await response.text()
  }
  const recorded = (await app.inject('/__admin/requests')).json().data.toReversed()
  t.same(recorded[2].body, { name: 'bad' })
  t.same(recorded[4].body, { name: 'good' })
  t.match(recorded[9].body, { tooLong: /./ })
})

t.test('a bandwidth slows the body down, and a close does not wait for it', async (t) => {
  const app = await startUnchecked(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  await addFault(app, { bandwidth: 5000, times: 2 })
  const [whole, ms] = await measure(() => requestOverSocket(app))
  const [head = '', body = ''] = whole.text.split('\r\n\r\n')
  t.equal(/content-length: (\d+)/i.exec(head)?.[1], String(body.length))
  t.ok(ms >= body.length / 5, `${body.length} bytes took ${ms} ms`)
  const head2 = await send(app, '/materials', { method: 'HEAD', headers: ANN })
  t.equal(head2.headers['content-length'], String(body.length))
  await addFault(app, { bandwidth: 1 })
  const slow = requestOverSocket(app)
  await waitFor(async () => (await listFaults(app))[0]?.matchCount === 1)
  await app.close()
  t.equal((await slow).text.split('\r\n\r\n')[1], body)
})

t.test('a close sends the rest of a large body at once', async (t) => {
  const materials = [{ _id: 'm1', name: 'x'.repeat(3_000_000) }]
  const app = await startUnchecked(t, { fixtures: { ...FIXTURES, materials } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  await addFault(app, { bandwidth: 1 })
  const slow = requestOverSocket(app)
  await waitFor(async () => (await listFaults(app))[0]?.matchCount === 1)
  await app.close()
  t.ok((await slow).text.length > 3_000_000)
})
