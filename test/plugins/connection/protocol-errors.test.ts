import type { AddressInfo, Socket } from 'node:net'

import t from 'tap'

import { handleClientError } from '../../../src/plugins/connection/protocol-errors.js'
import { BASE, build } from '../../build.js'
import { sendBytes } from '../../send-bytes.js'

t.test('errors that Node responds to itself are in the envelope too', async (t) => {
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
    const [head = '', body = ''] = (await sendBytes(port, bytes)).split('\r\n\r\n')
    t.match(head, new RegExp(`^HTTP/1.1 ${status} `), name)
    t.match(head.toLowerCase(), 'content-type: application/json; charset=utf-8', name)
    t.match(JSON.parse(body), { status: 'error', data: { code } }, name)
    t.notMatch(body, /fastify|node:|\/src\//i, name)
  }
  t.match(await sendBytes(port, `CONNECT x HTTP/1.1\r\n${close}\r\n`), /^Allow: GET, HEAD\r$/m)
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

const TIMEOUT = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

t.test('a request that does not arrive in time is a 408', async (t) => {
  const end = t.captureFn((_text: string) => undefined)
  handleClientError(TIMEOUT, { writable: true, end } as unknown as Socket)
  const [head = '', body = ''] = end.calls[0]?.args[0]?.split('\r\n\r\n') ?? []
  t.match(head, /^HTTP\/1\.1 408 Request Timeout\r\n/)
  t.match(JSON.parse(body), { data: { code: 'REQUEST_TIMEOUT' } })
})

t.test('an error of a socket that is not writable destroys the socket', async (t) => {
  const destroy = t.captureFn(() => undefined)
  handleClientError(TIMEOUT, { writable: false, destroy } as unknown as Socket)
  t.equal(destroy.calls.length, 1)
})
