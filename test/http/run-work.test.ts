import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'

import fastify from 'fastify'
import t from 'tap'

import connections from '../../src/server/connection/connections.js'
import runWork from '../../src/http/run-work.js'
import { MemoryShares } from '../../src/work/memory-shares.js'
import { Scheduler } from '../../src/work/scheduler.js'
import { needMemory } from '../../src/work/work.js'
import { waitFor } from '../build.js'

const ALL = 2 * 1024 * 1024

for (const [name, paths] of [
  ['a response that is not sent', ['/keep']],
  ['a response that waits for an earlier one of its connection', ['/silent', '/keep']],
] as const) {
  t.test(`who hangs up keeps no memory: ${name}`, async (t) => {
    const app = fastify()
    t.teardown(() => app.close())
    const scheduler = new Scheduler(new MemoryShares(ALL))
    await app.register(connections).register(runWork, { scheduler, budgetMs: 1000 })
    let kept = 0
    app.get('/silent', (_request, reply) => void reply.hijack())
    app.get('/keep', async (request, reply) => {
      await request.runWork(needMemory(ALL, (giveBack) => request.keepMemory(giveBack)))
      kept += 1
      return request.headers.wait === undefined ? 'kept' : reply.hijack()
    })
    await app.listen({ port: 0, host: '127.0.0.1' })

    const { port } = app.server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1' })
    socket.write(
      paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\nWait: yes\r\n\r\n`).join(''),
    )
    await waitFor(() => kept === 1)
    const other = app.inject('/keep')
    await app.inject('/none')
    t.equal(kept, 1, 'another request waits')
    socket.resetAndDestroy()
    await once(socket, 'close')
    await waitFor(() => kept === 2)
    t.equal((await other).body, 'kept')
    t.equal((await app.inject('/keep')).body, 'kept', 'who is answered keeps none either')
  })
}
