import type { Page } from 'playwright-core'
import t from 'tap'

import { skipReason } from '../helpers/browser.js'
import { openTab } from './open-tab.js'

const SKIP = { skip: skipReason() }

/** Runs a program in a tab with a mock, and returns its value. */
const run = <Value>(page: Page, program: string): Promise<Value> =>
  page.evaluate(`(async () => {
    const fixtures = { things: [{ _id: 'a', n: 1 }, { _id: 'b', n: 2 }] }
    const mock = await tab.startMock({ fixtures, queryBudget: 60000 })
    const get = (path, init) => mock.fetch('/api/2018-10-01' + path, init)
    const { 'X-Account-Id': id, 'X-Auth-Token': token } = await (await get('/login', {
      method: 'POST', body: new URLSearchParams({ username: 'demo', password: 'demo' }) })).json()
    const headers = { 'X-Account-Id': id, 'X-Auth-Token': token }
    try { ${program} } finally { await mock.close() }
  })()`)

t.test('a mock in a tab has the members of one in Node', SKIP, async (t) => {
  const { page, errors } = await openTab(t)
  const members: string[] = await page.evaluate(
    `tab.startMock({ fixtures: {} }).then((mock) => Object.keys(mock))`,
  )
  t.same(
    members.toSorted(),
    'app clock close expectRequests explain faults fetch footprint requests reset restore run sandbox scenario seed snapshot toScenario url'.split(
      ' ',
    ),
  )
  const program = `
    const seeded = mock.seed({ things: [{ name: 'a thing' }] })
    await mock.clock.freeze()
    await mock.clock.advance(1000)
    mock.faults.add({ path: '/api/*/things', status: 503, times: 1 })
    const statuses = []
    for (const _ of [1, 2]) statuses.push((await get('/things', { headers })).status)
    const found = await mock.requests({ path: '/api/2018-10-01/things' })
    const wrong = await mock.expectRequests({ method: 'DELETE' }).catch((error) => error)
    const sandbox = mock.sandbox('one')
    const scenario = await mock.toScenario()
    return { seeded: seeded.things.length, statuses, found: found.length, frozen: mock.clock.frozen,
      url: sandbox.url, error: wrong.name, scenario: Object.keys(scenario) }`
  t.same(await run(page, program), {
    seeded: 1,
    statuses: [503, 200],
    found: 2,
    frozen: true,
    url: 'http://localhost:4000/sandboxes/one',
    error: 'AssertionError',
    scenario: ['items', 'clock'],
  })
  t.same(errors, [])
})

t.test('requests end as those of fetch do', SKIP, async (t) => {
  const { page, errors } = await openTab(t)
  for (const [title, program, expected] of [
    [
      'a dropped connection is an error of the network',
      `mock.faults.add({ path: '/api/*/things', drop: 'reset' })
       return get('/things', { headers }).catch((error) => [error.name, error.message])`,
      ['TypeError', 'fetch failed'],
    ],
    [
      'half a body is one, too',
      `mock.faults.add({ path: '/api/*/things', drop: 'truncate' })
       return get('/things', { headers }).then((response) => response.text()).catch((error) => error.name)`,
      'TypeError',
    ],
    [
      'a request that hangs can be aborted',
      `mock.faults.add({ path: '/api/*/things', drop: 'hang' })
       const signal = AbortSignal.timeout(50)
       return get('/things', { headers, signal }).catch((error) => error.name)`,
      'TimeoutError',
    ],
    [
      'a body arrives as bytes of UTF-8',
      `const response = await get('/things/a', { method: 'PATCH', headers: { ...headers, 'content-type': 'application/json' },
         body: JSON.stringify({ name: 'Å ☃ 𝒳' }) })
       return (await response.json()).data.name`,
      'Å ☃ 𝒳',
    ],
    [
      'a HEAD has no body, and a 404 has one',
      `const [head, missing] = [await get('/things', { method: 'HEAD', headers }), await get('/nothing', { headers })]
       return [head.status, await head.text(), missing.status, (await missing.json()).data.code]`,
      [200, '', 404, 'ROUTE_NOT_FOUND'],
    ],
    [
      'events arrive while the stream is open, and its reader can end it',
      `const reader = (await mock.fetch('/__admin/events')).body.pipeThrough(new TextDecoderStream()).getReader()
       let text = (await reader.read()).value
       mock.reset()
       while (!text.includes('event: reset')) text += (await reader.read()).value
       await reader.cancel()
       return /^id: 0|event: start/m.test(text)`,
      true,
    ],
    [
      'the host of a request does not matter',
      `const request = new Request('https://platform.example/api/2018-10-01/things', { headers })
       return (await (await mock.fetch(request)).json()).data.length`,
      2,
    ],
    [
      'a list of more than one buffer is whole',
      `mock.seed({ things: Array.from({ length: 20 }, (_, index) => ({ _id: 't' + index, text: 'x'.repeat(1e5) })) })
       const { data } = await (await get('/things', { headers })).json()
       return data.length ?? data`,
      20,
    ],
  ] as const)
    t.same(await run(page, program), expected, title)
  t.same(errors, [])
})

t.test('what a browser can not do is refused by its name', SKIP, async (t) => {
  const { page, errors } = await openTab(t)
  for (const [options, message] of [
    ['{ fixtures: {}, port: 4000 }', 'port needs Node: a mock in a browser has no such option'],
    ['{ fixtures: {}, state: "x" }', 'state needs Node: a mock in a browser has no such option'],
    ['{ fixtures: "folder" }', /^fixtures must be an object .* materials-mock\/browser\/fixtures$/],
    ['{}', /^fixtures must be an object/],
    ['{ fixtures: {}, jurnal: 1 }', /jurnal.*journal/],
    ['{ fixtures: { materials: [{ _id: 1 }] } }', /_id must be/],
  ] as const) {
    const thrown = await page.evaluate(`tab.startMock(${options}).catch((error) => error.message)`)
    t.match(thrown, message, options)
  }
  t.same(errors, [])
})
