import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import fc from 'fast-check'
import t from 'tap'

import { createRandom } from '@materials-mock/structures'
import { sendRequest } from '../../bench/clients/send-request.js'
import { choose, chooseInteger, chooseWeighted } from '../../bench/soak/choose.js'
import { createAction } from '../../bench/soak/random-action.js'
import type { Action } from '../../bench/soak/random-action.js'
import { sendBytes } from '../../bench/soak/send-bytes.js'
import { formatSoakReport } from '../../bench/soak/soak-report.js'
import { parseSoakSettings } from '../../bench/soak/soak-settings.js'
import { findGrowth, MAX_GROWTH, toVitalSigns } from '../../bench/soak/vital-signs.js'

t.test('the flags set the minutes, clients and seed', async (t) => {
  const { seed, ...rest } = parseSoakSettings([])
  t.same(rest, { minutes: 10, clients: 8, state: false })
  t.ok(seed > 0)
  t.same(parseSoakSettings(['--minutes', '0.1', '--clients', '2', '--seed', '7']), {
    minutes: 0.1,
    clients: 2,
    seed: 7,
    state: false,
  })
  t.equal(parseSoakSettings(['--state']).state, true)
  const wrong: [args: string[], message: RegExp][] = [
    [['--minutes', '0'], /^--minutes must be a number above 0, not "0"$/],
    [['--minutes', 'Infinity'], /^--minutes must be a number above 0, not "Infinity"$/],
    [['--clients', '1.5'], /^--clients must be an integer above 0, not "1.5"$/],
    [['--seed', 'x'], /^--seed must be an integer above 0, not "x"$/],
    [['--hours', '1'], /Unknown option '--hours'/],
  ]
  for (const [args, message] of wrong) t.throws(() => parseSoakSettings(args), { message })
})

t.test('choices are among the values, and follow the weights', async (t) => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 9 }), (seed, end) => {
      const random = createRandom(seed)
      const number = chooseInteger(random, end)
      return Number.isInteger(number) && number >= 0 && number < end
    }),
  )
  t.same(
    [0, 0.5, 0.999].map((value) => choose(() => value, ['a', 'b'])),
    ['a', 'b', 'b'],
  )
  const weighted = [
    [1, 'a'],
    [0, 'never'],
    [3, 'b'],
  ] as const
  t.same(
    [0, 0.24, 0.25, 0.999].map((value) => chooseWeighted(() => value, weighted)),
    ['a', 'a', 'b', 'b'],
  )
})

const IDS = new Map([['materials', ['m1']]])

function createActions(seed: number): Action[] {
  const random = createRandom(seed)
  return Array.from({ length: 100 }, () => createAction(random, IDS))
}

t.test('the same seed gives the same actions', async (t) => {
  t.same(createActions(1), createActions(1))
  t.not(JSON.stringify(createActions(1)), JSON.stringify(createActions(2)))
})

t.test('the actions cover every route, fault and end of a connection', async (t) => {
  const random = createRandom(1)
  const actions = Array.from({ length: 5000 }, () => createAction(random, IDS))
  const requests = actions.flatMap((action) => (action.kind === 'request' ? [action.request] : []))
  const lines = requests.map(({ method, path, body = '' }) => `${method} ${path} ${body}`)
  const expected = [
    /^GET \/api\/2018-10-01\/materials\?query=/,
    /^HEAD /,
    /^GET \S*\/materials\/m1 /,
    /^GET \S*\/jobs\/[^/]+\/files/,
    /^GET \S*\/swagger\.json/,
    /^PUT \S*\/create /,
    /^PUT \S*\/create-set /,
    /^PATCH \S*\/m1 \{"\$push"/,
    /^DELETE \S*\/materials\/m1/,
    /^POST \S*\/copy/,
    /^POST \S*\/set-default/,
    /^POST \S*\/move-to-set\?newSetId=/,
    /^POST \S*\/materials\/import /,
    /^POST \S*\/submit/,
    /^POST \S*\/login /,
    /^POST \S*\/logout/,
    /^POST \/__admin\/faults .*"drop":"hang"/,
    /^POST \/__admin\/faults .*"delay"/,
    /^DELETE \/__admin\/faults /,
    /^POST \/__admin\/reset/,
    /^PUT \/__admin\/snapshots\/a/,
    /^POST \/__admin\/snapshots\/a\/restore/,
    /^GET \/__admin\/requests\?/,
    /^GET \/__admin\/requests\/count/,
    /^GET \/__admin\/explain\/materials/,
    /^TRACE /,
  ]
  for (const line of expected) {
    t.ok(
      lines.some((each) => line.test(each)),
      String(line),
    )
  }
  const bytes = actions.flatMap((action) => (action.kind === 'bytes' ? [action] : []))
  t.same([...new Set(bytes.map(({ ending }) => ending))].toSorted(), ['end', 'reset', 'wait'])
  for (const start of [
    'CONNECT ',
    'PRI * HTTP/2.0',
    'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade',
  ]) {
    t.ok(
      bytes.some((each) => each.bytes.toString('latin1').startsWith(start)),
      start,
    )
  }
})

t.test('growth beyond the bounds is a problem', async (t) => {
  const before = { resident: 2 ** 27, used: 2 ** 26, descriptors: 20 }
  t.same(findGrowth(before, before), [])
  t.same(
    findGrowth(before, {
      resident: before.resident + MAX_GROWTH.resident,
      used: before.used + MAX_GROWTH.used,
      descriptors: before.descriptors + MAX_GROWTH.descriptors,
    }),
    [],
  )
  t.same(findGrowth(before, { resident: 2 ** 30, used: 2 ** 27, descriptors: 26 }), [
    'resident memory grew by 896 MB; at most 128 MB is allowed',
    'memory in use grew by 64 MB; at most 32 MB is allowed',
    'open descriptors grew by 6; at most 5 is allowed',
  ])
  const { descriptors: _, ...unknown } = before
  t.same(findGrowth({ ...unknown, descriptors: undefined }, before), [])
})

t.test('the vital signs are those of the process', async (t) => {
  const memory = { rss: 3, heapUsed: 2, external: 1 }
  const { descriptors, ...rest } = toVitalSigns(process.pid, {
    cpu: { user: 0, system: 0 },
    memory,
  })
  t.same(rest, { resident: 3, used: 3 })
  if (process.platform === 'linux') t.ok((descriptors ?? 0) > 2)
  t.equal(toVitalSigns(2 ** 30, { cpu: { user: 0, system: 0 }, memory }).descriptors, undefined)
})

t.test('a report has the statuses, the growth and the verdict', async (t) => {
  const signs = { resident: 100 * 2 ** 20, used: 50 * 2 ** 20, descriptors: undefined }
  const result = { responses: { '404': 1, '200': 1500 }, before: signs, after: signs, problems: [] }
  t.equal(
    formatSoakReport(result),
    [
      '| response | times |',
      '| -------- | ----: |',
      '| 200      | 1,500 |',
      '| 404      |     1 |',
      '',
      '| after a reset and a garbage collection | before | after | growth allowed |',
      '| -------------------------------------- | -----: | ----: | -------------: |',
      '| resident memory, MB                    |    100 |   100 |            128 |',
      '| memory in use, MB                      |   50.0 |  50.0 |           32.0 |',
      '| open descriptors                       |    n/a |   n/a |              5 |',
      '',
      'ok',
    ].join('\n'),
  )
  const failed = formatSoakReport({ ...result, after: undefined, problems: ['the server ended'] })
  t.match(failed, /resident memory, MB +\| +100 \| +n\/a \|/)
  t.ok(failed.endsWith('FAILED\n- the server ended'))
})

t.test('a request has an outcome, whatever the server does', async (t) => {
  const server = createServer((request, response) => {
    if (request.url === '/hang') return
    if (request.url === '/reset') request.socket.resetAndDestroy()
    else if (request.url === '/half') response.writeHead(200, { 'content-length': 9 }).write('half')
    else response.writeHead(404).end('gone')
    if (request.url === '/half') setImmediate(() => request.socket.end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => {
    agent.destroy()
    server.close()
    server.closeAllConnections()
  })
  const send = (path: string, timeout = 5000): ReturnType<typeof sendRequest> =>
    sendRequest(agent, `http://127.0.0.1:${port}`, { method: 'GET', path }, timeout)
  t.same(await send('/'), { status: 404, text: 'gone' })
  t.same(await send('/hang', 20), { status: undefined, text: 'timeout' })
  t.same(await send('/reset'), { status: undefined, text: 'ECONNRESET' })
  t.match(await send('/half'), { status: undefined, text: /^(closed|ECONNRESET)$/ })

  const sendText = (text: string): Promise<number | undefined> =>
    sendBytes(port, { kind: 'bytes', bytes: Buffer.from(text), ending: 'wait' })
  t.equal(await sendText('GET / HTTP/1.1\r\nHost: a\r\n\r\n'), 404)
  t.equal(await sendText('no HTTP\r\n\r\n'), 400)
  t.equal(await sendText('GET / HTTP/1.1\r\n'), undefined)
})
