import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'

import fc from 'fast-check'
import t from 'tap'
import type { Test } from 'tap'
import ts from 'typescript'

import { startMock } from '../../../src/mock/start-mock.js'
import type { Mock } from '../../../src/mock/members.js'
import { build } from '../../helpers/build.js'

const API = '/api/2018-10-01'
const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'ann-password', tokens: ['ann-token'] }],
  materials: [{ _id: 'm1', formula: 'Si' }],
}
const HEADERS = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const JSON_HEADERS = { ...HEADERS, 'content-type': 'application/json' }
const FIELDS = { _id: 0, method: 1, path: 1, query: 1, projection: 1, body: 1 }

async function start(t: Test): Promise<Mock> {
  const mock = await startMock({ fixtures: FIXTURES, logLevel: 'silent' })
  t.teardown(() => mock.close())
  return mock
}

const getTest = async (mock: Mock, parameters: Record<string, string> = {}): Promise<string> =>
  (await mock.fetch(`/__admin/requests.test?${new URLSearchParams(parameters)}`)).text()

/** Sends the requests of a front end, one of which may differ. */
async function sendAll(
  mock: Mock,
  { method = 'GET', id = 'm1', formula = 'Si', limit = 2, name = 'x' },
) {
  const login = new URLSearchParams({ username: 'ann', password: 'ann-password' })
  await mock.fetch(`${API}/login`, { method: 'POST', body: login })
  const query = JSON.stringify({ $or: [{ formula }] })
  const list = new URLSearchParams({ query, projection: JSON.stringify({ limit }) })
  await mock.fetch(`${API}/materials?${list}`, { headers: HEADERS })
  await mock.fetch(`${API}/materials/${id}`, { method, headers: HEADERS })
  const create = { method: 'PUT', headers: JSON_HEADERS, body: JSON.stringify({ name }) }
  await mock.fetch(`${API}/materials/create`, create)
}

const expect = Object.assign(
  (found: unknown) => ({ toEqual: (wanted: unknown) => assert.deepEqual(found, wanted) }),
  {
    poll: (find: () => Promise<unknown>) => ({
      toEqual: async (wanted: unknown) => assert.deepEqual(await find(), wanted),
    }),
  },
)

/** Runs the text of a test in TypeScript. Each `import` is replaced. */
async function runText(text: string, mock: object, send: () => unknown = () => undefined) {
  const code = text
    .replace(/^import .*\n/gm, '')
    .replace('// run the code under test against mock.url here', 'await send()')
  const tests: (() => Promise<void>)[] = []
  const names = ['test', 'expect', 'startMock', 'connectMock', 'send'] as const
  const page = { setExtraHTTPHeaders: () => undefined, goto: send }
  const test = (_name: string, each: (fixtures: object, info: object) => Promise<void>) =>
    tests.push(() => each({ page }, { testId: 'test' }))
  const connect = async () => ({ sandbox: async () => mock })
  new Function(...names, code)(test, expect, async () => mock, connect, send)
  assert.equal(tests.length, 1)
  for (const each of tests) await each()
}

t.test('the test is that of the runner, and has no secrets', async (t) => {
  const mock = await start(t)
  mock.faults.add({ path: '/api/*/materials/m2', status: 503, times: 2 })
  await sendAll(mock, {})
  const vitest = await getTest(mock)
  t.equal(vitest, await getTest(mock, { language: 'vitest' }), 'the default')
  t.match(
    vitest,
    /^import \{ expect, test \} from 'vitest'\nimport \{ startMock \} from 'materials-mock'\n/,
  )
  t.match(
    vitest,
    '    mock.faults.add({"path": "/api/*/materials/m2", "status": 503, "times": 2})\n',
  )
  t.match(vitest, '    // run the code under test against mock.url here\n')
  const login =
    '{"method": "POST", "path": "/api/2018-10-01/login", "query": null, "projection": null, "body": {"username": "ann", "password": "***"}},'
  t.match(vitest, `toEqual([\n      ${login}\n`)
  const playwright = await getTest(mock, { language: 'playwright' })
  t.match(playwright, `connectMock("${mock.url}")\n  const mock = await server.sandbox(testId)\n`)
  t.match(
    playwright,
    '    await mock.faults.add({"path": "/api/*/materials/m2", "status": 503, "times": 2})\n',
  )
  t.match(playwright, "    await page.setExtraHTTPHeaders({ 'X-Mock-Sandbox': testId })\n")
  t.match(
    playwright,
    '    await page.goto("http://localhost:3000/") // the address of the front end',
  )
  t.match(playwright, `toEqual([\n      ${login}\n`)
  const pytest = await getTest(mock, { language: 'pytest' })
  t.match(
    pytest,
    /^def test_the_requests_are_as_recorded\(mock\):\n {4}mock\.faults\.add\(\*\*\{"path"/,
  )
  t.match(pytest, '"query": None')
  for (const text of [vitest, playwright, pytest]) t.notMatch(text, /ann-password|ann-token/)
})

t.test('it passes with the same requests, and names the one that differs', async (t) => {
  const mock = await start(t)
  await sendAll(mock, {})
  const text = await getTest(mock)
  const cases: [name: string, change: Parameters<typeof sendAll>[1], named?: RegExp][] = [
    ['the same requests', {}],
    ['another method', { method: 'DELETE' }, /DELETE/],
    ['another path', { id: 'm2' }, /materials\/m2/],
    ['another query', { formula: 'Ge' }, /formula: 'Ge'/],
    ['another projection', { limit: 3 }, /limit: 3/],
    ['another body', { name: 'y' }, /name: 'y'/],
  ]
  for (const [name, change, named] of cases) {
    const other = await start(t)
    const run = runText(text, other, () => sendAll(other, change))
    if (named === undefined) await t.resolves(run, name)
    else await t.rejects(run, { message: named }, name)
  }
  await t.rejects(runText(text, await start(t)), { message: /login/ }, 'no request')
})

t.test('it has what the query selects, and says what the journal has lost', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, journal: 2 })
  for (const name of ['a', 'b', 'c'])
    await app.inject({ method: 'GET', url: `${API}/materials/${name}`, headers: HEADERS })
  const get = (search: string) => app.inject(`/__admin/requests.test?${search}`)
  const response = await get(`query=${encodeURIComponent('{"path": {"$regex": "c$"}}')}`)
  t.match(response.headers, { 'content-type': 'text/plain; charset=utf-8' })
  t.match(
    response.body,
    'mock.requests({"$and": [{"path": {"$regex": "c$"}}, {"method": {"$ne": "OPTIONS"}}]}, {"sort": {"resource": 1, "_id": 1}, "fields"',
  )
  t.match(response.body, '// The journal has only the last 2 requests (--journal)\n')
  t.match(response.body, 'materials/c"')
  t.notMatch(response.body, 'materials/b"')
  t.match((await get('language=jest')).json(), {
    status: 'error',
    message: /^language must be .*vitest.*playwright.*pytest.*, not "jest"$/,
  })
  t.match((await get('query={"nothing":1}')).json(), { status: 'error' })
})

t.test('it has no preflights, and nothing of the page of the mock', async (t) => {
  const mock = await start(t)
  const origin = 'http://front.example'
  const preflight = { origin, 'access-control-request-method': 'GET' }
  await mock.fetch(`${API}/materials`, { method: 'OPTIONS', headers: preflight })
  for (const mark of ['true', 'replay'])
    await mock.fetch(`${API}/jobs`, { headers: { ...HEADERS, 'x-mock-page': mark } })
  const referer = 'http://front.example/"list'
  await mock.fetch(`${API}/materials`, { headers: { ...HEADERS, origin, referer } })
  for (const language of ['vitest', 'playwright', 'pytest']) {
    const text = await getTest(mock, { language })
    t.equal(text.match(/"path": "/g)?.length, 1)
    t.match(text, '"path": "/api/2018-10-01/materials"')
    t.equal(text.includes('page.goto("http://front.example/\\"list")'), language === 'playwright')
  }
})

t.test('it opens the front end that has sent its requests, and no other page', async (t) => {
  const cases: [headers: Record<string, string>, page: string][] = [
    [{ referer: 'https://evil.example/' }, 'http://localhost:3000/'],
    [
      { referer: 'https://evil.example/', 'sec-fetch-site': 'cross-site' },
      'http://localhost:3000/',
    ],
    [{ referer: 'https://evil.example/', origin: 'http://a.example' }, 'http://localhost:3000/'],
    [{ referer: 'javascript:alert(1)', origin: 'null' }, 'http://localhost:3000/'],
    [{ referer: 'http://a.example/b', origin: 'http://a.example' }, 'http://a.example/b'],
    [{ referer: 'http://a.example/b', 'sec-fetch-site': 'same-origin' }, 'http://a.example/b'],
  ]
  for (const [headers, page] of cases) {
    const mock = await start(t)
    await mock.fetch(`${API}/materials`, { headers: { ...HEADERS, ...headers } })
    const text = await getTest(mock, { language: 'playwright' })
    t.match(text, `page.goto("${page}")`, JSON.stringify(headers))
  }
})

const list = (resource: string, to: Mock) => to.fetch(`${API}/${resource}`, { headers: HEADERS })

t.test('requests of several resources may come in another order', async (t) => {
  const mock = await start(t)
  for (const path of ['materials', 'accounts', 'materials/m1']) await list(path, mock)
  const text = await getTest(mock)
  const cases: [name: string, paths: string[]][] = [
    ['another order of resources', ['accounts', 'materials', 'materials/m1']],
    ['another order within one', ['accounts', 'materials/m1', 'materials']],
  ]
  for (const [name, paths] of cases) {
    const other = await start(t)
    const run = runText(text, other, async () => {
      for (const path of paths) await list(path, other)
    })
    if (name.includes('within')) await t.rejects(run, { message: /materials\/m1/ }, name)
    else await t.resolves(run, name)
  }
})

t.test('an id that the mock has made is any id, and no other', async (t) => {
  const account = 'Aaaaaaaaaaaaaaaa2'
  const mock = await startMock({
    fixtures: {
      accounts: [{ _id: account, username: 'ann', password: 'x', tokens: ['ann-token'] }],
      materials: [{ _id: 'Mmmmmmmmmmmmmmmm2', formula: 'Si' }],
    },
    logLevel: 'silent',
  })
  t.teardown(() => mock.close())
  const headers = { ...JSON_HEADERS, 'x-account-id': account }
  const made = await mock.fetch(`${API}/materials/create`, {
    method: 'PUT',
    headers,
    body: '{"name": "x"}',
  })
  const { data } = (await made.json()) as { data: { _id: string } }
  await mock.fetch(`${API}/materials/${data._id}`, { headers })
  const query = JSON.stringify({
    _id: 'Mmmmmmmmmmmmmmmm2',
    name: `(of ${data._id})`,
    'owner._id': account,
  })
  await mock.fetch(`${API}/materials?query=${encodeURIComponent(query)}`, { headers })
  const filter = { query: JSON.stringify({ path: { $ne: data._id } }) }
  const text = await getTest(mock, filter)
  t.notMatch(text.replace(`{"$ne": "${data._id}"}`, ''), data._id)
  t.match(text, '"path": expect.stringMatching("^/api/2018-10-01/materials/\\\\w{17}$")')
  t.match(text, '"_id": "Mmmmmmmmmmmmmmmm2"')
  t.match(text, '"name": expect.stringMatching("^\\\\(of \\\\w{17}\\\\)$")')
  t.match(text, `"owner._id": "${account}"`)
  const pytest = await getTest(mock, { ...filter, language: 'pytest' })
  t.match(pytest, '"path": Matching("/api/2018-10-01/materials/\\\\w{17}")')
})

const TRICKY = [
  '\u2028',
  '\ud800',
  '\0',
  '"""',
  "'",
  '\\',
  '${x}',
  '`',
  '\n',
  '{{',
  '%s',
  '😀',
  '\u202e',
]

/** Objects with texts of every kind, as keys and as values. */
const BODY = fc.dictionary(
  fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...TRICKY, '$or', 'a.b')),
  fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom<unknown>(...TRICKY, 1e300, -1.5e-7, 2 ** 53, true, false, null),
  ),
  { minKeys: 1, maxKeys: 4 },
)

/** Runs a test of Python with a mock that has given requests. Prints the expected ones. */
const PYTHON = `
import json, sys
text, requests = json.load(sys.stdin)
class Mock:
    def requests(self, query, projection):
        return requests
scope = {}
exec(compile(text, "test.py", "exec"), scope)
scope["test_the_requests_are_as_recorded"](Mock())
print("passed")
requests = requests[1:]
try:
    scope["test_the_requests_are_as_recorded"](Mock())
except AssertionError:
    print("failed")
`

t.test('texts of every kind are escaped for the language', async (t) => {
  const mock = await start(t)
  const bodies = fc.sample(BODY, { numRuns: 150, seed: 1 })
  for (const body of bodies) {
    const create = { method: 'PUT', headers: JSON_HEADERS, body: JSON.stringify(body) }
    await mock.fetch(`${API}/materials/create`, create)
  }
  await mock.fetch(`${API}/materials?query=${encodeURIComponent('{"a\'\\n": 1}')}`, {})
  const requests = await mock.requests({}, { sort: { _id: 1 }, fields: FIELDS })
  t.equal(requests.length, 151)
  const given = { requests: async () => requests, close: async () => undefined }
  for (const language of ['vitest', 'playwright']) {
    const text = await getTest(mock, { language })
    const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true })
    t.same(diagnostics, [], `the parser of TypeScript reads a test of ${language}`)
    await t.resolves(runText(text, given))
  }
  const input = JSON.stringify([await getTest(mock, { language: 'pytest' }), requests])
  const { stdout, stderr, error } = spawnSync('python3', ['-c', PYTHON], { input })
  if (error !== undefined) return t.comment('there is no Python')
  t.equal(`${stdout}${stderr}`, 'passed\nfailed\n')
})

t.test('a key that is a name of JavaScript is a key', async (t) => {
  const mock = await start(t)
  const text = encodeURIComponent('{"__proto__": {"a": 1}}')
  await mock.fetch(`${API}/materials?query=${text}`, { headers: HEADERS })
  const requests = await mock.requests({}, { sort: { _id: 1 }, fields: FIELDS })
  t.ok(Object.hasOwn(requests[0]?.query as object, '__proto__'))
  const given = { requests: async () => requests, close: async () => undefined }
  await t.resolves(runText(await getTest(mock), given))
})
