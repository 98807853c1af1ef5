import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { Type } from '@sinclair/typebox'
import t from 'tap'
import type { Test } from 'tap'

import { ApiClient, getRetryDelay } from '@materials-mock/check'
import { parseFlags } from '../../src/cli/command.js'
import { REMOTE_OPTIONS, parseRemoteOptions } from '../../src/cli/remote/options.js'
import { RemoteSession, connect } from '../../src/cli/remote/session.js'
import { DeploymentUnusable } from '../../src/errors.js'
import { startMock } from '../../src/mock/start-mock.js'
import { BASE } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'

const URL = 'https://host/api/2018-10-01'
const SCHEMA = Type.Object(REMOTE_OPTIONS)
const LOGIN = { username: 'demo', password: 'demo' }

const parse = (argv: string[], environment: Record<string, string> = {}): object =>
  parseRemoteOptions(parseFlags(argv, SCHEMA, ['URL']), environment, SCHEMA)

t.test('credentials are flags or variables', async (t) => {
  const cases: [argv: string[], environment: Record<string, string>, options: object][] = [
    [[URL, '--username', 'a', '--password', 'b'], {}, { username: 'a', password: 'b' }],
    [['--username=a', '--password=-b', `${URL}/`], {}, { username: 'a', password: '-b' }],
    [[URL, '--account-id', 'a', '--token', 'b'], {}, { accountId: 'a', token: 'b' }],
    [[URL, '--username', 'a'], { MATERIALS_MOCK_PASSWORD: 'b' }, { username: 'a', password: 'b' }],
    [
      [URL],
      { MATERIALS_MOCK_ACCOUNT_ID: 'a', MATERIALS_MOCK_TOKEN: 'b', MATERIALS_MOCK_USERNAME: '' },
      { accountId: 'a', token: 'b' },
    ],
    [
      [URL, '--account-id', 'a', '--token', 'b'],
      { MATERIALS_MOCK_USERNAME: 'c', MATERIALS_MOCK_PASSWORD: 'd' },
      { accountId: 'a', token: 'b' },
    ],
  ]
  for (const [argv, environment, options] of cases)
    t.same(parse(argv, environment), { url: URL, ...options }, argv.join(' '))
})

t.test('the message for wrong credentials or a wrong URL shows no secret', async (t) => {
  const login = ['--username', 'a', '--password', 'secret']
  const cases: [argv: string[], message: RegExp][] = [
    [login, /^give the versioned root; URL is missing/],
    [
      ['https://host/api', ...login],
      /^URL must be the versioned root .* not "https:\/\/host\/api"$/,
    ],
    [['ftp://host/api/2018-10-01', ...login], /^URL must be the versioned root/],
    [[`${URL}?a=1`, ...login], /^URL must be the versioned root/],
    [['https://a:secret@host/api/2018-10-01', ...login], /not "https:\/\/…@host/],
    [[URL, 'more', ...login], /^Unexpected argument 'more'/],
    [
      [URL],
      /^give --username and --password, or --account-id and --token, .*; credentials are missing$/,
    ],
    [[URL, '--username', 'a'], /^give --username and --password, or .* both of one kind/],
    [[URL, '--token', 'secret'], /both of one kind/],
    [[URL, ...login, '--account-id', 'a', '--token', 'secret'], /none of the other/],
    [[URL, '--account-id', 'a', '--token', 'sec\nret'], /^--token must be text that a header can/],
    [[URL, ...login, '--pasword', 'x'], /^Unknown option '--pasword'/],
  ]
  for (const [argv, message] of cases) {
    t.throws(() => parse(argv), { code: 'OPTIONS_INVALID', message }, argv.join(' '))
    t.throws(() => parse(argv), { message: /^(?!.*sec\n?ret)/s })
  }
})

t.test('a connection has the credentials of a session of its own, and ends it', async (t) => {
  for (const loginEnvelope of ['flat', 'jsend'] as const) {
    const { url, app, close } = await startMock({ loginEnvelope, logLevel: 'silent' })
    t.teardown(close)
    const { client, headers, end } = await connect({ url: url + BASE, ...LOGIN }, 'materials')
    const send = () => client.send({ path: '/materials', headers: { ...headers } })
    t.match(await send(), { status: 200, json: { status: 'success' } })
    await end()
    t.equal((await send()).status, 401)
    t.equal(app.store.sessions.isValid(headers?.['X-Account-Id'] ?? '', 'x'), false)
    const right = { url: url + BASE, ...LOGIN, loginEnvelope }
    await (await RemoteSession.open(right, 'materials')).end()
    const wrong = { ...right, loginEnvelope: loginEnvelope === 'flat' ? 'jsend' : 'flat' } as const
    await t.rejects(RemoteSession.open(wrong, 'materials'), {
      code: 'DEPLOYMENT_UNUSABLE',
      message: `the login at ${url + BASE} answers as --login-envelope ${loginEnvelope}, not as ${wrong.loginEnvelope}`,
    })
  }
})

t.test('credentials that are given are tried, and never ended', async (t) => {
  const { url, close } = await startMock({ logLevel: 'silent' })
  t.teardown(close)
  const given = { accountId: 'oEb32zJWy27miFESb', token: 'demo-preferences-token' }
  for (let count = 0; count < 2; count += 1)
    await (await connect({ url: url + BASE, ...given }, 'materials')).end()
  await t.rejects(connect({ url: url + BASE, ...given, token: 'secret' }, 'materials'), {
    code: 'DEPLOYMENT_UNUSABLE',
    message: /^the credentials are wrong: the first list at http\S+ answers 401$/,
  })
  await t.rejects(connect({ url: url + BASE, ...given }, 'nope'), {
    code: 'DEPLOYMENT_UNUSABLE',
    message: `the first list at ${url + BASE}/nope answers 404; give the versioned root, such as https://host/api/2018-10-01, or another --resource than nope`,
  })
})

t.test('a deployment that cannot be used is told in one line, within 10 s', async (t) => {
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const silent = await listen(t, '')
  const cases: [root: string, message: RegExp][] = [
    [`${mock.url}/api/2019-01-01`, /^the login at \S+ answers 404; give the versioned root/],
    [await listen(t, 'SSH-2.0-x\r\n'), /^no answer from \S+: what it sends is not HTTP/],
    [silent, /did not answer in time$/],
    [
      await listen(t, 'HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n'),
      /^the login at \S+ answers 503$/,
    ],
    [
      await listen(t, 'HTTP/1.1 400 B\r\nLocation: https://b/\r\nContent-Length: 0\r\n\r\n'),
      /^the login at \S+ answers 400$/,
    ],
    [
      await listen(t, 'HTTP/1.1 301 M\r\nLocation: https://b/api/2018-10-01/login\r\n\r\n'),
      /^\S+ redirects; give the URL that it redirects to: https:\/\/b\/api\/2018-10-01$/,
    ],
    [
      await listen(t, 'HTTP/1.1 307 T\r\nLocation: /v2/api/2018-10-01/login\r\n\r\n'),
      /redirects to: http:\/\/127\.0\.0\.1:\d+\/v2\/api\/2018-10-01$/,
    ],
    [await listen(t, 'HTTP/1.1 307 T\r\nLocation: http://\r\n\r\n'), /redirects to: http:\/\/$/],
    [`http://127.0.0.1:1${BASE}`, /^no answer from http:\/\/127\.0\.0\.1:1\S+: (?!fetch failed)/],
  ]
  const { timeout } = AbortSignal
  const deadlines: number[] = []
  let hurry = 1
  replace(t, AbortSignal, 'timeout', (ms: number) => {
    deadlines.push(ms)
    return timeout.call(AbortSignal, ms / hurry)
  })
  for (const [url, message] of cases) {
    deadlines.length = 0
    hurry = url === silent ? 100 : 1
    const error = await connect({ url, ...LOGIN }, 'materials').catch((each: Error) => each)
    t.ok(error instanceof DeploymentUnusable, url)
    t.match((error as Error).message, message)
    t.notMatch((error as Error).message, '\n')
    t.ok(Math.min(...deadlines) < 10_000, url)
  }
  await t.rejects(connect({ url: mock.url + BASE, ...LOGIN, password: 'secret' }, 'materials'), {
    message: /^the credentials are wrong: the login at \S+ answers 401$/,
  })
})

t.test('the deadline of a connection survives a garbage collection', async (t) => {
  const silent = await listen(t, '')
  const { timeout } = AbortSignal
  replace(t, AbortSignal, 'timeout', (ms: number) => timeout.call(AbortSignal, ms / 20))
  setFlagsFromString('--expose-gc')
  const timer = setInterval(runInNewContext('gc') as () => void, 50)
  t.teardown(() => clearInterval(timer))
  const { signal } = new AbortController()
  const start = performance.now()
  await t.rejects(connect({ url: silent, ...LOGIN }, 'materials', { signal, timeout: 100_000 }), {
    message: /did not answer in time$/,
  })
  t.ok(performance.now() - start < 3000)
})

t.test('the client waits as long as the server asks, and not forever', async (t) => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  const cases: [status: number, value: string | undefined, delay: number | undefined][] = [
    [429, '2', 2000],
    [503, 'Thu, 01 Jan 2026 00:00:03 GMT', 3000],
    [503, 'Thu, 01 Jan 2025 00:00:03 GMT', 0],
    [503, undefined, undefined],
    [503, '100000', undefined],
    [429, 'soon', undefined],
    [200, '2', undefined],
  ]
  for (const [status, value, delay] of cases) {
    const headers = new Headers(value === undefined ? {} : { 'retry-after': value })
    t.equal(getRetryDelay(status, headers, now), delay, `${status} ${value}`)
  }
  let count = 0
  const fetch = async (): Promise<Response> =>
    new Response('{}', { status: (count += 1) < 3 ? 429 : 200, headers: { 'retry-after': '0' } })
  const waits: number[] = []
  const client = new ApiClient(URL, { fetch, onWait: (ms) => waits.push(ms) })
  t.match(await client.send({ path: '/materials' }), { status: 200, json: {} })
  t.same(waits, [0, 0])
  count = -100
  t.equal((await client.send({ path: '/materials' })).status, 429)
})

t.test('an answer without an end is not read to its end', async (t) => {
  let count = 0
  const chunk = new Uint8Array(1e6)
  const fetch = async (): Promise<Response> =>
    new Response(
      new ReadableStream({
        pull: (controller) => {
          count += 1
          controller.enqueue(chunk)
        },
      }),
    )
  const problem = 'the answer has more than 256 MB'
  await t.rejects(new ApiClient(URL, { fetch }).send({ path: '/materials' }), { message: problem })
  t.ok(count < 300)
  await t.rejects(connect({ url: URL, ...LOGIN }, 'materials', { fetch }), {
    code: 'DEPLOYMENT_UNUSABLE',
    message: `no answer from ${URL}: ${problem}`,
  })
})

const nest = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

t.test('JSON that is nested too deep, or has too large a number, is no answer', async (t) => {
  for (const [text, message] of [
    [nest(103), 'the answer must have at most 102 levels of JSON'],
    [nest(200_000), 'the answer must have at most 102 levels of JSON'],
    [`[1e400, ${nest(5000)}]`, /^the answer must be a number that a double can hold/],
  ] as const) {
    const client = new ApiClient(URL, { fetch: async () => new Response(text) })
    await t.rejects(client.send({ path: '/materials' }), { message })
  }
  const client = new ApiClient(URL, { fetch: async () => new Response(nest(102)) })
  t.match(await client.send({ path: '/materials' }), { json: [[]] })
})

/** Starts a server that answers every connection with a text. Returns a versioned root. */
async function listen(t: Test, text: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (text !== '') socket.end(text)
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  server.unref()
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`
}
