import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { EventEmitter, once } from 'node:events'

import t from 'tap'

import type { Collection } from '../../src/store/collection.js'
import { answerClientError } from '../../src/plugins/connection/protocol-errors.js'
import { BASE, build, waitFor } from '../build.js'
import { exchange } from '../exchange.js'

t.test('what Node would answer by itself has the envelope too', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  const close = 'Host: x\r\nConnection: close\r\n'
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
    const [head = '', body = ''] = (await exchange(port, bytes)).split('\r\n\r\n')
    t.match(head, new RegExp(`^HTTP/1.1 ${status} `), name)
    t.match(head.toLowerCase(), 'content-type: application/json; charset=utf-8', name)
    t.match(JSON.parse(body), { status: 'error', data: { code } }, name)
    t.notMatch(body, /fastify|node:|\/src\//i, name)
  }
  t.match(await exchange(port, `CONNECT x HTTP/1.1\r\n${close}\r\n`), /^Allow: GET, HEAD\r$/m)
})

t.test('a long query fits into the request line', async (t) => {
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

t.test('a connection that has sent nothing, or half a head, does not hold a close', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  for (const bytes of ['', 'GET / HTTP/1.1\r\nHost:']) {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes)).resume()
    t.teardown(() => socket.destroy())
    await once(app.server, 'connection')
  }
  const start = performance.now()
  await app.close()
  t.ok(performance.now() - start < 2000)
})

t.test('a request that stops half-way holds no close; one that is answered does', async (t) => {
  const accounts = [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }]
  const app = await build(t, { fixtures: { accounts, materials: [{ _id: 'm' }] } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const evaluation = new EventEmitter()
  const materials = app.store.collections.get('materials')
  t.intercept(materials as Collection, 'find', {
    value: async () => once(evaluation, 'end'),
  })

  const head = 'Host: x\r\nX-Account-Id: ann\r\nX-Auth-Token: ann-token\r\n'
  const half = 'Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{"name"'
  const stopped = [
    `PUT ${BASE}/materials/create HTTP/1.1\r\n${head}${half}`,
    `PUT ${BASE}/materials/create HTTP/1.1\r\nHost: x\r\n${half}`, // has its 401 before
    `GET ${BASE}/materials/m HTTP/1.1\r\n${head}\r\nGET ${BASE}/materials HTTP/1.1\r\n${head}`,
  ].map((bytes) => exchange(port, bytes).catch(String))
  const answered = exchange(port, `GET ${BASE}/materials HTTP/1.1\r\n${head}\r\n`)
  await waitFor(() => app.controls.journal.read().size === 4)
  const closed = app.close()
  t.match(await Promise.all(stopped), [/^$|ECONNRESET/, /^HTTP\/1\.1 401 /, /^HTTP\/1\.1 200 /])
  evaluation.emit('end')
  t.match(await answered, /^HTTP\/1\.1 200 .*connection: close\r\n.*"data":\[\]\}$/s)
  await closed
})

t.test('an answer that is on its way when the server closes arrives whole', async (t) => {
  const accounts = [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }]
  const app = await build(t, {
    fixtures: { accounts, materials: [{ _id: 'm', name: 'x'.repeat(2 ** 24) }] },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const head = 'Host: x\r\nX-Account-Id: ann\r\nX-Auth-Token: ann-token\r\n'
  const socket = connect(port, '127.0.0.1').setEncoding('latin1').pause()
  let text = ''
  socket.on('data', (chunk) => (text += chunk))
  socket.write(`GET ${BASE}/materials HTTP/1.1\r\n${head}\r\n`)
  const [, response] = await once(app.server, 'request')
  await waitFor(() => response.writableEnded)
  const closed = app.close()
  await Promise.all([closed, once(socket.resume(), 'close')])
  const [headers = '', body = ''] = text.split('\r\n\r\n')
  t.equal(body.length, Number(/content-length: (\d+)/.exec(headers)?.[1]))
})

t.test('a request that comes while the server closes is answered like any other', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += chunk))
  const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 27\r\n'
  socket.write(`POST ${BASE}/login HTTP/1.1\r\nHost: x\r\n${form}\r\nusername=demo`)
  await once(app.server, 'request')
  const closed = app.close()
  await waitFor(() => !app.server.listening)
  socket.write(`&password=demoGET ${BASE}/materials HTTP/1.1\r\nHost: x\r\n\r\n`)
  await Promise.all([closed, once(socket, 'close')])
  const [login = '', late = ''] = text.split(/(?<=\})(?=HTTP)/)
  t.match(login, /^HTTP\/1\.1 200 /)
  t.match(late, /^HTTP\/1\.1 401 .*^connection: close\r$.*CREDENTIALS_REJECTED/ims)
})

t.test(
  'a request that does not arrive in time is told so; a socket that is gone is let go',
  async (t) => {
    const late = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    const end = t.captureFn((_text: string) => undefined)
    answerClientError(late, { writable: true, end } as unknown as Socket)
    const [head = '', body = ''] = end.calls[0]?.args[0]?.split('\r\n\r\n') ?? []
    t.match(head, /^HTTP\/1\.1 408 Request Timeout\r\n/)
    t.match(JSON.parse(body), { data: { code: 'REQUEST_TIMEOUT' } })
    const destroy = t.captureFn(() => undefined)
    answerClientError(late, { writable: false, destroy } as unknown as Socket)
    t.equal(destroy.calls.length, 1)
  },
)
