import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import t from 'tap'
import type { Test } from 'tap'

import { createRedactor } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import { parseCommand } from '../../../src/cli/commands.js'
import { record } from '../../../src/cli/record.js'
import { EMPTY_RESOURCES, build, listUrl, logIn, send } from '../../helpers/build.js'
import { COMMAND } from '../../helpers/command.js'
import { startDeployment } from './deployment.js'
import type { Interceptor } from './deployment.js'

const TOKEN = 'ann-token-of-the-preferences'
const PASSWORD = 'a-long-password-of-ann'

/** The order of the items is not that of their ids. Bob's own item is hidden from Ann. */
const MATERIALS = [
  { _id: 'm3', formula: 'Si', owner: { _id: 'ann', slug: 'ann-slug' }, n: 2 },
  { _id: 'm1', formula: 'Ge', n: 1.5, name: 'ä "quoted"\nline' },
  { _id: 'm4', formula: 'Si', owner: { _id: 'bob' } },
  { _id: 'Z2', formula: 'C', owner: { _id: 'curated' }, tags: ['a', 'b'] },
  { _id: 'm2', formula: 'Si', n: 2, isDefault: true },
]
const FIXTURES = {
  accounts: [
    { _id: 'ann', username: 'ann@example.org', password: PASSWORD, tokens: [TOKEN] },
    { _id: 'bob', username: 'bob', password: 'y' },
  ],
  jobs: Array.from({ length: 1300 }, (_, index) => ({ _id: `j${index}`, n: index % 7 })),
  materials: MATERIALS,
}
const CREDENTIALS = { username: 'ann@example.org', password: PASSWORD }

/** Runs a command quietly, and returns its result and what it printed. */
async function quiet<Result>(t: Test, run: () => Promise<Result>) {
  const out = t.capture(console, 'log')
  const error = t.capture(console, 'error')
  const progress = t.capture(process.stderr, 'write', () => true)
  try {
    const result = await run()
    const lines = [...out(), ...error()].map(({ args }) => args.join(' '))
    return { result, lines, progress: progress().map(({ args }) => String(args[0])) }
  } finally {
    out.restore()
    error.restore()
    progress.restore()
  }
}

const readAll = (folder: string): string =>
  readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')

t.test('the mock serves a recording with the same lists', async (t) => {
  const { url, mock, requests } = await startDeployment(t, { fixtures: FIXTURES })
  const out = join(t.testdir(), 'recorded')
  const { lines, progress } = await quiet(t, () => record.run({ url, ...CREDENTIALS, out }))
  const empty = ['properties', ...EMPTY_RESOURCES]
  t.same(lines, [
    `recorded materials (4), jobs (1300), ${empty.map((name) => `${name} (0)`).join(', ')} to ${out}`,
    `serve it with: materials-mock --fixtures ${out}; log in as recorded / recorded`,
  ])
  const none = empty.map((name) => `${name}: 0 items\n`)
  t.same(progress, ['materials: 4 items\n', 'jobs: 1300 items\n', ...none])
  t.equal(requests.at(-1), '/api/2018-10-01/logout', 'the session is ended')
  const app = await build(t, { fixtures: out })
  const recorded = await logIn(app, 'recorded', 'recorded')
  const original = await logIn(mock.app, CREDENTIALS.username, PASSWORD)
  const token = { 'x-account-id': 'ann', 'x-auth-token': 'recorded-token' }
  for (const path of [
    '/materials',
    listUrl('materials', { formula: 'Si' }),
    listUrl('materials', {}, { sort: { n: -1 } }),
    listUrl('jobs', { n: 3 }, { skip: 20, limit: 500 }),
    '/jobs',
  ]) {
    const list = (await send(mock.app, path, { headers: original })).json().data
    t.ok(list.length > 1)
    t.same((await send(app, path, { headers: recorded })).json().data, list, path)
    t.same((await send(app, path, { headers: token })).json().data, list, path)
  }
  const created = await send(app, '/materials/create', {
    method: 'PUT',
    headers: recorded,
    payload: { name: 'new' },
  })
  t.match(created.json(), { data: { owner: { _id: 'ann', slug: 'ann-slug' } } })
})

t.test('no secret stands in a recording', async (t) => {
  const secrets = {
    note: `curl -H 'X-Auth-Token: ${TOKEN}'`,
    apiKey: 'k-123',
    account: { accessTokens: ['t-123', { value: 't-456' }], tokenCount: 3 },
    signedUrl: 'https://bucket.example/a?X-Amz-Signature=s-123&X-Amz-Credential=c-123&size=5',
    repository: 'https://user:p-123@example.org/x',
    header: 'Authorization: Bearer b-12345678',
    [PASSWORD]: 1,
  }
  const fixtures = { ...FIXTURES, jobs: [{ _id: 'j1', name: 'kept', ...secrets }] }
  for (const credentials of [CREDENTIALS, { accountId: 'ann', token: TOKEN }]) {
    const { url } = await startDeployment(t, { fixtures })
    const out = join(t.testdir(), 'recorded')
    const options = { url, ...credentials, out, resource: 'jobs,materials' }
    const redact = 'materials.nothing,tags,owner.slug,n'
    const { lines } = await quiet(t, () => record.run({ ...options, redact }))
    t.ok(lines.includes('materials-mock: --redact: no recorded item has materials.nothing'))
    const text = readAll(out)
    const hidden = ['k-123', 't-123', 't-456', 's-123', 'c-123', 'p-123', 'b-12345678']
    for (const secret of [TOKEN, ...hidden, 'ann@example.org', 'ann-slug'])
      t.notOk(text.includes(secret), secret)
    if ('password' in credentials) t.notOk(text.includes(PASSWORD))
    t.match(text, /"name":"kept".*"tokenCount":3.*size=5/)
    t.match(text, /"_id":"Z2".*"tags":\[\]/, 'an emptied value keeps its type')
    t.match(text, /"_id":"m3".*"n":0/)
    t.same(JSON.parse(readFileSync(join(out, 'recording.info'), 'utf8')), {
      url,
      resource: 'jobs,materials',
      accountId: 'ann',
      query: {},
      limit: null,
      redact: redact.split(','),
    })
  }
})

t.test('a password that is the username is no secret', async (t) => {
  const { url } = await startDeployment(t, {})
  const out = join(t.testdir(), 'recorded')
  await quiet(t, () => record.run({ url, username: 'demo', password: 'demo', out }))
  t.match(readAll(out), '"slug":"demo"')
  const app = await build(t, { fixtures: out })
  t.ok((app.store.collections.get('materials')?.size ?? 0) > 50)
})

t.test('query, limit and resource decide what is recorded', async (t) => {
  const { url, requests } = await startDeployment(t, { fixtures: FIXTURES })
  const folder = t.testdir()
  const options = { url, ...CREDENTIALS, out: join(folder, 'a/') }
  const { lines } = await quiet(t, () =>
    record.run({ ...options, resource: 'jobs', query: '{"n": 3}', limit: 100 }),
  )
  t.equal(lines[0], `recorded jobs (100) to ${folder}/a/`)
  const ids = readFileSync(join(folder, 'a/jobs.jsonl'), 'utf8').match(/j\d+/g)
  const matching = FIXTURES.jobs.filter(({ n }) => n === 3).map(({ _id }) => _id)
  t.same(ids?.toSorted(), matching.toSorted().slice(0, 100), 'the first ones by _id')
  t.ok(requests.some((path) => path.includes('"limit":100')))
  await t.rejects(
    quiet(t, () => record.run({ ...options, out: join(folder, 'b'), resource: 'jobs,nothing' })),
    {
      code: 'DEPLOYMENT_UNUSABLE',
      message: /^nothing: the server has no such resource \(404\); the platform has .*jobs, [^;]*$/,
    },
  )
})

t.test('a recording has no resource with the name of another file of fixtures', async (t) => {
  const flags = { URL: 'http://a.test/api/2018-10-01', username: 'a', password: 'b', out: 'c' }
  for (const resource of ['accounts', 'jobs,scenarios']) {
    t.throws(() => record.parse({ ...flags, resource }, {}, undefined), {
      code: 'OPTIONS_INVALID',
      message: /^--resource must be names of resources .* and not accounts or scenarios, not/,
    })
  }
  const { resource } = record.parse({ ...flags, resource: 'bank-accounts' }, {}, undefined)
  t.equal(resource, 'bank-accounts')
})

t.test('a deployment whose lists drop the query is recorded as any other', async (t) => {
  const materials = MATERIALS.map((item) => ({ ...item, inSet: [{ _id: 's' }] }))
  const fixtures = { accounts: FIXTURES.accounts, materials }
  const { url } = await startDeployment(t, { fixtures, lists: 'migrated' })
  const out = join(t.testdir(), 'recorded')
  const options = { url, ...CREDENTIALS, out, resource: 'materials', query: '{"formula":"Si"}' }
  await quiet(t, () => record.run(options))
  const recorded = readFileSync(join(out, 'materials.jsonl'), 'utf8')
  t.same(recorded.match(/"_id":"m\d"/g), ['"_id":"m3"', '"_id":"m2"'])
})

/** Answers like the deployment until a number of lists of items, and then once otherwise. */
const after = (count: number, interrupt: Interceptor): Interceptor => {
  let lists = 0
  return (request, response) =>
    decodeURIComponent(request.url ?? '').includes('"sort"') &&
    ++lists === count + 1 &&
    interrupt(request, response)
}

const answer =
  (status: number, headers: Record<string, string>, body = ''): Interceptor =>
  (_request, response) => {
    response.writeHead(status, headers).end(body)
    return true
  }

t.test('a recording that has failed can be made again', async (t) => {
  const { url } = await startDeployment(t, { fixtures: FIXTURES })
  const out = join(t.testdir(), 'recorded')
  const options = { url, accountId: 'ann', token: TOKEN, out, resource: 'jobs' }
  await t.rejects(
    quiet(t, () => record.run({ ...options, query: '{"$where": "1"}' })),
    {
      code: 'DEPLOYMENT_UNUSABLE',
      message: /^jobs: the server answers 400: /,
    },
  )
  t.ok(await quiet(t, () => record.run({ ...options, query: '{"_id": "j0"}' })))
  t.match(readFileSync(join(out, 'jobs.jsonl'), 'utf8'), /^\{"_id":"j0".*\n$/)
})

t.test('a recording that fails halfway leaves no folder', async (t) => {
  const html = { 'content-type': 'text/html' }
  const json = { 'content-type': 'application/json' }
  const cases: [name: string, interrupt: Interceptor, message: RegExp][] = [
    [
      'the server dies',
      (request) => {
        request.socket.destroy()
        return true
      },
      /^jobs: the server closed the connection /,
    ],
    ['HTML', answer(200, html, '<h1>Login</h1>'), /^jobs: the answer is not JSON, but text\/html$/],
    ['a crash', answer(500, json, '{"message": "Boom"}'), /^jobs: the server answers 500: "Boom"$/],
    ['no more requests', answer(429, json, '{}'), /^jobs: the server answers 429$/],
    [
      'no envelope',
      answer(200, json, '[]'),
      /^jobs: the answer must be {"status": "success", "data": \[items\]}, not \[\]$/,
    ],
    [
      'no ids',
      answer(200, json, '{"status": "success", "data": [{"id": 1}]}'),
      /^jobs: an item must have a string _id, not {"id":1}$/,
    ],
    [
      'another order',
      answer(200, json, '{"status": "success", "data": [{"_id": "z"}, {"_id": "a"}]}'),
      /^jobs: the server returns "a" after "z", but must return items sorted by _id/,
    ],
    [
      'the same page again',
      answer(200, json, '{"status": "success", "data": [{"_id": "j0"}]}'),
      /^jobs: the server returns "j0" after "j/,
    ],
    [
      'too many levels',
      answer(200, json, '['.repeat(200) + ']'.repeat(200)),
      /^jobs: the answer must have at most 102 levels of JSON$/,
    ],
    ['an echoed token', answer(400, json, `{"message": "${TOKEN}"}`), /answers 400: "\*\*\*"$/],
  ]
  for (const [name, interrupt, message] of cases) {
    const deployment = await startDeployment(t, { fixtures: FIXTURES })
    const out = join(t.testdir(), 'recorded')
    const options = { url: deployment.url, accountId: 'ann', token: TOKEN, out, resource: 'jobs' }
    deployment.intercept = after(2, interrupt)
    await t.rejects(
      quiet(t, () => record.run(options)),
      { code: 'DEPLOYMENT_UNUSABLE', message },
      name,
    )
    t.same(readdirSync(dirname(out)), [])
  }
})

t.test('the server is asked again when it says so, one request at a time', async (t) => {
  const soon = new Date(Date.now() + 1500).toUTCString()
  for (const [status, retryAfter] of [
    [429, '1'],
    [503, '0'],
    [503, soon],
  ] as const) {
    const deployment = await startDeployment(t, { fixtures: FIXTURES })
    deployment.intercept = after(1, answer(status, { 'retry-after': retryAfter }))
    const out = join(t.testdir(), 'recorded')
    const { progress } = await quiet(t, () =>
      record.run({ url: deployment.url, ...CREDENTIALS, out, resource: 'jobs' }),
    )
    t.match(progress[0], /^the server asks to wait for \d s\n$/)
    t.match(readAll(out), '"_id":"j1299"')
  }
})

t.test('a session that ends is opened again, if there is a password', async (t) => {
  const deployment = await startDeployment(t, { fixtures: FIXTURES })
  const end: Interceptor = (_request, response) => {
    deployment.mock.reset() // ends all sessions
    return answer(401, {}, '{}')(_request, response)
  }
  deployment.intercept = after(1, end)
  const out = join(t.testdir(), 'recorded')
  await quiet(t, () => record.run({ url: deployment.url, ...CREDENTIALS, out, resource: 'jobs' }))
  t.equal(deployment.requests.filter((path) => path.endsWith('/login')).length, 2)
  t.match(readAll(out), '"_id":"j1299"')
  deployment.intercept = after(1, answer(401, {}, '{}'))
  const other = join(t.testdir(), 'other')
  const options = { url: deployment.url, accountId: 'ann', token: TOKEN, out: other }
  await t.rejects(
    quiet(t, () => record.run({ ...options, resource: 'jobs' })),
    { message: /^jobs: the server answers 401: the session has ended, or the token is no longer/ },
  )
})

t.test('a session that ends before the form of a list is known is opened again', async (t) => {
  const deployment = await startDeployment(t, { fixtures: FIXTURES, lists: 'migrated' })
  const directory = join(t.testdir(), 'recorded')
  const options = { url: deployment.url, ...CREDENTIALS }
  deployment.intercept = (request, response) => {
    if (!request.url?.includes('no+item+has')) return false
    deployment.intercept = () => false
    deployment.mock.reset() // ends all sessions
    return answer(401, {}, '{}')(request, response)
  }
  t.ok((await quiet(t, () => record.run({ ...options, out: directory, resource: 'jobs' }))).result)
})

t.test('a list that is not found halfway does not end a recording', async (t) => {
  const deployment = await startDeployment(t, { fixtures: FIXTURES })
  const options = { url: deployment.url, ...CREDENTIALS }
  deployment.intercept = (request, response) =>
    request.url?.includes('%24gt') === true && answer(404, {}, 'nginx')(request, response)
  const out = join(t.testdir(), 'recorded')
  const run = () => quiet(t, () => record.run({ ...options, out, resource: 'jobs' }))
  const problem = { code: 'DEPLOYMENT_UNUSABLE', message: /^jobs: the server answers 404/ }
  await t.rejects(run(), problem)
  deployment.intercept = (request, response) =>
    /jobs\?.*%22skip%22%3A500/.test(request.url ?? '') &&
    answer(404, {}, 'nginx')(request, response)
  await t.rejects(
    quiet(t, () => record.run({ ...options, out: `${out}-all` })),
    problem,
    'nor is it a resource that the deployment does not have',
  )
  deployment.intercept = () => false
  await run()
  t.equal(readFileSync(join(out, 'jobs.jsonl'), 'utf8').match(/j\d+/g)?.length, 1300)
})

t.test('a server that returns less than it is asked for is recorded as a whole', async (t) => {
  const deployment = await startDeployment(t, { fixtures: FIXTURES })
  deployment.intercept = (request) => {
    request.url = request.url?.replace('%22limit%22%3A500', '%22limit%22%3A90') ?? ''
    return false
  }
  const out = join(t.testdir(), 'recorded')
  await quiet(t, () => record.run({ url: deployment.url, ...CREDENTIALS, out, resource: 'jobs' }))
  t.equal(readFileSync(join(out, 'jobs.jsonl'), 'utf8').match(/j\d+/g)?.length, 1300)
})

t.test('a folder that has files is not written to', async (t) => {
  const { url } = await startDeployment(t, { fixtures: FIXTURES })
  const folder = t.testdir({ full: { 'a.txt': '' }, file: '' })
  mkdirSync(join(folder, 'empty'))
  const run = (out: string) =>
    quiet(t, () =>
      record.run({ url, ...CREDENTIALS, out: join(folder, out), resource: 'materials' }),
    )
  await t.rejects(run('full'), { code: 'OPTIONS_INVALID', message: /must be a new or an empty/ })
  await t.rejects(run('file/x'), { code: 'OPTIONS_INVALID', message: /file\/x can't be written/ })
  await run('empty')
  t.ok(existsSync(join(folder, 'empty/materials.jsonl')))
})

t.test('a target that has got files meanwhile is told in one line', async (t) => {
  const deployment = await startDeployment(t, { fixtures: FIXTURES })
  const out = join(t.testdir(), 'recorded')
  deployment.intercept = ({ url = '' }) => {
    if (!url.includes('/jobs') || existsSync(out)) return false
    mkdirSync(out)
    writeFileSync(join(out, 'a'), '')
    return false
  }
  const options = { url: deployment.url, ...CREDENTIALS, out, resource: 'jobs' }
  await t.rejects(
    quiet(t, () => record.run(options)),
    {
      code: 'OPTIONS_INVALID',
      message:
        /recorded can't be written: (ENOTEMPTY|EEXIST): .*; mend that and give the same command/,
    },
  )
  t.same(readdirSync(dirname(out)), ['recorded'])
})

t.test('a target that can not be replaced is refused before the items are read', async (t) => {
  const { url, requests } = await startDeployment(t, { fixtures: FIXTURES })
  const folder = t.testdir({ empty: {}, link: t.fixture('symlink', 'empty') })
  for (const [out, message] of [
    ['empty/.', /empty\/\. can't be written: EINVAL/],
    ['link', /link can't be written: ENOTDIR/],
  ] as const) {
    const options = { url, ...CREDENTIALS, out: `${folder}/${out}`, resource: 'jobs' }
    await t.rejects(
      quiet(t, () => record.run(options)),
      { code: 'OPTIONS_INVALID', message },
    )
  }
  await t.rejects(
    quiet(t, () => record.run({ url, ...CREDENTIALS, out: '/' })),
    { code: 'OPTIONS_INVALID', message: '--out must be a new or an empty folder; / has files' },
  )
  t.notOk(requests.some((path) => path.includes('/jobs')))
})

t.test('a recording that the mock can not serve is kept, and says why', async (t) => {
  const deployment = await startDeployment(t, { fixtures: FIXTURES })
  deployment.intercept = (request, response) =>
    decodeURIComponent(request.url ?? '').includes('"limit":500') &&
    !decodeURIComponent(request.url ?? '').includes('$gt') &&
    answer(
      200,
      {},
      '{"status": "success", "data": [{"_id": "m1", "formula": 5}]}',
    )(request, response)
  const out = join(t.testdir(), 'recorded')
  const options = { url: deployment.url, ...CREDENTIALS, out, resource: 'materials' }
  const { result, lines } = await quiet(t, () => record.run(options))
  t.equal(result, false)
  t.match(lines[1], `the mock can't serve it: ${out}/materials.jsonl, line 1 (_id "m1"): formula`)
  t.ok(existsSync(join(out, 'accounts.json')))
})

t.test('the commands take credentials from variables, and end with a code', async (t) => {
  const { url } = await startDeployment(t, { fixtures: FIXTURES })
  const folder = t.testdir()
  const run = async (argv: string[], env: Record<string, string> = {}) => {
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [COMMAND, ...argv], {
        env: { PATH: process.env.PATH, ...env },
        cwd: folder,
      })
      return { code: 0, stdout, stderr }
    } catch (error) {
      return error as { code: number; stdout: string; stderr: string }
    }
  }
  const env = { MATERIALS_MOCK_ACCOUNT_ID: 'ann', MATERIALS_MOCK_TOKEN: TOKEN }
  const recorded = await run(['record', url, '--out', 'made', '--resource', 'materials'], env)
  t.match(recorded, { code: 0, stdout: 'recorded materials (4) to made\n', stderr: 'materials: 4' })
  t.match(await run(['record', url], env), {
    code: 1,
    stderr: /give a folder to write to; --out is missing/,
  })
  t.throws(() => parseCommand(['record', url, '--out', 'x', '--query', '[]'], env), {
    message: /--query must be a JSON object in MongoDB's query language, not "\[\]"/,
  })
})

t.test('a redacted item has no secret, and what is none stays', async (t) => {
  const redact = createRedactor(['a.b', 'list.x'], ['secret-value', 'abc'])
  const item = {
    _id: 'abc',
    a: { b: [1], c: 'abc', d: 'abcd' },
    list: [{ x: 'y' }, { x: null }, 5],
    text: 'the secret-value is here',
    url: 'https://example.org/list?query=1&monkey=2',
    formula: 'Si',
  }
  t.same(runToEnd(redact(item)), {
    _id: 'abc',
    a: { b: [], c: '***', d: 'abcd' },
    list: [{ x: '***' }, { x: null }, 5],
    text: 'the *** is here',
    url: 'https://example.org/list?query=1&monkey=2',
    formula: 'Si',
  })
})

t.test('a secret is removed from texts, URLs and commands', async (t) => {
  const secret = 'päss/of+ann?~1'
  const redact = createRedactor([], [secret])
  const cases: readonly (readonly [text: string, redacted: string])[] = [
    [`see ${secret}, please`, 'see ***, please'],
    [`a?c=${encodeURIComponent(secret)}&d=1`, 'a?c=***&d=1'],
    [`curl -H "Authorization: Basic ${btoa('ann:x')}"`, 'curl -H "Authorization: Basic ***"'],
    ['the basic structure of Basic Al2O3', 'the basic structure of Basic Al2O3'],
    ['http://ann:p@ss@example.org/a@b', 'http://***@example.org/a@b'],
  ]
  for (const [text, redacted] of cases)
    t.same(runToEnd(redact({ _id: 'm', text })), { _id: 'm', text: redacted }, text)
})
