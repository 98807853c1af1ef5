import { once } from 'node:events'
import { Agent, request as sendRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'
import t from 'tap'
import type { Test } from 'tap'

import { MAX_DELAY } from '@materials-mock/api'
import { MAX_PIPELINED } from '../../../src/server/connection/connections.js'
import { BASE, build, send, waitFor } from '../../helpers/build.js'
import { sendBytes } from '../../helpers/send-bytes.js'

const ACCOUNT = { _id: 'a', username: 'ann', password: 'x', tokens: ['token'] }
const JSON_TYPE = 'application/json'

t.test('errors that Node responds to itself are in the envelope too', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  const close = 'Host: localhost\r\nConnection: close\r\n'
  const cases: [bytes: string, status: number, code: string][] = [
    ['nonsense\r\n\r\n', 400, 'REQUEST_MALFORMED'],
    [`BREW ${BASE}/materials HTTP/1.1\r\n${close}\r\n`, 400, 'REQUEST_MALFORMED'],
    [`GET ${BASE}/materials HTTP/1.1\r\nbad header\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
    [`GET ${BASE}/materials HTTP/1.1\r\nConnection: close\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
    [`POST ${BASE}/login HTTP/1.1\r\n${close}Content-Length: x\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
    [`GET ${BASE}/%zz HTTP/1.1\r\n${close}\r\n`, 400, 'REQUEST_MALFORMED'],
    [`GET ${BASE}/login HTTP/1.1\r\n${close}\r\n`, 405, 'METHOD_NOT_ALLOWED'],
    [`PROPFIND ${BASE}/materials HTTP/1.1\r\n${close}\r\n`, 405, 'METHOD_NOT_ALLOWED'],
    [`CONNECT example.org:443 HTTP/1.1\r\n${close}\r\n`, 405, 'METHOD_NOT_ALLOWED'],
    [`GET ${BASE}/login HTTP/1.1\r\n${close}Expect: cake\r\n\r\n`, 417, 'EXPECTATION_FAILED'],
    [
      `GET ${BASE}/materials HTTP/1.1\r\n${close}X-Long: ${'x'.repeat(300_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
  ]
  for (const [bytes, status, code] of cases) {
    const name = JSON.stringify(bytes.slice(0, 70))
    const [head = '', body = ''] = (await sendBytes(port, bytes)).split('\r\n\r\n')
    t.match(head, new RegExp(`^HTTP/1.1 ${status} `), name)
    t.match(head.toLowerCase(), 'content-type: application/json; charset=utf-8', name)
    t.match(JSON.parse(body), { status: 'error', data: { code } }, name)
    t.notMatch(body, /fastify|node:|\/src\//i, name)
  }
  t.match(await sendBytes(port, `CONNECT x HTTP/1.1\r\n${close}\r\n`), /^Allow: GET, HEAD\r$/m)
  const noHost = await sendBytes(port, `GET http:///x HTTP/1.1\r\n${close}\r\n`)
  t.match(
    noHost,
    'the request must be for a path such as /api, or a URL with a host, not http:///x',
  )
})

t.test('the request line of a long query is not too long', async (t) => {
  const app = await build(t, { fixtures: { materials: [{ _id: 'm', name: 'x' }] } })
  const url = await app.listen({ port: 0 })
  const token = app.store.sessions.open('demo')
  const query = {
    name: { $in: Array.from({ length: 999 }, (_, index) => `name number ${index} "`) },
  }
  const response = await fetch(
    `${url}${BASE}/materials?query=${encodeURIComponent(JSON.stringify(query))}`,
    {
      headers: { 'X-Account-Id': 'demo', 'X-Auth-Token': token },
    },
  )
  t.equal(response.status, 200)
})

/** Connects to a server that a test has started, and collects what it receives. */
async function connectTo(t: Test, app: FastifyInstance, bytes: string) {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  t.teardown(() => socket.destroy())
  const received = { text: '' }
  socket.on('data', (chunk) => (received.text += chunk))
  socket.on('error', () => undefined)
  socket.write(bytes)
  return { socket, received }
}

const openConnections = (app: FastifyInstance): number => app.connections.size

t.test('a request whose body does not arrive in time is a 408', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  t.ok(app.server.requestTimeout > MAX_DELAY)
  Object.assign(app.server, {
    headersTimeout: 40, // Node takes the greater one for the request
    requestTimeout: 50,
    connectionsCheckingInterval: 20,
  })
  const fields =
    'Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 27'
  const { socket, received } = await connectTo(
    t,
    app,
    `POST ${BASE}/login HTTP/1.1\r\n${fields}\r\n\r\nusername`,
  )
  await once(socket, 'end')
  const [head = '', body = ''] = received.text.split('\r\n\r\n')
  t.match(head, /^HTTP\/1\.1 408 Request Timeout\r\n/)
  t.match(JSON.parse(body), { data: { code: 'REQUEST_TIMEOUT' } })
})

t.test('a client that leaves before the end of its body is no failure of the server', async (t) => {
  const accounts = [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }]
  const app = await build(t, { fixtures: { accounts, materials: [] } })
  const form =
    'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 27\r\n\r\nusername'
  const json = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":'
  const session = 'X-Account-Id: ann\r\nX-Auth-Token: ann-token'
  const readFirst = async () => (await app.inject('/__admin/requests')).json().data[0]
  for (const [count, text] of [
    `POST ${BASE}/login HTTP/1.1\r\nHost: localhost\r\n${form}`,
    `PUT ${BASE}/materials/create HTTP/1.1\r\nHost: localhost\r\n${session}\r\n${json}`,
  ].entries()) {
    const { socket } = await connectTo(t, app, text)
    await waitFor(() => app.controls.journal.size === count + 1)
    socket.destroy()
    await waitFor(async () => (await readFirst()).response !== null)
    const message = 'the connection ended before the end of the body'
    t.match(await readFirst(), { status: 400, response: { body: { message } } }, text)
  }
})

t.test('a CONNECT that is followed by a reset ends neither server nor process', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  const exceptions: unknown[] = []
  const onException = (error: unknown) => void exceptions.push(error)
  process.on('uncaughtException', onException)
  t.teardown(() => process.off('uncaughtException', onException))
  for (const isRead of [true, false]) {
    const { socket } = await connectTo(t, app, 'CONNECT x:1 HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(app.server, 'connect')
    if (isRead) await once(socket, 'data')
    socket.resetAndDestroy()
    await waitFor(() => openConnections(app) === 0)
  }
  t.same(exceptions, [])
  t.equal((await send(app, '/materials')).statusCode, 401)
})

t.test('a connection is closed after an error, although the client leaves it open', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  const cases = ['CONNECT x:1 HTTP/1.1\r\nHost: localhost\r\n\r\n', 'nonsense\r\n\r\n']
  for (const bytes of cases) {
    const { socket, received } = await connectTo(t, app, bytes)
    await once(socket, 'end')
    t.match(received.text, /^HTTP\/1\.1 4/)
    await waitFor(() => openConnections(app) === 0)
  }
})

t.test('an error follows the responses to earlier requests of its connection', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  const head = 'Host: localhost\r\nPrefer: delay=50\r\n\r\n'
  const requests = `GET ${BASE}/materials HTTP/1.1\r\n${head}`.repeat(3)
  const incomplete = `PUT ${BASE}/materials/create HTTP/1.1\r\nTransfer-Encoding: chunked\r\n`
  const cases: [bytes: string, status: number][] = [
    ['CONNECT x:1 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
    ['nonsense\r\n\r\n', 400],
    [`${incomplete}${head}zz\r\n`, 400],
  ]
  for (const [bytes, status] of cases) {
    const { socket, received } = await connectTo(t, app, requests + bytes)
    await once(socket, 'end')
    const statuses = [...received.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, each]) =>
      Number(each),
    )
    t.same(statuses, [401, 401, 401, status], bytes)
  }
})

t.test('a request that is answered before its body gets no second response', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  const { socket, received } = await connectTo(
    t,
    app,
    `PUT ${BASE}/materials/create HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  await once(socket, 'data')
  socket.write('zz\r\n')
  await once(socket, 'end')
  t.match(received.text, /^HTTP\/1\.1 401 /)
  t.notMatch(received.text, /HTTP\/1\.1 400/)
})

t.test('a connection is of use after a body that is refused before its end', async (t) => {
  const app = await build(t, { fixtures: { materials: [], accounts: [ACCOUNT] } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const ask = async (
    method: string,
    path: string,
    type = JSON_TYPE,
    body = '',
  ): Promise<number> => {
    const headers = {
      'content-type': type,
      'content-length': body.length,
      'x-account-id': 'a',
      'x-auth-token': 'token',
    }
    const options = { agent, host: '127.0.0.1', port, method, path, headers }
    const outgoing = sendRequest({ ...options, signal: AbortSignal.timeout(20_000) })
    const [response] = (await once(outgoing.end(body), 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return response.statusCode ?? 0
  }
  const large = 'x'.repeat(5_000_000)
  const cases: [status: number, ...request: Parameters<typeof ask>][] = [
    [413, 'PUT', `${BASE}/materials/create`, JSON_TYPE, large],
    [413, 'POST', `${BASE}/login`, 'application/x-www-form-urlencoded', `username=${large}`],
    [415, 'PUT', `${BASE}/materials/create`, 'text/plain', large],
    [400, 'PUT', '/__admin/fixtures/materials', JSON_TYPE, `{"a":1}${' '.repeat(1_000_000)}`],
  ]
  const sockets = new Set<unknown>()
  app.server.on('request', ({ socket }: IncomingMessage) => sockets.add(socket))
  for (const [status, ...refused] of cases) {
    t.equal(await ask(...refused), status, refused.slice(0, 3).join(' '))
    t.equal(await ask('GET', `${BASE}/materials`), 200)
  }
  t.equal(sockets.size, 1)
})

t.test('a request may have thousands of headers', async (t) => {
  const app = await build(t, { fixtures: { materials: [], accounts: [ACCOUNT] } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const others = Array.from({ length: 2500 }, (_, n) => `x${n}: 1\r\n`).join('')
  const own = 'Host: localhost\r\nConnection: close\r\nX-Account-Id: a\r\nX-Auth-Token: token\r\n'
  const response = await sendBytes(port, `GET ${BASE}/materials HTTP/1.1\r\n${others}${own}\r\n`)
  t.match(response, /^HTTP\/1\.1 200 /)
})

t.test('an upgrade that the server does not have is an ordinary request', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  for (const protocol of ['websocket', 'h2c', 'TLS/1.3, HTTP/2.0']) {
    const head = `Host: localhost\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n`
    const { socket, received } = await connectTo(
      t,
      app,
      `GET ${BASE}/materials HTTP/1.1\r\n${head}\r\n`,
    )
    await once(socket, 'end')
    t.match(received.text, /^HTTP\/1\.1 401 /, protocol)
  }
})

t.test('an error of accepting a connection is ignored', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  t.ok(app.server.emit('error', Object.assign(new Error(), { code: 'EMFILE' })))
})

t.test('an error of a socket that is not writable destroys the socket', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  const destroy = t.captureFn(() => undefined)
  app.server.emit('clientError', new Error('reset'), { writable: false, destroy })
  t.equal(destroy.calls.length, 1)
})

t.test('nothing is read from a connection after the first invalid byte', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  const errors: Error[] = []
  app.server.on('clientError', (error) => errors.push(error))
  const connected = once(app.server, 'connection') as Promise<[Socket]>
  const { socket, received } = await connectTo(
    t,
    app,
    'GET /__admin/events HTTP/1.1\r\nHost: localhost\r\n\r\n',
  )
  const [connection] = await connected
  await waitFor(() => received.text.includes('text/event-stream'))
  socket.write('\x01')
  await waitFor(() => errors.length === 1)
  const { bytesRead } = connection
  for (let count = 0; count < 50; count += 1) {
    socket.write('\x01'.repeat(1000))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  t.equal(errors.length, 1)
  t.equal(connection.bytesRead, bytesRead)
  await app.inject({ method: 'POST', url: '/__admin/reset' })
  await waitFor(() => received.text.includes('event: reset'))
  t.notMatch(received.text, 'HTTP/1.1 400')
})

t.test('a connection with too many requests that wait for a response is closed', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  const request = `GET ${BASE}/materials HTTP/1.1\r\nHost: localhost\r\n\r\n`
  app.controls.faults.add({ drop: 'hang' })
  const { socket } = await connectTo(t, app, request.repeat(MAX_PIPELINED))
  await waitFor(() => app.controls.journal.count === MAX_PIPELINED)
  t.equal(openConnections(app), 1)
  socket.write(request)
  await waitFor(() => openConnections(app) === 0)
})

t.test('a request target that is no path is a 400', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  for (const [method, target] of [
    ['GET', '*'],
    ['HEAD', '*'],
    ['POST', '*'],
    ['GET', 'http:///x'],
    ['GET', 'ftp://host/api'],
    ['GET', '/__admin#x'],
    ['GET', '/api#%ff'],
  ] as const) {
    const bytes = `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    const response = await sendBytes(port, bytes)
    t.match(response, /^HTTP\/1\.1 400 /, `${method} ${target}`)
    if (method !== 'HEAD') t.match(response, `, not ${target}"`, target)
  }
})
