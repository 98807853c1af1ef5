import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import t from 'tap'
import type { Test } from 'tap'

import { Callers } from '../../src/http/callers.js'
import type { CallerOptions } from '../../src/http/callers.js'
import { startMock } from '../../src/mock/start-mock.js'
import { BASE, build } from '../helpers/build.js'
import { sendBytes } from '../helpers/send-bytes.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [{ _id: 'm1' }],
}
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const API = `${BASE}/materials`
const EVIL = 'https://evil.example'

type Verdict = 'in' | 'any page' | 'name' | 'page'

/** Returns how a server takes a call. */
function decide(
  options: Partial<CallerOptions>,
  headers: Record<string, string>,
  { method = 'GET', url = API } = {},
): Verdict {
  const callers = new Callers({ host: '127.0.0.1', cors: true, ...options })
  try {
    return callers.admit({ method, url, headers }) ? 'any page' : 'in'
  } catch (error) {
    return (error as Error).message.startsWith('this server') ? 'name' : 'page'
  }
}

t.test(
  'a server is called by the names of this computer, addresses and allowed names',
  async (t) => {
    const named = { host: 'Mock.example', allowedHosts: 'materials-mock,.Dev.example,[fe80::1]' }
    const cases: [host: string, verdict: Verdict, options?: Partial<CallerOptions>][] = [
      ['localhost', 'in'],
      ['LOCALHOST:4000', 'in'],
      ['localhost.:4000', 'in'],
      ['front.localhost:4000', 'in'],
      ['127.0.0.1:4000', 'in'],
      ['127.200.3.4', 'in'],
      ['127.1', 'in'],
      ['2130706433', 'in'],
      ['[::1]:4000', 'in'],
      ['192.168.1.5:4000', 'in'],
      ['[fe80::1]:4000', 'in'],
      ['0.0.0.0:4000', 'in'],
      ['Mock.Example:4000', 'in', named],
      ['materials-mock:4000', 'in', named],
      ['Dev.example', 'in', named],
      ['ann.dev.example:4000', 'in', named],
      ['mock.example', 'name'],
      ['a.materials-mock', 'name', named],
      ['evildev.example', 'name', named],
      ['dev.example.evil.example', 'name', named],
      ['evil.example', 'name'],
      ['localhost.evil.example', 'name'],
      ['127.0.0.1.evil.example', 'name'],
      ['evillocalhost', 'name'],
      ['127.999.999.999', 'name'],
      ['127.0.0.1.1', 'name'],
      ['1.2.3.4.5', 'name'],
      ['evil.example\\.localhost', 'name'],
      ['evil.example/.localhost', 'name'],
      ['evil.example?.localhost', 'name'],
      ['evil.example#.localhost', 'name'],
      ['localhost@evil.example', 'name'],
      ['evil.example@localhost', 'name'],
      ['[::1', 'name'],
      ['localhost:99999', 'name'],
      ['local host', 'name'],
      ['', 'name'],
    ]
    for (const [host, verdict, options = {}] of cases)
      t.equal(decide(options, { host }), verdict, host)
  },
)

t.test('the last name that was allowed lets no other in', async (t) => {
  const callers = new Callers({ host: '127.0.0.1', cors: true })
  const admit = (host: string) => callers.admit({ method: 'GET', url: API, headers: { host } })
  t.equal(admit('localhost'), false)
  t.throws(() => admit('evil.example'), { code: 'CALLER_FORBIDDEN' })
  t.throws(() => admit('evil.example'), { code: 'CALLER_FORBIDDEN' })
})

t.test('a page is of this computer, of the same host or of an allowed name', async (t) => {
  const named = { allowedHosts: 'materials-mock,.dev.example' }
  const lan = '192.168.1.5:4000'
  const cases: [headers: Record<string, string>, verdict: Verdict, options?: object][] = [
    [{}, 'in'],
    [{ origin: 'http://localhost:5173' }, 'in'],
    [{ origin: 'https://127.0.0.1' }, 'in'],
    [{ origin: 'http://[::1]:3000' }, 'in'],
    [{ origin: 'http://storybook.localhost:6006' }, 'in'],
    [{ origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' }, 'in'],
    [{ host: lan, origin: 'http://192.168.1.5:5173' }, 'in'],
    [{ host: lan, origin: 'http://192.168.1.6:5173' }, 'page'],
    [{ origin: 'https://materials-mock:5173' }, 'in', named],
    [{ origin: 'http://ann.dev.example' }, 'in', named],
    [{ origin: 'http://evildev.example' }, 'page', named],
    [{ host: 'materials-mock', origin: 'http://evil.example' }, 'page', named],
    [{ host: 'mock.example:1', origin: 'http://mock.example:2' }, 'in', { host: 'mock.example' }],
    [{ origin: 'http://mock.example' }, 'page', { host: 'mock.example' }],
    [{ origin: EVIL }, 'page'],
    [{ origin: EVIL, 'sec-fetch-site': 'same-site' }, 'page'],
    [{ origin: 'null' }, 'page'],
    [{ origin: 'null', 'sec-fetch-site': 'cross-site' }, 'page'],
    [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, 'in'],
    [{ origin: 'http://localhost.evil.example' }, 'page'],
    [{ origin: 'http://evil.example\\.localhost' }, 'page'],
    [{ origin: 'http://evil.example?.localhost' }, 'page'],
    [{ origin: 'http://evil.example@localhost' }, 'page'],
    [{ origin: 'file://localhost' }, 'page'],
    // A proxy of a dev server, or one that ends TLS.
    [{ origin: 'https://x.app.example', 'sec-fetch-site': 'same-origin' }, 'in'],
    // Without an Origin, the browser tells by other headers.
    [{ 'sec-fetch-site': 'cross-site' }, 'page'],
    [{ 'sec-fetch-site': 'cross-site', referer: 'http://localhost:5173/' }, 'in'],
    [{ 'sec-fetch-site': 'cross-site', referer: `${EVIL}/` }, 'page'],
    [{ 'sec-fetch-site': 'same-site' }, 'in'],
    [{ host: 'a.dev.example', 'sec-fetch-site': 'same-site' }, 'page', named],
    [{ 'sec-fetch-site': 'same-origin' }, 'in'],
    [{ 'sec-fetch-site': 'none' }, 'in'],
    [{ host: lan, referer: `${EVIL}/` }, 'page'],
    [{ host: lan, referer: 'http://192.168.1.5:5173/' }, 'in'],
    [{ referer: 'no URL' }, 'in'],
    // By a name that is no loopback name, a browser may tell nothing.
    [{ host: '0.0.0.0:4000', 'user-agent': 'Mozilla/5.0' }, 'any page'],
    [{ host: lan, 'user-agent': 'Mozilla/5.0', referer: 'http://192.168.1.5:4000/' }, 'in'],
    [{ host: lan, 'user-agent': 'Mozilla/5.0', 'sec-fetch-site': 'none' }, 'in'],
    [{ host: lan, 'user-agent': 'Mozilla/5.0', 'x-auth-token': 'x' }, 'in'],
    [{ host: lan, 'user-agent': 'curl/8' }, 'in'],
  ]
  for (const [headers, verdict, options = {}] of cases) {
    const decided = decide(options, { host: 'localhost:4000', ...headers })
    t.equal(decided, verdict, JSON.stringify(headers))
  }
})

t.test('options name other pages, open the API to all, or close it', async (t) => {
  const front = 'https://front.example'
  const named = { corsOrigin: `${front},http://localhost:3000,capacitor://localhost` }
  const open = { corsOrigin: '*' }
  const cases: [options: Partial<CallerOptions>, origin: string, url: string, verdict: Verdict][] =
    [
      [named, front, API, 'in'],
      [named, front, '/__admin/health', 'in'],
      [named, 'capacitor://localhost', API, 'in'],
      [named, 'http://localhost:3000', API, 'in'],
      [named, 'http://localhost:3001', API, 'page'],
      [named, 'http://front.example', API, 'page'],
      [named, 'null', API, 'page'],
      [{ corsOrigin: 'null' }, 'null', API, 'in'],
      [open, EVIL, API, 'any page'],
      [open, 'null', '/storage/f', 'any page'],
      [open, EVIL, '/__admin/health', 'page'],
      [open, EVIL, '/oidc/token', 'page'],
      [open, EVIL, '/elsewhere', 'page'],
      [open, EVIL, '/apis', 'page'],
      [open, 'http://localhost:3000', '/__admin/health', 'in'],
      [{ cors: false }, 'http://localhost:3000', API, 'page'],
      [{ cors: false }, 'http://localhost:4000', API, 'in'],
    ]
  for (const [options, origin, url, verdict] of cases) {
    const name = `${JSON.stringify(options)} ${origin} ${url}`
    t.equal(decide(options, { host: 'localhost:4000', origin }, { url }), verdict, name)
  }
  for (const corsOrigin of [
    'http://a.example:80',
    'https://a.example:443',
    'http://:::',
    'a://b/',
  ]) {
    await t.rejects(build(t, { fixtures: FIXTURES, corsOrigin }), {
      code: 'OPTIONS_INVALID',
      message: corsOrigin,
    })
  }
})

t.test('a link opens own pages and signed files, and nothing else', async (t) => {
  const link = { host: 'localhost:4000', 'sec-fetch-site': 'cross-site', referer: `${EVIL}/` }
  for (const [url, verdict] of [
    ['/', 'in'],
    ['/?scenario=demo', 'in'],
    ['/explorer', 'in'],
    ['/ui/index-ABCDEFGH.js', 'in'],
    ['/sandboxes/ann', 'in'],
    ['/storage/a/b?signature=x', 'in'],
    ['/sandboxes/ann/more', 'page'],
    ['/elsewhere', 'page'],
    ['//', 'page'],
    [`${BASE}/logout`, 'page'],
    [API, 'page'],
    ['/__admin/fixtures/materials', 'page'],
    ['/oidc/device', 'page'],
  ] as const) {
    t.equal(decide({}, link, { url }), verdict, url)
    t.equal(decide({}, link, { url, method: 'POST' }), 'page', `POST ${url}`)
    t.equal(decide({}, { ...link, origin: EVIL }, { url }), 'page', `with an Origin: ${url}`)
  }
})

/** A deployment that counts what reaches it, and answers with a document. */
async function startDeployment(t: Test) {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`)
    response.setHeader('content-type', 'application/json').end('{"data":[]}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

t.test('the rule holds for every path in every spelling, over a connection', async (t) => {
  const deployment = await startDeployment(t)
  const mock = await startMock({
    fixtures: FIXTURES,
    upstream: deployment.url,
    logLevel: 'silent',
  })
  t.teardown(() => mock.close())
  const port = Number(new URL(mock.url).port)
  const paths = [
    API,
    `${BASE}/login`,
    `${BASE}/charts`,
    '/%61pi/2018-10-01/materials',
    '/api/../__admin/reset',
    '/__admin/reset',
    '/%5F_admin/reset',
    '/__ADMIN/reset',
    '/sandboxes/x/__admin/reset',
    '/sandboxes/x/api/2018-10-01/materials',
    'http://localhost/__admin/reset',
    '/oidc/token',
    '/OIDC/token',
    '/storage/f',
    '/elsewhere',
    '/nowhere/../elsewhere',
    '/',
    '/explorer',
  ]
  const attacks: [name: string, headers: string][] = [
    ['a rebound name', `Host: evil.example`],
    ['a rebound name with its page', `Host: evil.example\r\nOrigin: http://evil.example`],
    ['a page of another site', `Host: localhost\r\nOrigin: ${EVIL}`],
    [
      'a file, or a sandboxed frame',
      `Host: localhost\r\nOrigin: null\r\nSec-Fetch-Site: cross-site`,
    ],
  ]
  const before = (await mock.requests()).length
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      for (const [name, headers] of attacks) {
        const text = `${method} ${path} HTTP/1.1\r\n${headers}\r\nX-Account-Id: ann\r\nX-Auth-Token: ann-token\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
        const answer = await sendBytes(port, text)
        t.match(answer, / 403 .*--allowed-hosts/s, `${name}: ${method} ${path}`)
        t.notMatch(answer, /access-control-allow|materials-mock-upstream/i)
      }
    }
  }
  t.same(deployment.received, [])
  t.equal((await mock.requests()).length, before, 'nothing is recorded')
  for (const path of ['/OIDC/token', '/__ADMIN/health', '/Sandboxes/x/OIDC/token'])
    t.equal((await fetch(mock.url + path)).status, 404, `${path} is not passed on`)
  t.same(deployment.received, [])
  t.equal((await fetch(`${mock.url}${BASE}/charts`)).status, 200)
  t.same(deployment.received, [`GET ${BASE}/charts`], 'a program is let in')
})

t.test("--cors-origin '*' opens what the mock itself has, and no deployment", async (t) => {
  const deployment = await startDeployment(t)
  const options = { upstream: deployment.url, corsOrigin: '*', logLevel: 'silent' } as const
  const mock = await startMock({ fixtures: FIXTURES, ...options })
  t.teardown(() => mock.close())
  const page = { origin: EVIL, ...ANN, 'x-mock-page': 'true' }
  const response = await fetch(mock.url + API, { headers: page })
  t.equal(response.status, 200)
  t.equal(response.headers.get('access-control-allow-origin'), EVIL)
  t.equal((await mock.requests()).length, 1, 'the page does not hide')
  t.equal((await fetch(`${mock.url}${BASE}/charts`, { headers: page })).status, 404)
  t.same(deployment.received, [])
})

t.test('each refusal is one line on the terminal, which names the option', async (t) => {
  const lines: string[] = []
  const log = { warn: (line: string) => lines.push(line) }
  const callers = new Callers({ host: '127.0.0.1', cors: true })
  const refuse = (headers: Record<string, string>) =>
    t.throws(() => callers.admit({ method: 'GET', url: API, headers }, log as never), {
      code: 'CALLER_FORBIDDEN',
    })
  for (let count = 0; count < 3; count += 1) {
    refuse({ host: 'localhost', origin: 'https://front.example' })
    refuse({ host: 'mock.test:4000' })
    refuse({ host: 'localhost', origin: 'null' })
    refuse({ host: 'localhost', 'sec-fetch-site': 'cross-site' })
    refuse({ host: '\u009b31m', origin: EVIL })
  }
  const all = "--cors-origin '*' opens /api and /storage to all pages"
  t.same(lines, [
    'a request of a page of "https://front.example" was refused; --cors-origin https://front.example lets it in',
    'a request by the name "mock.test" was refused; --allowed-hosts mock.test lets it in',
    `a request of a page of "null" was refused; ${all}`,
    `a request of a page of another site was refused; ${all}`,
    'a request by the name "\u009b31m" was refused; --allowed-hosts NAME lets it in',
  ])
  for (let count = 0; count < 50; count += 1)
    refuse({ host: 'localhost', origin: `https://front-${count}.example` })
  t.equal(lines.length, 20, 'a page can not fill the terminal')
})

t.test('nobody is asked in the same process', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const headers = { host: 'evil.example', origin: EVIL, ...ANN }
  t.equal((await app.inject({ url: API, headers })).statusCode, 200)
  t.equal((await app.inject({ url: '/__admin/health', headers })).statusCode, 200)
})

t.test('URLs follow what a proxy says, if the host is an allowed one', async (t) => {
  const mock = await startMock({
    fixtures: FIXTURES,
    allowedHosts: '.app.example',
    logLevel: 'silent',
  })
  t.teardown(() => mock.close())
  const { host } = new URL(mock.url)
  const cases: [headers: Record<string, string>, url: string][] = [
    [{}, `http://${host}`],
    [
      { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'x-4000.app.example' },
      'https://x-4000.app.example',
    ],
    [
      { 'x-forwarded-proto': 'https,http', 'x-forwarded-host': 'a.app.example, b' },
      'https://a.app.example',
    ],
    [{ 'x-forwarded-proto': 'https' }, `https://${host}`],
    [{ 'x-forwarded-proto': 'javascript' }, `http://${host}`],
    [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' }, `http://${host}`],
    [{ 'x-forwarded-host': 'a.app.example/x' }, `http://${host}`],
    [
      { forwarded: 'for=1.2.3.4;proto=https;host="a.app.example:8443", for=2' },
      'https://a.app.example:8443',
    ],
    [{ forwarded: 'Host=a.app.example; Proto=HTTPS' }, 'https://a.app.example'],
    [{ forwarded: 'host=evil.example;proto=https' }, `http://${host}`],
    [{ forwarded: '=;;,=' }, `http://${host}`],
  ]
  for (const [headers, url] of cases) {
    const response = await fetch(`${mock.url}${BASE}/swagger.json`, { headers })
    const document = (await response.json()) as { servers: { url: string }[] }
    t.equal(document.servers[0]?.url, `${url}${BASE}`, JSON.stringify(headers))
  }
  const noHost = await sendBytes(Number(new URL(mock.url).port), `GET ${API} HTTP/1.0\r\n\r\n`)
  t.match(noHost, / 401 /, 'HTTP/1.0 needs no Host')
  const har = await fetch(`${mock.url}/__admin/requests.har`)
  t.equal(har.status, 200, 'though a request had no Host')
})
