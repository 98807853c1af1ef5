import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'

import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import type { Test } from 'tap'

import { Scheduler } from '@materials-mock/work'
import type { Work } from '@materials-mock/work'
import runWork from '../../src/http/run-work.js'
import { waitFor } from '../helpers/build.js'

/** Starts a server whose `/work` does not end by itself. Each of its steps is a slice. */
async function start(t: Test) {
  const app = fastify()
  t.teardown(() => app.close())
  await app.register(runWork, { scheduler: new Scheduler(), budgetMs: 60_000 })
  const counts = { steps: 0 }
  function* toWork(): Work<void> {
    for (;;) {
      counts.steps += 1
      const end = performance.now() + 11 // a slice has 10
      while (performance.now() < end);
      yield 'scanning items'
    }
  }
  app.get('/silent', (_request, reply) => void reply.hijack())
  app.get('/work', async (_request, reply) => reply.runWork(toWork()))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, counts }
}

const portOf = (app: FastifyInstance): number => (app.server.address() as AddressInfo).port

for (const [name, paths] of [
  ['a response that is not sent', ['/work']],
  ['a response that waits for an earlier one of its connection', ['/silent', '/work']],
] as const) {
  t.test(`the work of who hangs up goes on no longer: ${name}`, async (t) => {
    const { app, counts } = await start(t)
    const socket = connect({ port: portOf(app), host: '127.0.0.1' })
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''))
    await waitFor(() => counts.steps > 2)
    socket.resetAndDestroy()
    await once(socket, 'close')
    await waitFor(async () => {
      const { steps } = counts
      await new Promise((resolve) => setTimeout(resolve, 30))
      return counts.steps === steps
    })
  })
}

/** Waits for another slice once. */
function* wait(): Work<void> {
  const end = performance.now() + 11
  while (performance.now() < end);
  yield 'scanning items'
}

t.test('work listens to nothing, however often it waits', async (t) => {
  const app = fastify()
  t.teardown(() => app.close())
  await app.register(runWork, { scheduler: new Scheduler(), budgetMs: 60_000 })
  app.get('/', async (request, reply) => {
    const { raw } = reply
    const count = () =>
      [raw, request.raw, request.raw.socket].flatMap((each) =>
        each.eventNames().map((name) => each.listenerCount(name)),
      )
    const before = count()
    for (let times = 0; times < 12; times += 1) await reply.runWork(wait())
    return { before, after: count() }
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const { before, after } = (await (await fetch(url)).json()) as Record<string, number[]>
  t.same(after, before)
})
