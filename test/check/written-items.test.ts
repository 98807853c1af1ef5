import t from 'tap'
import type { Test } from 'tap'

import { ApiClient, STATEMENTS, checkDeployment } from '@materials-mock/check'
import type { Fetch } from '@materials-mock/client'
import { startMock } from '../../src/mock/start-mock.js'
import { BASE } from '../helpers/build.js'

const CREDENTIALS = { 'X-Account-Id': 'ann', 'X-Auth-Token': 'ann-token' }
const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [],
}

/** Starts a mock, and returns a function that checks its writes with a `fetch`. */
async function startChecked(t: Test) {
  const mock = await startMock({ logLevel: 'silent', fixtures: FIXTURES })
  t.teardown(() => mock.close())
  const check = (fetch: Fetch, signal?: AbortSignal) =>
    checkDeployment({
      client: new ApiClient(mock.url + BASE, { fetch, ...(signal && { signal }) }),
      lastClient: new ApiClient(mock.url + BASE, { fetch }),
      credentials: CREDENTIALS,
      resource: 'materials',
      write: true,
      statements: STATEMENTS.filter(({ id }) => id.startsWith('write.')),
      ...(signal && { signal }),
    })
  const list = () => mock.app.store.getCollection('materials').entries.map(({ item }) => item._id)
  return { mock, check, list }
}

t.test('an item that is created while the check is interrupted is deleted', async (t) => {
  const { mock, check, list } = await startChecked(t)
  const controller = new AbortController()
  let created = 0
  const fetch: Fetch = async (url, { signal, ...init }) => {
    const sent = async (): Promise<Response> => {
      await new Promise((resolve) => setTimeout(resolve, init.method === 'PUT' ? 100 : 0))
      created += init.method === 'PUT' ? 1 : 0
      return mock.fetch(url, init)
    }
    if (init.method === 'PUT') controller.abort(new Error('interrupted'))
    const ended = new Promise<never>((_, reject) => {
      if (signal?.aborted === true) reject(signal.reason as Error)
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })
    return Promise.race([sent(), ended])
  }
  await t.rejects(check(fetch, controller.signal), { message: 'interrupted' })
  await new Promise((resolve) => setTimeout(resolve, 150))
  t.equal(created, 1)
  t.same(list(), [])
})

t.test('items are named as left behind if the server gives no list any more', async (t) => {
  const { mock, check, list } = await startChecked(t)
  const controller = new AbortController()
  let [writes, isGone] = [0, false]
  const fetch: Fetch = async (url, init) => {
    if (init.method !== 'GET') writes += 1
    isGone ||= writes > 5
    return isGone ? new Response('{}', { status: 401 }) : mock.fetch(url, init)
  }
  const { warnings } = await check(fetch)
  const [left = ''] = warnings
  t.match(left, /^These items of materials are left behind; delete them: \w+/)
  t.ok(list().length > 0)
  for (const id of list()) t.match(left, String(id))

  ;[writes, isGone] = [0, false]
  const interrupted: Fetch = async (url, init) => {
    if (isGone) controller.abort(new Error('interrupted'))
    return fetch(url, init)
  }
  await t.rejects(check(interrupted, controller.signal), {
    message: /^interrupted; items of materials are left behind; delete them: \w+/,
  })
})

t.test('a server that falls silent is asked a few times more, and not on and on', async (t) => {
  const { mock } = await startChecked(t)
  for (const isInterrupted of [false, true]) {
    const controller = new AbortController()
    let [answered, unanswered] = [0, 0]
    const fetch: Fetch = async (url, init) => {
      if ((answered += 1) <= 30) return mock.fetch(url, init)
      unanswered += 1
      if (isInterrupted) setImmediate(() => controller.abort(new Error('interrupted')))
      return new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
      })
    }
    const options = { fetch, timeout: 50 }
    const result = checkDeployment({
      client: new ApiClient(mock.url + BASE, { ...options, signal: controller.signal }),
      lastClient: new ApiClient(mock.url + BASE, { ...options, maxUnanswered: 1 }),
      credentials: CREDENTIALS,
      resource: 'materials',
      write: true,
      signal: controller.signal,
    })
    if (isInterrupted) {
      await t.rejects(result, { message: 'interrupted' })
      t.equal(unanswered, 2, 'the last request, and one to delete items')
    } else {
      const { warnings, statements } = await result
      t.same(warnings, [
        'The check is not complete: the last requests got no answer that can be read',
      ])
      t.equal(unanswered, 4)
      t.match(statements.at(-1), { outcome: 'skipped', expected: 'an answer' })
    }
  }
})
