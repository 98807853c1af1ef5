import t from 'tap'

import { Budget } from '@materials-mock/work'
import type { Work } from '@materials-mock/work'
import { build, listUrl, send, waitFor } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'

const ACCOUNTS = [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['token'] }]
const HEADERS = { 'x-account-id': 'ann', 'x-auth-token': 'token' }

function* endless(): Work<void> {
  for (;;) yield 'scanning items'
}

t.test('a list that an index or no condition answers reads and awaits nothing', async (t) => {
  const notes = Array.from({ length: 600 }, (_, n) => ({ _id: `n${n}`, n }))
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, notes } })
  const { scheduler } = app.store
  const run = scheduler.run.bind(scheduler)
  let steps = new Set<unknown>()
  function* watch(work: Work<unknown>): Work<unknown> {
    for (;;) {
      const { done, value } = work.next()
      if (done === true) return value
      steps.add(value)
      yield value as 'scanning items'
    }
  }
  /** Lists again if it was held up, because another process may have had the processor for its first slice. */
  const listSteps = async (query: object, projection: object, tries = 5): Promise<unknown[]> => {
    const url = listUrl('notes', query, projection)
    const first = await send(app, url, { headers: HEADERS })
    const waiting = new Budget(Infinity)
    void run(endless(), waiting)
    await new Promise(setImmediate) // it has used up the turn before
    steps = new Set()
    let isHeldUp = false
    const restore = replace(t, scheduler, 'run', (work: Work<unknown>, budget: Budget) => {
      const result = run(watch(work), budget)
      if (result instanceof Promise) isHeldUp = true
      return result
    })
    t.same((await send(app, url, { headers: HEADERS })).json(), first.json())
    restore()
    waiting.cancel()
    await new Promise(setImmediate)
    if (!isHeldUp) return [...steps]
    return tries > 1 ? listSteps(query, projection, tries - 1) : [...steps, 'held up']
  }
  const COMPILED = ['compiling the query']
  t.same(await listSteps({}, {}), COMPILED)
  t.same(await listSteps({}, { skip: 7, limit: 3 }), COMPILED)
  t.same(await listSteps({}, { sort: { $natural: -1 } }), COMPILED)
  t.same(await listSteps({ n: 7 }, {}), COMPILED)
  t.same(await listSteps({ n: { $in: [1, 599] } }, { fields: { n: 1 } }), COMPILED)
  t.same(await listSteps({ n: { $gt: 3 } }, { sort: { n: -1 } }), COMPILED)
  t.match(await listSteps({ n: { $mod: [20, 1] } }, {}), [...COMPILED, 'scanning items'])
})

t.test('a write is one step of work', async (t) => {
  const fixtures = {
    accounts: ACCOUNTS,
    notes: [{ _id: 'n' }],
    materials: [],
    'bank-materials': [{ _id: 'b', name: 'of the bank' }],
  }
  const app = await build(t, { fixtures })
  const { scheduler } = app.store
  await send(app, '/notes', { headers: HEADERS }) // the first request reads what time may change
  let steps: boolean[] = []
  replace(t, scheduler, 'run', (work: Work<unknown>) => {
    const { done, value } = work.next()
    steps.push(done === true)
    return value
  })
  const writes = [
    ['PUT', '/notes/create', { name: 'new' }],
    ['PATCH', '/notes/n', { name: 'patched' }],
    ['POST', '/notes/n/copy', undefined],
    ['POST', '/notes/n/set-default', undefined],
    ['POST', '/bank-materials/b/copy', undefined],
    ['DELETE', '/notes/n', undefined],
  ] as const
  for (const [method, url, body] of writes) {
    steps = []
    const headers = { ...HEADERS, 'content-type': 'application/json' }
    const payload = body === undefined ? '' : JSON.stringify(body)
    const { statusCode } = await send(app, url, { method, headers, payload })
    t.equal(statusCode, 200, `${method} ${url}`)
    t.same(steps, [true], `${method} ${url}`)
  }
})

t.test('a default among many moves nothing of the indexes', async (t) => {
  const notes = Array.from({ length: 2000 }, (_, n) => ({ _id: `n${n}`, isDefault: true }))
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, notes }, admin: true })
  const write = (method: 'PATCH' | 'POST', url: string, payload = {}) =>
    send(app, url, { method, headers: { ...HEADERS, 'content-type': 'application/json' }, payload })
  await write('PATCH', '/notes/n0', { name: 'first' }) // the fixtures are shared until a write
  const plan = listUrl('notes', { isDefault: false })
  await waitFor(async () => {
    await send(app, plan, { headers: HEADERS })
    const { data } = (await app.inject({ url: `/__admin/explain${plan}`, headers: HEADERS })).json()
    return /index on isDefault/.test(data.plan)
  })
  let moved = 0
  const { splice } = Array.prototype
  replace(
    t,
    Array.prototype,
    'splice',
    function (this: unknown[], ...args: Parameters<typeof splice>) {
      moved += this.length - args[0]
      return splice.apply(this, args)
    },
  )
  t.equal((await write('POST', '/notes/n7/set-default')).statusCode, 200)
  t.ok(moved < notes.length, `${moved} elements of arrays were moved`)
})

t.test('the text of a list has a bound', async (t) => {
  const text = 'x'.repeat(2 ** 20)
  const notes = Array.from({ length: 64 }, (_, n) => ({ _id: `n${n}`, text }))
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, notes }, queryBudget: 60_000 })
  const list = (limit: number, fields = {}) =>
    send(app, listUrl('notes', {}, { limit, fields }), { headers: HEADERS })
  t.equal((await list(63)).statusCode, 200)
  for (let count = 0; count < 2; count += 1) {
    t.match((await list(64)).json(), {
      status: 'error',
      data: {
        code: 'BOUND_EXCEEDED',
        message: 'a list must have at most 67108864 bytes of JSON; give a smaller limit, or fields',
      },
    })
  }
  t.equal((await list(64, { _id: 1 })).statusCode, 200)
})
