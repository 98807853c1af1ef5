import { EventEmitter, once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import t from 'tap'

import { BASE, build, waitFor } from '../../helpers/build.js'
import { replace } from '../../helpers/replace.js'
import { sendBytes } from '../../helpers/send-bytes.js'

t.test('a connection without a whole request does not delay the close', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  for (const bytes of ['', 'GET / HTTP/1.1\r\nHost:']) {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes)).resume()
    t.teardown(() => socket.destroy())
    await once(app.server, 'connection')
  }
  const { setInterval } = globalThis
  let periods = 0
  replace(t, globalThis, 'setInterval', (callback: () => void, ms: number) => {
    const count = (): void => {
      periods += 1
      callback()
    }
    return setInterval(count, ms / 20)
  })
  await app.close()
  t.ok(periods <= 1, `it takes ${periods} grace periods`)
})

t.test('the close waits for a request in progress, but not for an incomplete one', async (t) => {
  const accounts = [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }]
  const app = await build(t, { fixtures: { accounts, materials: [{ _id: 'm' }] } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  await app.store.catchUp() // the first request reads what time may change
  const evaluation = new EventEmitter()
  const { scheduler } = app.store
  const run = scheduler.run.bind(scheduler)
  replace(t, scheduler, 'run', async (...args: Parameters<typeof run>) => {
    await once(evaluation, 'end')
    return run(...args)
  })

  const head = 'Host: localhost\r\nX-Account-Id: ann\r\nX-Auth-Token: ann-token\r\n'
  const half = 'Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{"name"'
  const incomplete = [
    `PUT ${BASE}/materials/create HTTP/1.1\r\n${head}${half}`,
    `PUT ${BASE}/materials/create HTTP/1.1\r\nHost: localhost\r\n${half}`, // its 401 comes first
    `GET ${BASE}/materials/m HTTP/1.1\r\n${head}\r\nGET ${BASE}/materials HTTP/1.1\r\n${head}`,
  ].map((bytes) => sendBytes(port, bytes).catch(String))
  const complete = sendBytes(port, `GET ${BASE}/materials HTTP/1.1\r\n${head}\r\n`)
  await waitFor(() => app.controls.journal.size === 4)
  const closed = app.close()
  t.match(await Promise.all(incomplete), [/^$|ECONNRESET/, /^HTTP\/1\.1 401 /, /^HTTP\/1\.1 200 /])
  evaluation.emit('end')
  t.match(await complete, /^HTTP\/1\.1 200 .*connection: close\r\n.*"data":\[\{"_id":"m"\}\]\}$/s)
  await closed
})

for (const [name, size] of [
  ['one buffer', 2 ** 18],
  ['a stream of texts', 2 ** 22],
] as const) {
  t.test(
    `a response that is being sent when the server closes arrives whole: ${name}`,
    async (t) => {
      const accounts = [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }]
      const app = await build(t, {
        fixtures: { accounts, materials: [{ _id: 'm', name: 'x'.repeat(size) }] },
      })
      await app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = app.server.address() as AddressInfo
      const head = 'Host: localhost\r\nX-Account-Id: ann\r\nX-Auth-Token: ann-token\r\n'
      const socket = connect(port, '127.0.0.1').setEncoding('latin1').pause()
      let text = ''
      socket.on('data', (chunk) => (text += chunk))
      socket.pause().write(`GET ${BASE}/materials HTTP/1.1\r\n${head}\r\n`)
      const [, response] = await once(app.server, 'request')
      await waitFor(() => response.headersSent)
      const closed = app.close()
      await Promise.all([closed, once(socket.resume(), 'close')])
      const [headers = '', body = ''] = text.split('\r\n\r\n')
      t.equal(body.length, Number(/content-length: (\d+)/.exec(headers)?.[1]))
      t.ok(body.length > size)
    },
  )
}

t.test('a request that arrives while the server closes gets an ordinary response', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += chunk))
  const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 27\r\n'
  socket.write(`POST ${BASE}/login HTTP/1.1\r\nHost: localhost\r\n${form}\r\nusername=demo`)
  await once(app.server, 'request')
  const closed = app.close()
  await waitFor(() => !app.server.listening)
  socket.write(`&password=demoGET ${BASE}/materials HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await Promise.all([closed, once(socket, 'close')])
  const [login = '', late = ''] = text.split(/(?<=\})(?=HTTP)/)
  t.match(login, /^HTTP\/1\.1 200 /)
  t.match(late, /^HTTP\/1\.1 401 .*^connection: close\r$.*CREDENTIALS_REJECTED/ims)
})

t.test('neither a client that does not read nor a silent deployment holds the close', async (t) => {
  const { setInterval } = globalThis
  replace(t, globalThis, 'setInterval', (callback: () => void, ms: number) =>
    setInterval(callback, ms / 20),
  )
  const silent = createServer((socket) => socket.on('error', () => undefined))
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => silent.close())
  const app = await build(t, {
    fixtures: { materials: [{ _id: 'm', name: 'x'.repeat(2 ** 24) }] },
    upstream: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  for (const path of ['/__admin/fixtures', '/nothing']) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await once(app.server, 'request')
  }
  await once(silent, 'connection')
  await app.close()
  await waitFor(() => app.connections.size === 0)
})
