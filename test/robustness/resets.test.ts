import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'

import fc from 'fast-check'
import t from 'tap'

import { BASE, build, waitFor } from '../helpers/build.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [{ _id: 'm', name: 'x'.repeat(100_000) }],
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE']
const PATHS = [
  `${BASE}/materials`,
  `${BASE}/materials/m`,
  `${BASE}/materials/create`,
  `${BASE}/login`,
  `${BASE}/materials?query={"name":{"$regex":"x"}}`,
  '/__admin/requests',
  '/explorer/swagger-ui.css',
  `${BASE}/materials/import`,
  `${BASE}/files`,
  `${BASE}/jobs/none/files`,
  '/sandboxes/ann/api/2018-10-01/materials',
  '/storage/ann/x?operation=putObject&signature=x',
  '/oidc/token',
  '/__admin/events',
  '/__admin/fixtures',
  '/__admin/fixtures/materials',
  '/__admin/seed',
  '/__admin/faults',
  '/__admin/openapi.json',
  '/%zz',
  '*',
  'x:443',
]
const HEADERS = [
  'X-Account-Id: ann\r\nX-Auth-Token: ann-token',
  'Connection: Upgrade\r\nUpgrade: websocket',
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
  'Connection: close',
  'Expect: 100-continue',
  'Expect: cake',
  'Prefer: delay=20',
  'Prefer: code=503',
  'Content-Type: application/json',
  'Content-Type: application/x-www-form-urlencoded',
  'Bad header',
]
const BODIES = [
  '',
  'Content-Length: 13\r\n\r\n{"name": "y"}',
  'Content-Length: 100\r\n\r\n{"name": "y"}',
  'Content-Length: x\r\n\r\n',
  'Transfer-Encoding: chunked\r\n\r\nd\r\n{"name": "y"}\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked\r\n\r\nzz\r\n',
]

const request = fc
  .record({
    method: fc.constantFrom(...METHODS),
    path: fc.constantFrom(...PATHS),
    headers: fc.subarray(HEADERS),
    body: fc.constantFrom(...BODIES),
  })
  .map(({ method, path, headers, body }) => {
    const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers, body]
    return `${lines.join('\r\n')}${body === '' ? '\r\n' : ''}`
  })

/** The bytes of a connection: pipelined requests, HTTP/2, or noise. */
const bytes = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.array(request, { minLength: 1, maxLength: 3 }).map((all) => all.join('')),
  },
  { weight: 1, arbitrary: fc.constant('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0') },
  { weight: 1, arbitrary: fc.string({ maxLength: 100 }) },
)

/** How the client ends a connection after its bytes: with a RST, with a FIN, or after an answer. */
const END = ['reset', 'destroy', 'end', 'reset after data', 'end after data'] as const

t.test('a connection that ends at any byte ends nothing else', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const exceptions: unknown[] = []
  const onException = (error: unknown) => void exceptions.push(error)
  process.on('uncaughtException', onException)
  process.on('unhandledRejection', onException)
  t.teardown(() => {
    process.off('uncaughtException', onException)
    process.off('unhandledRejection', onException)
  })

  async function attack(text: string, length: number, end: (typeof END)[number]): Promise<void> {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    const closed = once(socket, 'close')
    socket.write(text.slice(0, length))
    if (end.endsWith('after data')) {
      const timer = setTimeout(() => socket.destroy(), 30) // an incomplete request has no answer
      await Promise.race([once(socket, 'data').catch(() => undefined), closed])
      clearTimeout(timer)
    }
    if (end.startsWith('reset')) socket.resetAndDestroy()
    else if (end === 'destroy') socket.destroy()
    else socket.resume().end()
    const timer = setTimeout(() => socket.destroy(), 100)
    await closed
    clearTimeout(timer)
  }

  const scenario = fc.record({ text: bytes, cut: fc.double({ min: 0, max: 1, noNaN: true }) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(scenario, { minLength: 4, maxLength: 8 }),
      fc.constantFrom(...END),
      async (all, end) => {
        await Promise.all(
          all.map(({ text, cut }) => attack(text, Math.ceil(cut * text.length), end)),
        )
        const response = await fetch(`http://127.0.0.1:${port}/__admin/health`)
        if (response.status !== 200) throw new Error(`health is ${response.status}`)
        if (exceptions.length > 0) throw exceptions[0]
      },
    ),
    { numRuns: 150 },
  )
  t.same(exceptions, [])
  await fetch(`http://127.0.0.1:${port}/__admin/health`, { headers: { connection: 'close' } })
  await waitFor(() => app.connections.size <= 1) // that of the pool of fetch
  t.ok(app.connections.size <= 1, 'no connection stays open')
})
