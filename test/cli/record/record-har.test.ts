import { execFile } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, truncateSync } from 'node:fs'
import { promisify } from 'node:util'

import t from 'tap'
import type { Test } from 'tap'

import { record } from '../../../src/cli/record.js'
import { startMock } from '../../../src/mock/start-mock.js'
import { COMMAND } from '../../helpers/command.js'

const TOKEN = 'a-token-of-the-browser'
const HEADERS = [
  { name: 'X-Account-Id', value: 'account-of-the-headers' },
  { name: 'X-Auth-Token', value: TOKEN },
]

interface Answer {
  readonly method?: string
  readonly path: string
  readonly data?: unknown
  readonly status?: number
  readonly content?: object
  readonly at?: string
}

/** A HAR as browsers write it. The host is any host. */
const har = (answers: readonly Answer[], creator = 'WebInspector'): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: creator, version: '1' },
      entries: answers.map(({ method = 'GET', path, data, status = 200, content, at }, index) => ({
        startedDateTime: at ?? `2026-01-01T00:00:0${index}.000Z`,
        request: { method, url: `https://platform.example${path}`, headers: HEADERS },
        response: {
          status,
          content: content ?? {
            mimeType: 'application/json',
            text: JSON.stringify({ status: 'success', data }),
          },
        },
      })),
    },
  })

const API = '/api/2018-10-01'
const base64 = (data: unknown) => ({
  mimeType: 'application/json',
  encoding: 'base64',
  text: Buffer.from(JSON.stringify({ status: 'success', data })).toString('base64'),
})

/** Records a HAR, and returns the recorded items and what was printed. */
async function recordText(t: Test, text: string, flags: Record<string, string> = {}) {
  const folder = t.testdir({ 'panel.har': text })
  const out = `${folder}/recorded`
  const options = record.parse({ URL: `${folder}/panel.har`, out, ...flags }, {}, undefined)
  const printed = [t.capture(console, 'log'), t.capture(console, 'error')]
  try {
    const isServable = await record.run(options)
    const lines = printed.flatMap((capture) => capture().map(({ args }) => String(args[0])))
    const read = (name: string) =>
      readFileSync(`${out}/${name}`, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    return { isServable, out, lines: lines.map((line) => line.replaceAll(folder, '')), read }
  } finally {
    for (const { restore } of printed) restore()
  }
}

t.test('all answers of the API count; the newest whole item wins', async (t) => {
  const fields = encodeURIComponent('{"fields":{"name":1}}')
  const ann = { _id: 'ann', slug: 'ann' }
  const text = har([
    {
      path: `${API}/materials`,
      data: [
        { _id: 'm1', n: 1, owner: ann },
        { _id: 'm2', n: 1 },
      ],
    },
    {
      path: `${API}/materials?projection=${fields}`,
      data: [{ _id: 'm1' }, { _id: 'm9', name: 'x' }],
    },
    { path: `/behind${API}/materials/m2`, content: base64({ _id: 'm2', n: 2, note: TOKEN }) },
    { path: `${API}/materials/create`, method: 'PUT', data: { _id: 'm3', owner: ann } },
    {
      path: `${API}/materials/m1`,
      method: 'PATCH',
      data: { _id: 'm1', n: 0 },
      at: '2025-01-01T00:00:00Z',
    },
    { path: `${API}/bank-materials/b1/copy`, method: 'POST', data: { _id: 'm4' } },
    { path: `${API}/jobs`, data: [{ _id: 'j1' }, { _id: 'j2' }] },
    { path: `${API}/jobs/j2`, method: 'DELETE', data: {} },
    { path: `${API}/jobs/j1/files`, data: [{ _id: 'f1', name: 'pw.out' }] },
    { path: `${API}/materials/create`, method: 'PUT', data: { _id: 'a/b' } },
    { path: `${API}/materials/a%2Fb`, method: 'DELETE', data: {} },
    { path: `${API}/projects`, data: [] },
    { path: `${API}/other/entity-counts`, data: [{ name: 'Jobs', count: 1 }] },
    { path: `${API}/materials/m1`, method: 'OPTIONS', status: 204, content: {} },
    { path: `${API}/workflows`, status: 401, data: [{ _id: 'w1' }] },
    { path: `${API}/logout`, data: { message: 'bye' } },
    { path: '/app.js', content: { text: 'let a' } },
    { path: `${API}/properties`, content: { mimeType: 'application/json' } },
    { path: `${API}/jobs/j3`, content: { text: '{"status": "success", "data": {"_i' } },
  ])
  const { isServable, out, lines, read } = await recordText(t, text)
  t.equal(isServable, true)
  t.same(read('materials.jsonl'), [
    { _id: 'm1', n: 1, owner: ann },
    { _id: 'm2', n: 2, note: '***' },
    { _id: 'm9', name: 'x' },
    { _id: 'm3', owner: ann },
    { _id: 'm4' },
  ])
  t.same(read('jobs.jsonl'), [{ _id: 'j1' }])
  t.same(lines, [
    'recorded materials (5), jobs (1), projects (0) to /recorded',
    'serve it with: materials-mock --fixtures /recorded; log in as recorded / recorded',
    'materials-mock: no answer has all fields of materials/m9',
    `materials-mock: not recorded: GET ${API}/properties (it has no body)`,
    `materials-mock: not recorded: GET ${API}/jobs/j3 (its body is cut off, or not JSON)`,
  ])
  const all = readdirSync(out)
    .map((file) => readFileSync(`${out}/${file}`, 'utf8'))
    .join('')
  t.notMatch(all, new RegExp(`${TOKEN}|account-of-the-headers`))
  t.match(JSON.parse(readFileSync(`${out}/accounts.json`, 'utf8')), [{ _id: 'ann', slug: 'ann' }])
})

t.test('the HAR of a mock brings back the lists that it has sent', async (t) => {
  const headers = {
    'X-Account-Id': 'oEb32zJWy27miFESb',
    'X-Auth-Token': 'demo-preferences-token',
  }
  const toHar = async (journalBody: number): Promise<string> => {
    const mock = await startMock({ logLevel: 'silent', journalBody })
    t.teardown(() => mock.close())
    for (const path of ['materials', 'jobs', 'materials']) {
      await mock.fetch(`${API}/${path}`, { headers })
      await mock.fetch(`${API}/${path}?limit=1`, { headers })
    }
    return (await mock.fetch('/__admin/requests.har')).text()
  }
  const whole = await recordText(t, await toHar(256 * 1024))
  t.same(whole.lines.length, 2)
  t.equal(whole.read('materials.jsonl').length, 50)
  t.equal(whole.read('jobs.jsonl').length, 6)
  const { lines } = await recordText(t, await toHar(65_536))
  t.match(lines.slice(2), [
    /^materials-mock: not recorded: GET \/api\/2018-10-01\/materials \(The journal has the first 65536 of \d+ bytes; --journal-body keeps more\)$/,
  ])
  t.equal(lines.length, 3, 'each path once')
})

t.test('a terminal obeys nothing of a HAR', async (t) => {
  const answers = [
    { path: `${API}/materials`, data: [{ _id: 'm1' }] },
    { method: 'GET\u001b]0;x\u0007\u009b2J', path: `${API}/jobs/j1`, content: {} },
  ]
  const { lines } = await recordText(t, har(answers))
  t.equal(
    lines.at(-1),
    `materials-mock: not recorded: GET\\u001b]0;x\\u0007\\u009b2J ${API}/jobs/j1 (it has no body)`,
  )
})

t.test('an answer without a time is as old as the one before', async (t) => {
  const path = `${API}/materials/m1`
  const { read } = await recordText(
    t,
    har([
      { path, data: { _id: 'm1', n: 1 } },
      { path, data: { _id: 'm1', n: 2 }, at: '' },
      { path, data: { _id: 'm1', n: 0 }, at: '2024-01-01T00:00:00Z' },
    ]),
  )
  t.same(read('materials.jsonl'), [{ _id: 'm1', n: 2 }])
})

t.test('--resource and --redact select as usual', async (t) => {
  const text = har([
    { path: `${API}/materials`, data: [{ _id: 'm1', name: 'secret name' }] },
    { path: `${API}/jobs`, data: [{ _id: 'j1' }] },
  ])
  const { read, out } = await recordText(t, text, { resource: 'materials', redact: 'name' })
  t.same(read('materials.jsonl'), [{ _id: 'm1', name: '***' }])
  t.notOk(existsSync(`${out}/jobs.jsonl`))
})

t.test('HARs of all browsers, and of the journal, are read', async (t) => {
  const answers = [{ path: `${API}/materials`, data: [{ _id: 'm1', name: 'ä' }] }]
  const mock = await startMock({ fixtures: { materials: [{ _id: 'm1', name: 'ä' }] } })
  t.teardown(() => mock.close())
  const login = await mock.app.inject({
    method: 'POST',
    url: `${API}/login`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'username=demo&password=demo',
  })
  await mock.fetch(`${API}/materials`, { headers: login.json() })
  const failed = { path: `${API}/jobs`, status: 0, content: {} }
  const forms: Record<string, string> = {
    chrome: har(answers, 'WebInspector'),
    firefox: `\uFEFF${har([failed, ...answers], 'Firefox')}`,
    safari: har(
      [{ path: `${API}/materials`, content: base64(answers[0]?.data) }],
      'WebKit Web Inspector',
    ),
    journal: await (await mock.fetch('/__admin/requests.har')).text(),
  }
  for (const [name, text] of Object.entries(forms)) {
    await t.test(name, async (t) => {
      const { read } = await recordText(t, text)
      t.same(read('materials.jsonl'), [{ _id: 'm1', name: 'ä' }])
    })
  }
})

t.test('an answer of many levels is named, not read', async (t) => {
  const deep = { text: `{"status":"success","data":${'['.repeat(50_000)}${']'.repeat(50_000)}}` }
  const text = har([
    { path: `${API}/jobs`, data: [{ _id: 'j1' }] },
    { path: `${API}/jobs`, content: deep },
    { path: `${API}/login`, method: 'POST', content: deep },
  ])
  const { lines, read } = await recordText(t, text)
  t.same(read('jobs.jsonl'), [{ _id: 'j1' }])
  t.match(lines.join('\n'), `GET ${API}/jobs (it must have at most 102 levels of JSON)`)
})

t.test('secrets of logins, cookies and Basic credentials are not recorded', async (t) => {
  const cookies = [
    'cookie-value',
    'second-cookie',
    'Bearer token-0123456',
    'quoted secret',
    'nameless',
  ]
  const secrets = ['session-token', 'basic-password', ...cookies]
  const basic = Buffer.from('ann:basic-password').toString('base64')
  const login = { 'X-Account-Id': 'ann', 'X-Auth-Token': 'session-token' }
  const file = JSON.parse(
    har([
      { path: `${API}/login`, method: 'POST', content: { text: JSON.stringify(login) } },
      {
        path: `${API}/jobs`,
        data: [{ _id: 'j1', note: [...secrets, basic].join(' '), theme: 'dark' }],
      },
    ]),
  )
  file.log.entries[0].request.headers = [{ name: 'Authorization', value: `Basic ${basic}` }]
  const sent = 'a=cookie-value; theme=dark; auth=Bearer token-0123456; q="quoted secret"'
  file.log.entries[1].request.headers = [{ name: 'Cookie', value: sent }]
  const set = 'b="second-cookie"; Path=/; HttpOnly\ntheme=dark\nnameless; Path=/'
  file.log.entries[1].response.headers = [{ name: 'Set-Cookie', value: set }]
  const { read } = await recordText(t, JSON.stringify(file))
  t.same(read('jobs.jsonl'), [{ _id: 'j1', note: Array(8).fill('***').join(' '), theme: 'dark' }])
})

t.test('what is no HAR, or has no answer of the API, leaves no folder', async (t) => {
  const cases: [name: string, text: string, message: RegExp, flags?: Record<string, string>][] = [
    ['no JSON', 'x', /panel\.har must be a HAR, .*: it is cut off, or not JSON$/],
    ['a part', '{"log": {"entries": [', /saves it: it is cut off, or not JSON$/],
    ['no object', '[]', /saves it: it must be an object/],
    ['no entries', '{"log": {}}', /saves it: entries is missing in log$/],
    [
      'a wrong entry',
      '{"log": {"entries": [{}]}}',
      /saves it: startedDateTime is missing in log\.entries\.0;/,
    ],
    ['other requests', har([{ path: '/x', data: [] }]), /has no answer of the API: a HAR has the/],
    [
      'no content',
      har([{ path: `${API}/jobs`, content: {} }]),
      /no body is whole, the first is that of GET \/api\/2018-10-01\/jobs \(it has no body\); save the HAR with content$/,
    ],
    [
      'a resource it does not have',
      har([{ path: `${API}/jobs`, data: [] }]),
      /^--resource: .*panel\.har has no materials, but jobs$/,
      { resource: 'materials' },
    ],
  ]
  for (const [name, text, message, flags = {}] of cases) {
    await t.test(name, async (t) => {
      await t.rejects(recordText(t, text, flags), { code: 'OPTIONS_INVALID', message })
      t.same(readdirSync(t.testdirName), ['panel.har'])
    })
  }
  await t.rejects(record.run({ url: `${t.testdir()}/none.har`, out: 'x' } as never), {
    message: /none\.har can't be read: it does not exist$/,
  })
  t.throws(() => record.parse({ URL: 'a.har', out: 'b', query: '{}' }, {}, undefined), {
    code: 'OPTIONS_INVALID',
    message: '--query is for deployments; a HAR has --out, --resource, --redact',
  })
  t.throws(() => record.parse({ URL: 'https://a.test/b.har', out: 'b' }, {}, undefined), {
    message: /^URL must be the versioned root/,
  })
})

t.test('the command records a HAR without credentials', async (t) => {
  const folder = t.testdir({ 'a.har': har([{ path: `${API}/jobs`, data: [{ _id: 'j1' }] }]) })
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [COMMAND, 'record', 'a.har', '--out', 'recorded'],
    { cwd: folder },
  )
  t.match(stdout, /^recorded jobs \(1\) to recorded\n/)
})

t.test('a HAR that is too large is refused with the bound, before it is read', async (t) => {
  const folder = t.testdir({ 'panel.har': '' })
  truncateSync(`${folder}/panel.har`, 500 * 2 ** 20)
  const options = record.parse({ URL: `${folder}/panel.har`, out: `${folder}/out` }, {}, undefined)
  const message =
    /give a HAR of at most 256 MB; \S+ has 500 MB: filter the network panel by \/api\//
  await t.rejects(async () => record.run(options), { code: 'OPTIONS_INVALID', message })
  t.notOk(existsSync(`${folder}/out`))
})
