import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'

import t from 'tap'

import { startMock } from '../../src/mock/start-mock.js'
import { listen } from '../../src/server/listen.js'
import { BASE, build } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'
import { sendBytes } from '../helpers/send-bytes.js'

const FIXTURES = { materials: [] }
const HAS_IPV6 = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === '::1')
const BOTH = ['127.0.0.1', ...(HAS_IPV6 ? ['::1'] : [])]

t.test('a server on localhost responds alike at both addresses', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, host: 'localhost', port: 0 })
  const port = Number(new URL(await listen(app)).port)
  const close = 'Host: localhost\r\nConnection: close\r\n'
  const cases: [bytes: string, status: number][] = [
    [`GET ${BASE}/materials HTTP/1.1\r\n${close}\r\n`, 401],
    [`GET /__admin/health HTTP/1.1\r\n${close}\r\n`, 200],
    ['nonsense\r\n\r\n', 400],
    [`CONNECT example.org:443 HTTP/1.1\r\n${close}\r\n`, 405],
    [`GET ${BASE}/login HTTP/1.1\r\n${close}Expect: cake\r\n\r\n`, 417],
    [`GET / HTTP/1.1\r\n${close}X-Long: ${'x'.repeat(300_000)}\r\n\r\n`, 431],
  ]
  const incomplete = `POST ${BASE}/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`
  const closed = []
  for (const address of BOTH) {
    for (const [bytes, status] of cases) {
      const text = await sendBytes(port, bytes, address)
      t.match(text, new RegExp(`^HTTP/1.1 ${status} `), `${address} ${bytes.slice(0, 40)}`)
      t.match(text.toLowerCase(), 'content-type: application/json; charset=utf-8')
    }
    for (const bytes of [`GET / HTTP/1.1\r\n${close.slice(0, 17)}\r\n`, incomplete]) {
      const socket = connect(port, address, () => socket.write(bytes))
      await once(socket, 'data')
      closed.push(once(socket.resume(), 'close'))
    }
    closed.push(once(connect(port, address).resume(), 'close'))
    await once(app.server, 'connection')
  }
  await Promise.all([app.close(), ...closed])
  for (const address of BOTH)
    await t.rejects(sendBytes(port, '', address), { code: 'ECONNREFUSED' }, address)
})

t.test('the URL of a server on all addresses has a loopback address', async (t) => {
  for (const [host, address] of [
    ['0.0.0.0', '127.0.0.1'],
    ['::', '[::1]'],
  ] as const) {
    if (host === '::' && !HAS_IPV6) continue
    const mock = await startMock({ fixtures: FIXTURES, host, admin: true })
    t.teardown(() => mock.close())
    t.equal(new URL(mock.url).hostname, address)
    t.equal((await fetch(`${mock.url}/__admin/health`)).status, 200, 'which may use the controls')
  }
})

t.test('a port that is taken, at either address, is an error that names the port', async (t) => {
  for (const address of BOTH) {
    const other = createServer().listen(0, address)
    await once(other, 'listening')
    t.teardown(() => other.close())
    const { port } = other.address() as AddressInfo
    const message = `port ${port} of ${address} is taken; give another --port, or 0 for a free port`
    for (const host of ['localhost', address]) {
      await t.rejects(startMock({ fixtures: FIXTURES, host, port }), {
        code: 'OPTIONS_INVALID',
        message,
      })
    }
  }
})

t.test('a server with a broken scenario never listens', async (t) => {
  const scenarios = { broken: { faults: [{ status: 1 }] } }
  const app = await build(t, { fixtures: { materials: [], scenarios }, port: 0 })
  app.server.on('listening', () => t.fail('it has listened'))
  await t.rejects(listen(app), { code: 'FIXTURES_INVALID', message: /scenario "broken"/ })
})

t.test('any other error of listening is described, and closes the server', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const close = t.capture(app, 'close', () => Promise.resolve())
  const cases = [
    ['EACCES', 'give a --port above 1023; port 4000 of 127.0.0.1 may not be used'],
    ['EADDRNOTAVAIL', "can't listen on 127.0.0.1, port 4000: listen failed"],
  ]
  for (const [code, message] of cases) {
    replace(t, app, 'listen', async () =>
      Promise.reject(Object.assign(new Error('listen failed'), { code })),
    )
    await t.rejects(listen(app), { code: 'OPTIONS_INVALID', message })
  }
  t.equal(close.calls.length, cases.length)
})
