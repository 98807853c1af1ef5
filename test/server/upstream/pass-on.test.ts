import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import fastify from 'fastify'
import t from 'tap'
import type { Test } from 'tap'

import { AnswerRecorder } from '../../../src/fixtures/answer-recorder.js'
import { sendFailure } from '../../../src/http/envelope.js'
import { startMock } from '../../../src/mock/start-mock.js'
import { buildApp } from '../../../src/server/app.js'
import type { BuildOptions } from '../../../src/server/app.js'
import { createPassOn } from '../../../src/server/upstream/pass-on.js'
import { BASE, waitFor } from '../../helpers/build.js'
import { replace } from '../../helpers/replace.js'
import { sendBytes } from '../../helpers/send-bytes.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token-of-the-mock'] }],
  materials: [{ _id: 'm1', formula: 'Si' }],
}
const HEADERS = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token-of-the-mock' }

/** What a deployment has received. */
interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Starts a server that records what it receives. */
async function startServer(t: Test, answer: (request: Received, response: ServerResponse) => void) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, url, headers } = request
    received.push({ method, url, headers, body })
    answer({ method, url, headers, body }, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function start(t: Test, options: BuildOptions) {
  const mock = await startMock({ fixtures: FIXTURES, logLevel: 'silent', ...options })
  t.teardown(() => mock.close())
  return mock
}

const sendJson = (response: ServerResponse, value: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

t.test('what the mock has no route for is passed on, and is marked', async (t) => {
  const { received, url } = await startServer(t, (_request, response) => {
    response.setHeader('access-control-allow-origin', 'https://elsewhere.example')
    response.setHeader('connection', 'x-hop')
    response.setHeader('x-hop', 'no')
    response.setHeader('x-materials-mock-upstream', 'https://elsewhere.example')
    response.setHeader('x-kept', 'yes')
    response.setHeader('vary', 'Origin, Accept')
    sendJson(response, { status: 'success', data: 'from upstream' }, 201)
  })
  const mock = await start(t, { upstream: `${url}${BASE}` })
  const response = await fetch(`${mock.url}${BASE}/bank-materials/copy?a=%2F+b&a=c`, {
    method: 'POST',
    headers: { ...HEADERS, 'content-type': 'text/plain', te: 'trailers' },
    body: 'any body',
  })
  t.equal(response.status, 201)
  t.same(await response.json(), { status: 'success', data: 'from upstream' })
  t.equal(response.headers.get('x-materials-mock-upstream'), url)
  t.equal(response.headers.get('x-kept'), 'yes')
  t.equal(response.headers.get('vary'), 'Origin, Accept')
  t.equal(response.headers.get('x-hop'), null)
  t.not(response.headers.get('access-control-allow-origin'), 'https://elsewhere.example')
  t.match(received, [
    {
      method: 'POST',
      url: `${BASE}/bank-materials/copy?a=%2F+b&a=c`,
      headers: { ...HEADERS, 'content-type': 'text/plain', host: new URL(url).host },
      body: 'any body',
    },
  ])
  const { headers } = received[0] as Received
  for (const name of ['te', 'transfer-encoding']) t.notOk(headers[name], name)
  const [record] = await mock.requests()
  t.match(record, { upstream: url, status: 201, path: `${BASE}/bank-materials/copy` })
})

t.test('what the mock has a route for stays with it, and so do the controls', async (t) => {
  const { received, url } = await startServer(t, (_request, response) => sendJson(response, {}))
  const mock = await start(t, { upstream: url })
  for (const [method, path, status] of [
    ['GET', `${BASE}/materials`, 200],
    ['GET', `${BASE}/materials/none`, 404],
    ['POST', `${BASE}/materials/m1`, 405],
    ['GET', '/__admin/health', 200],
    ['GET', '/__admin/nothing', 404],
    ['GET', '/oidc/nothing', 404],
    ['GET', '/%6Fidc%2Fnothing', 404],
    ['GET', '/%2E%2Foidc/nothing', 404],
  ] as const) {
    const response = await mock.fetch(path, { method, headers: HEADERS })
    t.equal(response.status, status, path)
    t.equal(response.headers.get('x-materials-mock-upstream'), null, path)
  }
  t.same(received, [])
  t.match(await mock.requests({ upstream: null }), { length: 6 })
})

t.test('without the option nothing is passed on', async (t) => {
  const mock = await start(t, {})
  const response = await mock.fetch(`${BASE}/nothing`)
  t.equal(response.status, 404)
})

t.test('a deployment that does not answer is a 502 in the envelope', async (t) => {
  const closed = createTcpServer((socket) => socket.destroy())
  await once(closed.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => closed.close())
  const port = (closed.address() as AddressInfo).port
  for (const [upstream, reason] of [
    ['http://127.0.0.1:1', 'nothing listens there'],
    [`http://127.0.0.1:${port}`, /closed the connection|socket hang up/],
    ['http://no-such-host.invalid', /there is no such host|EAI_AGAIN/],
  ] as const) {
    const mock = await start(t, { upstream })
    const response = await mock.fetch(`${BASE}/nothing`)
    t.equal(response.status, 502)
    t.match(await response.json(), {
      status: 'error',
      message: reason,
      data: { code: 'UPSTREAM_FAILED', message: `the upstream ${upstream} did not answer: ` },
    })
  }
})

t.test('no answer of a deployment ends the server, and each request gets an answer', async (t) => {
  const answers: Readonly<Record<string, string>> = {
    status: 'HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nhi',
    zero: 'HTTP/1.1 000 Odd\r\nContent-Length: 2\r\n\r\nhi',
    upgrade: 'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\nhi',
    continue: 'HTTP/1.1 100 Continue\r\n\r\n',
    control: 'HTTP/1.1 200 OK\r\nX-A: a\x01b\r\nContent-Length: 2\r\n\r\nhi',
    headers: `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}\r\nContent-Length: 2\r\n\r\nhi`,
    lengths: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    noise: '\0\x01noise\r\n\r\n',
    redirect: 'HTTP/1.1 302 Found\r\nLocation: /api/none/redirect\r\nContent-Length: 0\r\n\r\n',
    empty: 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nhi',
    chunks: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n',
    cut: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n',
    closes: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi', // without Connection: close
  }
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (data) => {
      const name = /none\/(\w+)/.exec(data.toString())?.[1] ?? ''
      socket.write(answers[name] ?? '', 'latin1')
      setImmediate(() => socket.end())
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const mock = await start(t, { upstream })
  const statusOf = async (name: string) =>
    (await fetch(`${mock.url}/api/none/${name}`, { redirect: 'manual' })).status
  t.match(mock.faults.add({ path: '/api/none/fails', times: 1, status: 503 }), { matchCount: 0 })
  t.equal(await statusOf('fails'), 503, 'a fault may be for any path that is passed on')
  const expected: Record<string, number> = { redirect: 302, empty: 204, closes: 200 }
  for (const name of [...Object.keys(answers), 'closes'])
    t.equal(await statusOf(name), expected[name] ?? 502, name)
  t.match(await mock.requests({ path: '/api/none/status' }), [
    { response: { body: { message: /its status is 999, not one from 200 to 599$/ } } },
  ])
})

t.test('a deployment that is silent is a 502, however long it is connected', async (t) => {
  const silent = createTcpServer((socket) => socket.on('error', () => undefined))
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => silent.close())
  const upstream = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const app = fastify()
  t.teardown(() => app.close())
  const passOn = createPassOn({ upstream, timeoutMs: 50 })
  app.setErrorHandler(sendFailure)
  app.setNotFoundHandler((request, reply) => void passOn(request, reply))
  t.match(await app.inject('/api/none'), { statusCode: 502, body: /it was silent for 50 ms/ })
})

t.test('a request target that is a URL is passed on by its path alone', async (t) => {
  const { received, url } = await startServer(t, (_request, response) => sendJson(response, {}))
  const mock = await start(t, { upstream: url })
  const port = Number(new URL(mock.url).port)
  for (const [target, status] of [
    ['http://elsewhere.invalid/api/none?a=b', 200],
    ['ftp://elsewhere.invalid/api/none', 400],
  ] as const) {
    const answer = await sendBytes(
      port,
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    )
    t.match(answer, `HTTP/1.1 ${status} `, target)
  }
  t.same(
    received.map((each) => each.url),
    ['/api/none?a=b'],
  )
})

t.test('a request that comes back is refused', async (t) => {
  let target = ''
  const back = await startServer(t, async ({ url = '', headers }, response) => {
    const hops = String(headers['x-materials-mock-hops'])
    const answer = await fetch(target + url, { headers: { 'x-materials-mock-hops': hops } })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(await answer.text())
  })
  const mock = await start(t, { upstream: back.url })
  target = mock.url
  const response = await fetch(`${mock.url}${BASE}/nothing`)
  t.equal(response.status, 502)
  t.match((await response.json()) as object, {
    message: /it passes the request back to this server/,
  })
  t.equal(back.received.length, 1)
})

t.test('faults change what a deployment sends, whatever its encoding', async (t) => {
  const list = '{"data": [1, 2]}'
  const answers: Readonly<Record<string, [OutgoingHttpHeaders, Buffer | string, number?]>> = {
    plain: [{ 'content-type': 'application/json' }, list],
    gzip: [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, gzipSync(list)],
    brotli: [
      { 'content-type': 'application/vnd.api+json', 'content-encoding': 'br' },
      brotliCompressSync(list),
    ],
    zstd: [{ 'content-type': 'application/json', 'content-encoding': 'zstd' }, 'x'],
    corrupt: [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'x'],
    page: [{ 'content-type': 'text/html' }, '<p>'],
    untyped: [{}, list],
    half: [{ 'content-type': 'application/json' }, '{"data'],
    failed: [{ 'content-type': 'application/json' }, '{"message": "boom"}', 503],
    none: [{}, '', 204],
  }
  const { url } = await startServer(t, (request, response) => {
    const [headers, body, status = 200] = answers[request.url?.split('/').at(-1) ?? ''] ?? [{}, '']
    if (request.url?.endsWith('cut') === true) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 9 })
      return void response.write('{', () => response.destroy())
    }
    response.writeHead(status, headers).end(body)
  })
  const mock = await start(t, { upstream: url })
  const cases: [name: string, status: number, body: RegExp][] = [
    ['plain', 200, /^\{"data":\[1\]\}$/],
    ['gzip', 200, /^\{"data":\[1\]\}$/],
    ['brotli', 200, /^\{"data":\[1\]\}$/],
    ['zstd', 500, /patch needs a content-encoding of gzip, deflate or br, not zstd/],
    ['corrupt', 500, /patch can't decode the gzip of the response: /],
    ['page', 500, /patch needs a response of JSON, not text\/html/],
    ['untyped', 500, /patch needs a response of JSON, and this one has no content type/],
    ['half', 500, /the response is not JSON/],
    ['failed', 503, /^\{"message":"boom"\}$/],
    ['none', 204, /^$/],
    // The connection ends before the body does.
    ['cut', 500, /the response could not be read: .* the server closed the connection/],
  ]
  mock.faults.add({ patch: { $pop: { data: 1 } } })
  for (const [name, status, body] of cases) {
    const response = await fetch(`${mock.url}/api/2018-10-01/of/${name}`)
    t.equal(response.status, status, name)
    t.match(await response.text(), body, name)
  }
  mock.faults.clear()
  mock.faults.add({ drop: 'truncate' })
  const truncated = await sendBytes(
    Number(new URL(mock.url).port),
    'GET /api/2018-10-01/of/plain HTTP/1.1\r\nHost: localhost\r\n\r\n',
  )
  t.match(truncated, /content-length: 16\r\n(.*\r\n)*\r\n\{"data":$/)
})

t.test('wrong options are named', async (t) => {
  const cases: [options: BuildOptions, message: string | RegExp][] = [
    [
      { upstream: 'http://localhost:4000/api/2018-10-01' },
      /^--upstream must be another server than this one, not http:\/\/localhost:4000/,
    ],
    [{ upstream: 'ftp://host' }, /^upstream must be the URL of a server such as https:\/\/host/],
    [{ upstream: 'https://a:b@host' }, /without user and parameters/],
    [{ upstreamRecord: 'x' }, 'give --upstream, too; --upstream-record keeps its answers'],
  ]
  for (const [options, message] of cases)
    await t.rejects(buildApp(options), { code: 'OPTIONS_INVALID', message })
})

t.test('an answer that can not be kept is told, and none stops the server', async (t) => {
  const deep = '['.repeat(50_000) + ']'.repeat(50_000)
  const { url } = await startServer(t, ({ url: path = '' }, response) => {
    // A quadratic search for parameters would take minutes.
    const item = { _id: 'a', name: '?'.repeat(300_000) }
    if (path.endsWith('/things')) return sendJson(response, { status: 'success', data: item })
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"status": "success", "data": {"_id": "x", "a": ${deep}}}`)
  })
  const directory = join(t.testdir({}), 'kept')
  const mock = await start(t, { upstream: url, upstreamRecord: directory })
  const errors: unknown[] = []
  replace(t, mock.app.log, 'error', (message: unknown) => void errors.push(message))
  for (const path of ['/api/none/deep', '/api/none/things']) {
    const response = await mock.fetch(path)
    t.equal(response.status, 200)
    await response.text()
  }
  await mock.close()
  t.same(errors, ['/api/none/deep is not recorded: body must have at most 100 levels of JSON'])
  t.match(readFileSync(join(directory, 'things.jsonl'), 'utf8'), /^\{"_id":"a","name":"\?{300000}"/)
})

t.test('the items of answers are kept as fixtures', async (t) => {
  const items = [
    { _id: 'p1', name: 'one', apiToken: 'secret-1', note: HEADERS['x-auth-token'] },
    { _id: 'p2', name: 'two' },
  ]
  const { url } = await startServer(t, ({ url: path = '' }, response) => {
    if (path.endsWith('/p2')) sendJson(response, { status: 'success', data: { ...items[1], n: 1 } })
    else if (path.includes('/things')) sendJson(response, { status: 'success', data: items })
    else if (path.includes('/broken')) response.end('<html>')
    else sendJson(response, { status: 'success', data: ['no item'] })
  })
  const directory = join(t.testdir({ kept: {} }), 'kept')
  writeFileSync(join(directory, 'things.jsonl'), '{"_id":"p0"}\n')
  const mock = await start(t, { upstream: url, upstreamRecord: directory })
  const get = async (path: string) => (await mock.fetch(BASE + path, { headers: HEADERS })).text()
  const fields = encodeURIComponent('{"fields": {"name": 1}}')
  for (const path of [
    '/things',
    '/things/p2',
    '/broken',
    '/texts',
    `/parts/things?projection=${fields}`,
  ])
    await get(path)
  t.match(await get('/things'), 'secret-1', 'the answer itself stays as it is')
  const file = join(directory, 'things.jsonl')
  await mock.close()
  const kept = readFileSync(file, 'utf8')
  t.same(
    kept
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [{ _id: 'p0' }, { ...items[0], apiToken: '***', note: '***' }, items[1]],
  )
  for (const name of ['broken', 'texts', 'parts'])
    t.notOk(existsSync(join(directory, `${name}.jsonl`)))
  const second = await start(t, { fixtures: directory })
  await waitFor(() => second.app.store.collections.get('things')?.size === 3)
})

t.test(
  'an answer is recorded when the client has it, whatever ends the process then',
  async (t) => {
    const { url } = await startServer(t, ({ url: path = '' }, response) => {
      const page = Number(new URL(path, 'http://x').searchParams.get('page'))
      const data = ['a', 'b'].map((name) => ({ _id: `${name}${page}`, text: 'x'.repeat(50_000) }))
      sendJson(response, { status: 'success', data: [...data, { _id: 'last', page }] })
    })
    const root = t.testdir({ kept: { 'things.jsonl': '{"_id":"last"}\n{"_id":"first"}\n' } })
    const directory = join(root, 'kept')
    const mock = await start(t, { upstream: url, upstreamRecord: directory })
    const written: number[] = []
    for (let page = 1; page <= 30; page += 1) {
      await (await mock.fetch(`${BASE}/things?page=${page}`)).text()
      written.push(statSync(join(directory, 'recording.log')).size)
    }
    const lengths = written.map((size, index) => size - (written[index - 1] ?? 0))
    t.ok(Math.max(...lengths) - Math.min(...lengths) < 10, `each writes itself: ${lengths}`)
    t.equal(readFileSync(join(directory, 'things.jsonl'), 'utf8').length, 31, 'the file is not')

    // What a killed server leaves, which has begun to write another line.
    const left = join(root, 'left')
    cpSync(directory, left, { recursive: true })
    rmSync(join(left, 'server-1.lock'))
    appendFileSync(join(left, 'recording.log'), '{"resource":"things","item":{"_id":"cut"')
    await mock.close()
    const ids = ['last', 'first', ...written.flatMap((_, page) => [`a${page + 1}`, `b${page + 1}`])]
    const list = async (folder: string) =>
      (await start(t, { fixtures: folder })).app.store.collections.get('things')?.shareEntries()
    for (const folder of [directory, left]) {
      const items = (await list(folder))?.map(({ item }) => item)
      t.same(
        items?.map(({ _id }) => _id),
        ids,
      )
      t.equal(items?.[0]?.page, 30, 'the newest')
    }
    await (await start(t, { upstream: url, upstreamRecord: left })).close()
    t.same(readdirSync(left), ['things.jsonl'])
    t.same(readFileSync(join(left, 'things.jsonl')), readFileSync(join(directory, 'things.jsonl')))
  },
)

t.test('a log of many changes is written anew', async (t) => {
  const name = 'x'.repeat(2 ** 20)
  let count = 0
  const { url } = await startServer(t, (_, response) =>
    sendJson(response, { status: 'success', data: { _id: 'a', count: count++, name } }),
  )
  const directory = join(t.testdir({}), 'kept')
  const mock = await start(t, { upstream: url, upstreamRecord: directory })
  for (let each = 0; each < 12; each += 1) await (await mock.fetch(`${BASE}/things/a`)).text()
  const size = statSync(join(directory, 'recording.log')).size
  t.ok(size < 4 * 2 ** 20, `${size} bytes`)
  t.ok(statSync(join(directory, 'things.jsonl')).size > 2 ** 20)
})

t.test('a large answer of many cookies is read in steps', async (t) => {
  const work: number[] = []
  const scheduler = {
    async run(steps: Iterable<unknown>) {
      work.push([...steps].length)
      return []
    },
  }
  const directory = join(t.testdir({}), 'kept')
  const recorder = await AnswerRecorder.open(directory, scheduler as never, t.fail)
  const item = { _id: 'a', values: Array.from({ length: 20_000 }, (_, index) => [index, 'a']) }
  const data = Array.from({ length: 16 }, (_, index) => ({ ...item, _id: `${index}` }))
  const body = Buffer.from(JSON.stringify({ status: 'success', data }))
  await recorder.record({ url: `${BASE}/things`, secrets: ['a-secret'], body })
  await recorder.close()
  t.ok(body.length > 3 * 2 ** 20)
  t.ok((work[0] ?? 0) > 900, `${work} steps`)
})

t.test('a folder keeps the answers of one server at a time', async (t) => {
  const upstreamRecord = join(t.testdir({}), 'kept')
  const options = { fixtures: FIXTURES, upstream: 'http://127.0.0.1:9', upstreamRecord }
  // A start that fails for another reason does not keep the lock.
  const fixtures = { ...FIXTURES, scenarios: { one: { seed: { sets: [{ _id: 5 }] } } } }
  await t.rejects(startMock({ ...options, fixtures }), { code: 'FIXTURES_INVALID' })
  writeFileSync(join(upstreamRecord, 'things.json'), '[]')
  await t.rejects(buildApp(options), { message: /^move .*things\.json away/ })
  rmSync(join(upstreamRecord, 'things.json'))
  const first = await start(t, options)
  await t.rejects(buildApp(options), {
    code: 'STATE_INVALID',
    message: `the folder ${upstreamRecord} is used by another materials-mock; stop it, or give another folder`,
  })
  await first.close()
  t.same(readdirSync(upstreamRecord), [])
})

t.test('answers that can not be written are written later, or logged as lost', async (t) => {
  const { url } = await startServer(t, ({ url: path = '' }, response) =>
    sendJson(response, { status: 'success', data: { _id: path.slice(-1) } }),
  )
  const upstreamRecord = join(t.testdir({}), 'kept')
  const lines: string[] = []
  async function startRecording() {
    const mock = await start(t, { upstream: url, upstreamRecord })
    lines.length = 0
    replace(t, mock.app.log, 'error', (line: string) => void lines.push(line))
    return mock
  }
  const first = await startRecording()
  rmSync(upstreamRecord, { recursive: true })
  await (await first.fetch(`${BASE}/things/1`)).text()
  await waitFor(() => lines.length > 0)
  t.match(lines, [
    /^answers can't be recorded to .*kept: ENOENT.*; it is tried again with the next answer$/,
  ])
  mkdirSync(upstreamRecord)
  await (await first.fetch(`${BASE}/parts/2`)).text()
  for (const file of ['things.jsonl', 'parts.jsonl'])
    await waitFor(() => existsSync(join(upstreamRecord, file)))
  rmSync(upstreamRecord, { recursive: true }) // perhaps while the name of parts.jsonl is made durable
  await (await first.fetch(`${BASE}/things/3`)).text()
  await waitFor(() => lines.length > 1)
  mkdirSync(upstreamRecord)
  await first.close()
  const kept = readFileSync(join(upstreamRecord, 'things.jsonl'), 'utf8')
  t.equal(kept, '{"_id":"1"}\n{"_id":"3"}\n')
  t.equal(lines.length, 2)

  const second = await startRecording()
  writeFileSync(join(upstreamRecord, 'server-1.lock'), 'of another server')
  await (await second.fetch(`${BASE}/things/4`)).text()
  await waitFor(() => lines.length > 0)
  await second.close()
  t.match(lines, [
    /has taken the folder over; it is tried again/,
    /has taken the folder over; the last items are lost$/,
  ])
  t.equal(readFileSync(join(upstreamRecord, 'things.jsonl'), 'utf8'), kept)
})

/** Sends one request to an upstream over a connection, and returns the bytes that the upstream receives. */
async function passOnBytes(t: Test, bytes: string): Promise<string> {
  let received = ''
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.setEncoding('latin1').on('data', (data) => (received += data))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const mock = await start(t, { upstream })
  const socket = connect(Number(new URL(mock.url).port), '127.0.0.1', () => socket.write(bytes))
  await waitFor(() => received.includes('smuggled') || received.endsWith('\r\n\r\n'))
  socket.destroy()
  await mock.close()
  server.close()
  return received
}

t.test('a body is framed for the upstream as it was sent, whatever the method', async (t) => {
  const body = 'GET /smuggled'
  const hex = body.length.toString(16)
  for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PATCH']) {
    const head = `${method} /api/none HTTP/1.1\r\nHost: localhost\r\n`
    const chunked = await passOnBytes(
      t,
      `${head}Connection: transfer-encoding\r\nTransfer-Encoding: chunked\r\n\r\n${hex}\r\n${body}\r\n0\r\n\r\n`,
    )
    t.match(chunked, /^transfer-encoding: chunked\r$/im, method)
    t.notMatch(chunked, /^content-length/im, method)
    t.match(chunked, `\r\n\r\n${hex}\r\n${body}\r\n`, method)
    const sized = await passOnBytes(
      t,
      `${head}Connection: content-length\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    t.match(sized, new RegExp(`^content-length: ${body.length}\r$`, 'im'), method)
    t.notMatch(sized, /^transfer-encoding/im, method)
    t.match(sized, `\r\n\r\n${body}`, method)
    const none = await passOnBytes(t, `${head}\r\n`)
    t.notMatch(none, /^transfer-encoding/im, method)
  }
})

t.test('a path is normalized before it is compared or passed on', async (t) => {
  const { received, url } = await startServer(t, (_request, response) => sendJson(response, {}))
  const mock = await start(t, { upstream: `${url}/below` })
  const port = Number(new URL(mock.url).port)
  const cases: [target: string, status: number, passedOn: string | undefined][] = [
    ['/%5F_admin/nothing', 404, undefined],
    ['/%5f%5Fadmin/nothing', 404, undefined],
    ['/x/../__admin/nothing', 404, undefined],
    ['/x/%2e%2E/%5F_admin/nothing', 404, undefined],
    ['/__admin%2Fnothing', 404, undefined],
    ['//__admin/nothing', 404, undefined],
    ['/sandboxes/a/%5F_admin/nothing', 404, undefined],
    ['http://x/./__admin/nothing', 404, undefined],
    [`${BASE}/other/../../x`, 200, '/below/api/x'],
    ['/../../../x?a=/../b', 200, '/below/x?a=/../b'],
    ['/__admin/x/../health', 200, undefined],
    ['/a%20b/%7Ec/%C3%A9/.', 200, '/below/a%20b/~c/%C3%A9/'],
    ['/a//b/%2F', 200, '/below/a//b/%2F'],
    [`${BASE}/x/../materials/m%31`, 401, undefined],
  ]
  for (const [target, status, passedOn] of cases) {
    received.length = 0
    const answer = await sendBytes(
      port,
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    )
    t.match(answer, `HTTP/1.1 ${status} `, target)
    t.same(
      received.map((each) => each.url),
      passedOn === undefined ? [] : [passedOn],
      target,
    )
  }
})
