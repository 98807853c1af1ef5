import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import t from 'tap'
import type { Test } from 'tap'

import {
  STATEMENTS,
  markDifference,
  toCurl,
  toLoginRequest,
  toReportText,
} from '@materials-mock/check'
import type { Report } from '@materials-mock/check'
import { check } from '../../src/cli/check.js'
import type { CheckOptions } from '../../src/cli/check.js'
import { formatReport } from '../../src/cli/check/format-report.js'
import { parseCommand } from '../../src/cli/commands.js'
import { startMock } from '../../src/mock/start-mock.js'
import type { Mock } from '../../src/mock/members.js'
import { BASE, waitFor } from '../helpers/build.js'
import { COMMAND } from '../helpers/command.js'
import { findBlock } from '../docs/blocks.js'
import { replace } from '../helpers/replace.js'

const SECRET = 'p&ss "wörd" <1>'
const ACCOUNTS = [{ _id: 'ann', username: 'ann', password: SECRET, tokens: ['ann-token'] }]
const LOGIN = ['--username', 'ann', '--password', SECRET]

const start = async (t: Test, options: Parameters<typeof startMock>[0] = {}): Promise<Mock> => {
  const materials = [
    { _id: 'm1', name: 'one' },
    { _id: 'm2', name: 'two' },
  ]
  const fixtures = { accounts: ACCOUNTS, materials }
  const mock = await startMock({ logLevel: 'silent', fixtures, ...options })
  t.teardown(() => mock.close())
  // So that the items have the fields that the platform's items always have.
  if (options.fixtures === undefined) mock.seed({ materials })
  return mock
}

/** Checks a mock with flags, and returns the exit code's boolean and the report's text. */
async function run(
  t: Test,
  { url }: Mock,
  flags: string[],
  environment: Record<string, string> = {},
): Promise<{ isHeld: boolean; text: string }> {
  const out = join(t.testdir({}), 'report')
  const options = parseCheck([url + BASE, '--out', out, ...flags])
  const isHeld = await check.run(options, environment)
  return { isHeld, text: readFileSync(out, 'utf8') }
}

t.test('json has the shape of its description', async (t) => {
  const mock = await start(t)
  const { isHeld, text } = await run(t, mock, [...LOGIN, '--format', 'json'])
  t.equal(isHeld, true)
  const { statements, ...report } = JSON.parse(text) as Report
  t.same(Object.keys(report), ['url', 'startedAt', 'lists', 'summary', 'warnings', 'notes'])
  t.equal(report.url, mock.url + BASE)
  t.match(report.startedAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  t.same(Object.keys(report.summary), ['held', 'failed', 'skipped'])
  t.same(
    statements.map(({ id, title, level }) => ({ id, title, level })),
    STATEMENTS.map(({ id, title, level }) => ({ id, title, level })),
  )
  const skipped = statements.filter(({ outcome }) => outcome === 'skipped')
  t.match(
    skipped.find(({ id }) => id === 'write.create'),
    { expected: '--write', actual: 'a check that only reads' },
  )
  t.same(Object.keys(skipped[0] ?? {}), ['id', 'title', 'level', 'outcome', 'expected', 'actual'])
})

t.test('--used checks only what clients have used, and tells of each use', async (t) => {
  const mock = await start(t)
  const headers = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
  const parameters = new URLSearchParams({
    query: '{"name":{"$in":["one"]}}',
    projection: '{"sort":{"name":1},"fields":{"name":1}}',
  })
  await mock.fetch(`${BASE}/materials?${parameters}`, { headers })
  // A name of Object, which is in no table.
  await mock.fetch(`${BASE}/materials?constructor=1`, { headers })
  await mock.fetch(`${BASE}/materials/none`, { headers })
  await mock.fetch(`${BASE}/materials/none`, { headers, method: 'DELETE' })
  const used = JSON.stringify(mock.footprint())
  const unused = '{"requests":0,"uses":[]}'
  const file = join(t.testdir({ used, other: '[]', unused }), 'used')
  const checkUsed = async (deployment: Mock) => {
    const out = join(t.testdirName, 'out')
    const flags = [...LOGIN, '--used', file, '--format', 'json', '--out', out]
    const isHeld = await check.run(parseCheck([deployment.url + BASE, ...flags]), {})
    return { isHeld, ...(JSON.parse(readFileSync(out, 'utf8')) as Report) }
  }
  const held = await checkUsed(mock)
  t.match(held, {
    isHeld: true,
    uses: [
      { method: 'GET', path: '/materials', outcome: 'held', failed: 0 },
      { method: 'DELETE', path: '/materials/{id}', outcome: 'skipped', held: 0 },
      { method: 'GET', path: '/materials/{id}', outcome: 'held', failed: 0 },
    ],
  })
  const ids = held.statements.map(({ id }) => id)
  for (const id of ['query.in', 'path name', 'sort name', 'field name'])
    t.ok(ids.includes(`GET /materials.${id}`), id)
  t.ok(ids.includes('GET /materials/{id}.paths.item-missing'))
  t.notOk(ids.some((id) => /login|regex|limit/.test(id)))

  const materials = [
    { _id: 'm1', formula: 'Si' },
    { _id: 'm2', formula: 'Ge' },
  ]
  const other = await start(t, { fixtures: { accounts: ACCOUNTS, materials } })
  const broken = await checkUsed(other)
  t.match(broken, { isHeld: false, uses: [{ path: '/materials', outcome: 'failed' }] })
  t.match(formatReport(broken, 'text'), /What was used:\n\n✗ GET \/materials: \d+ hold, \d fail/)

  for (const [name, message] of [
    ['other', /--used must be a file that materials-mock footprint has written/],
    ['unused', /--used must be a footprint with uses/],
    ['none', /give another --used; the footprint can't be read: ENOENT/],
  ] as const) {
    const words = [mock.url + BASE, ...LOGIN, '--used', join(t.testdirName, name)]
    await t.rejects(check.run(parseCheck(words), {}), { code: 'OPTIONS_INVALID', message })
  }
})

t.test('--used asks for plain parameters as clients do', async (t) => {
  const materials = ['1', 'a b', 'c'].map((name) => ({ _id: name, name, size: 2 }))
  const mock = await start(t, { fixtures: { accounts: ACCOUNTS, materials } })
  const headers = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
  await mock.fetch(`${BASE}/materials?name=c&size=2&limit=2&sort=name`, { headers })
  const used = join(t.testdir({ used: JSON.stringify(mock.footprint()) }), 'used')
  const out = join(t.testdirName, 'out')
  const flags = [...LOGIN, '--used', used, '--format', 'json', '--out', out]
  const checkUsed = async (outcome: string): Promise<string[]> => {
    await check.run(parseCheck([mock.url + BASE, ...flags]), {})
    return (JSON.parse(readFileSync(out, 'utf8')) as Report).statements
      .filter((each) => each.outcome === outcome)
      .map(({ id }) => id)
  }
  t.same(await checkUsed('failed'), [])
  t.same(await checkUsed('skipped'), ['GET /materials.parameter sort'])
  mock.faults.add({ match: { 'query.name': { $ne: null }, 'query._id': null }, status: 400 })
  mock.faults.add({ match: { query: null, 'projection.limit': 1 }, patch: { $push: { data: {} } } })
  t.same(await checkUsed('failed'), [
    'GET /materials.parameter limit',
    'GET /materials.parameter name',
  ])
})

t.test('a failure has its request, whichever resource it is about', async (t) => {
  const headers = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
  const items = [{ _id: 'a', name: 'one' }]
  const fixtures = { accounts: ACCOUNTS, materials: items, projects: items }
  const mock = await start(t, { fixtures })
  for (const resource of ['materials', 'projects']) {
    const query = new URLSearchParams({ query: '{"name":"one"}' })
    await mock.fetch(`${BASE}/${resource}?${query}`, { headers })
  }
  const used = join(t.testdir({ used: JSON.stringify(mock.footprint()) }), 'used')
  const isNamed = { 'query.name': { $exists: true } }
  mock.faults.add({ path: `${BASE}/*`, match: isNamed, patch: { $set: { data: [] } } })
  const flags = [...LOGIN, '--used', used, '--format', 'json', '--out', `${used}.report`]
  t.equal(await check.run(parseCheck([mock.url + BASE, ...flags]), {}), false)
  const { statements } = JSON.parse(readFileSync(`${used}.report`, 'utf8')) as Report
  const failed = statements.filter(({ outcome }) => outcome === 'failed')
  for (const resource of ['materials', 'projects'])
    t.ok(failed.some(({ id }) => id.startsWith(`GET /${resource}.`)))
  for (const { id, request } of failed) t.match(request, /^curl /, id)
})

t.test('what a list of a mock has used never fails at the same mock', async (t) => {
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const credentials = ['--account-id', 'oEb32zJWy27miFESb', '--token', 'demo-preferences-token']
  const headers = { 'x-account-id': 'oEb32zJWy27miFESb', 'x-auth-token': 'demo-preferences-token' }
  const lists: [name: string, query: object, fields?: object][] = [
    ['computed', { 'basis.elements': { $size: 2 } }, { atoms: { $size: '$basis.elements' } }],
    ['positional', { 'derivedProperties.name': 'volume' }, { 'derivedProperties.$': 1 }],
    ['excluded', { formula: 'Si' }, { hash: 0, nothing: 0 }],
    ['arrays in arrays', { 'basis.cell': { $exists: true } }, { 'basis.cell': 1 }],
    ['position', { 'basis.coordinates.0.value.2': { $gt: 0 } }, { 'basis.coordinates.0.value': 1 }],
    ['position of an array', { 'basis.cell.0': { $exists: true } }, { 'basis.elements.value': 1 }],
    ['position in fields', { formula: 'Al2O3' }, { 'basis.elements.0.value': 1 }],
    ['empty array', { formula: 'Si' }, { inSet: 1 }],
    ['position or name', { 'basis.cell.0.1': 0, 'basis.elements.0.value': { $exists: true } }],
  ]
  const used = join(t.testdir(), 'used')
  for (const [name, query, fields] of lists) {
    const parameters = new URLSearchParams({
      query: JSON.stringify(query),
      projection: JSON.stringify({ limit: 1, fields }),
    })
    await t.test(name, async (t) => {
      mock.reset()
      const response = await mock.fetch(`${BASE}/materials?${parameters}`, { headers })
      t.match(await response.json(), { data: [{}] })
      writeFileSync(used, JSON.stringify(mock.footprint()))
      const { isHeld, text } = await run(t, mock, [...credentials, '--used', used])
      t.ok(isHeld, text)
      t.match(text, /\n[1-9]\d* statements hold, 0 fail/)
    })
  }
})

t.test('what a check has used never fails at the same mock', async (t) => {
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const login = ['--username', 'demo', '--password', 'demo']
  const { text } = await run(t, mock, login)
  const summary = text.trimEnd().split('\n').at(-1) ?? ''
  t.match(summary, /^\d+ statements hold, 0 fail, /)
  const page = readFileSync(new URL('../../docs/drift.md', import.meta.url), 'utf8')
  t.ok(page.includes(`\n${summary}\n`), `docs/drift.md shows ${summary}`)
  const [held = 0, , , skipped] = summary.match(/\d+/g)?.map(Number) ?? []
  t.match(page, `"summary": { "held": ${held - 1}, "failed": 1, "skipped": ${skipped} }`)
  const used = join(t.testdir({ used: JSON.stringify(mock.footprint()) }), 'used')
  const out = join(t.testdirName, 'out')
  await check.run(parseCheck([mock.url + BASE, ...login, '--used', used, '--out', out]), {})
  t.match(readFileSync(out, 'utf8'), /\n\d{3} statements hold, 0 fail, /)
})

t.test('a deployment that differs fails, and no report shows a secret', async (t) => {
  const mock = await start(t)
  // A server that repeats in its errors what was sent.
  const message = `no: ${SECRET} ${encodeURIComponent(SECRET)} ${new URLSearchParams({ a: SECRET })}`
  mock.faults.add({ path: '/api/*/materials**', status: 500, message })
  for (const format of ['text', 'json', 'junit'] as const) {
    const { isHeld, text } = await run(t, mock, [...LOGIN, '--format', format])
    t.equal(isHeld, false, format)
    t.notMatch(text, /p&ss|p%26ss|p&amp;ss|wörd/, format)
    t.match(text, 'MATERIALS_MOCK_PASSWORD', format)
    t.match(text, 'envelope.list', format)
    if (format !== 'json') continue
    const { problem: _, ...report } = JSON.parse(text) as Report
    const shown = JSON.parse(findBlock('docs/drift.md', '{').code) as Report
    const failed = report.statements.find(({ outcome }) => outcome === 'failed')
    for (const [ofPage, sent] of [
      [shown, report],
      [shown.statements[0], failed],
    ]) {
      const keys = Object.keys(ofPage ?? {})
      t.same(Object.keys({ ...ofPage, ...sent }), keys, 'docs/drift.md shows it')
    }
  }
})

t.test('given credentials are never ended; statements on logins are skipped', async (t) => {
  const mock = await start(t)
  const flags = ['--account-id', 'ann', '--token', 'ann-token', '--format', 'json']
  for (let count = 0; count < 2; count += 1) {
    const { isHeld, text } = await run(t, mock, flags)
    t.equal(isHeld, true)
    t.notMatch(text, 'ann-token')
    const { statements } = JSON.parse(text) as Report
    const checked = statements.filter(
      ({ id, outcome }) => /^log(in|out)\./.test(id) && outcome !== 'skipped',
    )
    t.same(
      checked.map(({ id }) => id),
      ['login.password-missing', 'login.field-unknown', 'login.json-body'],
    )
  }
})

t.test('--login-envelope says what form of login is right', async (t) => {
  const mock = await start(t, { loginEnvelope: 'jsend' })
  const held = await run(t, mock, [...LOGIN, '--login-envelope', 'jsend', '--quiet'])
  t.equal(held.isHeld, true)
  t.match(
    held.text,
    /^\d+ statements hold, 0 fail, 0 differ [^\n]* skipped\n$/,
    '--quiet: one line',
  )
  t.equal((await run(t, mock, LOGIN)).isHeld, true, 'either is right without the option')
  const { isHeld, text } = await run(t, mock, [...LOGIN, '--login-envelope', 'flat'])
  t.equal(isHeld, false)
  t.notMatch(text, 'All other statements')
  t.match(text, /✗ login\.two-fields-alone[^]*expected {2}status 200 and the fields X-Account-Id/)
})

t.test('an assumed statement that differs fails nothing', async (t) => {
  const mock = await start(t)
  mock.faults.add({ path: '/api/*/login', method: 'GET', status: 404 })
  const { isHeld, text } = await run(t, mock, [...LOGIN, '--verbose'])
  t.equal(isHeld, true)
  t.match(text, /\nAll other statements:\n\n✓ [^]*\n- write\.create /, '--verbose: all statements')
  t.match(
    text,
    /Here the deployment differs from what we assume; the mock should learn it:\n\n≠ paths\.method/,
  )
  t.match(text, /, 0 fail, 1 differ from what we assume, /)
  const strict = await run(t, mock, [...LOGIN, '--strict', '--format', 'json'])
  t.equal(strict.isHeld, false)
  const report = JSON.parse(strict.text) as Report
  const junit = formatReport(report, 'junit')
  t.match(junit, /failures="0"/)
  t.match(junit, /paths\.method[^>]*><skipped message="differs from what we assume: /)
  t.match(
    formatReport(report, 'junit', { strict: true }),
    /failures="1"[^]*paths\.method[^>]*><failure message="expected /,
  )
})

t.test('warnings come first: everything is 401, no items', async (t) => {
  const mock = await start(t, { fixtures: { accounts: ACCOUNTS, materials: [] } })
  t.match((await run(t, mock, LOGIN)).text, /^! The account sees no items of materials;/)
  mock.faults.add({ path: '/api/*/materials**', status: 401 })
  const { isHeld, text } = await run(t, mock, LOGIN)
  t.equal(isHeld, false)
  t.match(text, /^! Everything is 401/)
})

t.test('with --strict, an assumed statement that differs is an error of a runner', async (t) => {
  const mock = await start(t)
  mock.faults.add({ path: '/api/*/login', method: 'GET', status: 404 })
  const error = t.capture(console, 'error', () => undefined)
  const out = join(t.testdir(), 'report')
  const options = parseCheck([mock.url + BASE, ...LOGIN, '--strict', '--out', out])
  t.equal(await check.run(options, { GITHUB_ACTIONS: 'true' }), false)
  const lines = error().map(({ args }) => String(args[0]))
  t.ok(lines.some((line) => line.startsWith('::error title=paths.method::')))
})

t.test("on GitHub's runners, it writes annotations and the step summary", async (t) => {
  const mock = await start(t)
  mock.faults.add({ path: '/api/*/login', method: 'GET', status: 404 })
  mock.faults.add({ path: '/api/*/logout', status: 500 })
  const summary = join(t.testdir({ summary: 'before\n' }), 'summary')
  const error = t.capture(console, 'error', () => undefined)
  const environment = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary }
  const text = await check.run(
    parseCheck([mock.url + BASE, ...LOGIN, '--out', join(t.testdirName, 'report')]),
    environment,
  )
  t.equal(text, false)
  const lines = error().map(({ args }) => String(args[0]))
  t.ok(lines.some((line) => line.startsWith('::error title=logout.success::A logout answers')))
  t.ok(lines.some((line) => line.startsWith('::notice title=paths.method::')))
  for (const line of lines) t.notMatch(line, '\n')
  t.match(
    readFileSync(summary, 'utf8'),
    /^before\n## Check of http[^]*\| documented \| `logout\.success` \|/,
  )
})

t.test('a step summary that can not be written is a warning, and no failure', async (t) => {
  const mock = await start(t)
  const error = t.capture(console, 'error', () => undefined)
  const environment = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '/nowhere/summary' }
  t.equal((await run(t, mock, LOGIN, environment)).isHeld, true)
  t.match(
    error().at(-1)?.args[0],
    /^::warning title=materials-mock check::the step summary can't be written: ENOENT/,
  )
})

t.test('a credential is masked where it is one, whatever its text is', async (t) => {
  const secrets = [
    { name: 'password', text: 'demo' } as const,
    { name: 'username', text: 'demo' } as const,
  ]
  const curl = toCurl('http://a', toLoginRequest({ username: 'demo', password: 'demo' }), secrets)
  t.match(curl, '"username=$MATERIALS_MOCK_USERNAME"')
  t.match(curl, '"password=$MATERIALS_MOCK_PASSWORD"')
  t.equal(toReportText({ slug: 'demo' }, secrets), '{"slug":"demo"}')
})

t.test('the requests of a report can be pasted after its setup', async (t) => {
  const mock = await start(t)
  mock.faults.add({ path: '/api/*/materials', patch: { 'data.0.name': null } })
  const flags = ['--resource', 'materials', '--resource', 'jobs', '--format', 'json']
  const cases: [flags: string[], secret: Record<string, string>][] = [
    [LOGIN, { MATERIALS_MOCK_PASSWORD: SECRET }],
    [['--account-id', 'ann', '--token', 'ann-token'], { MATERIALS_MOCK_TOKEN: 'ann-token' }],
  ]
  for (const [credentials, secret] of cases) {
    const { text } = await run(t, mock, [...credentials, ...flags])
    const { setup, statements } = JSON.parse(text) as Report
    const failed = statements.find(({ id }) => id === 'schema.materials.name')
    const { stdout } = await promisify(execFile)('sh', ['-euc', `${setup}\n${failed?.request}`], {
      env: { PATH: process.env.PATH, ...secret },
    })
    const { data } = JSON.parse(stdout)
    t.match(data, [{ _id: 'm1', name: null }], 'the item at fault alone')
    t.equal(data.length, 1)
  }
})

t.test('a report marks how a list differs from the expected one', async (t) => {
  const ids = Array.from({ length: 20 }, (_, index) => `i${index}`)
  const all = 'a list of 20 elements: "i0", "i1", "i2", "i3", "i4" and 15 more'
  const cases: [expected: unknown, actual: unknown, texts: [string, string]][] = [
    [ids, ids.toSpliced(3, 1), [all, 'a list of 19 elements; missing: "i3"']],
    [ids, [...ids, 'x', 'i0'], [all, 'a list of 22 elements; extra: "x", "i0"']],
    [
      ids,
      ids.toSpliced(1, 2, 'i2', 'i1'),
      [all, 'a list of 20 elements; at another place: "i2", "i1"'],
    ],
    [
      ids,
      [...ids.slice(1, 10), 'x'],
      [
        all,
        'a list of 10 elements; missing: "i0", "i10", "i11", "i12", "i13" and 6 more; extra: "x"',
      ],
    ],
    [
      ['a'],
      [undefined, null],
      ['a list of 1 element: "a"', 'a list of 2 elements; missing: "a"; extra: nothing, null'],
    ],
    [[], ['a'], ['a list of 0 elements', 'a list of 1 element; extra: "a"']],
    [['a'], 'a', ['["a"]', '"a"']],
    [[{ a: 1 }], ['a'], ['[{"a":1}]', '["a"]']],
  ]
  for (const [expected, actual, texts] of cases) {
    const marked = markDifference(expected, actual)
    t.same([toReportText(marked.expected, []), toReportText(marked.actual, [])], texts)
  }
})

t.test('a report of any text is well-formed', async (t) => {
  const odd = 'a<b>&"\'\n\t\0\u0007\u001b[2J\u009b\ud800]]>'
  const result = { id: 'query.id', title: odd, level: 'documented', outcome: 'failed' } as const
  const report: Report = {
    url: 'http://a/api/2018-10-01',
    startedAt: '2026-01-01T00:00:00.000Z',
    setup: odd,
    summary: { held: 0, failed: 1, skipped: 0 },
    statements: [{ ...result, expected: odd, actual: odd, request: odd }],
    warnings: [odd],
    notes: [odd],
  }
  t.same(JSON.parse(formatReport(report, 'json')), report)
  for (const format of ['text', 'json', 'junit'] as const) {
    const text = formatReport(report, format, { verbose: true })
    t.notMatch(text, /[^\P{Cc}\n\t]/u, `${format} has no controls`)
  }
  const junit = formatReport(report, 'junit')
  t.notMatch(junit, /<b>|&"/)
  t.notOk(['\0', '\u0007', '\ud800'].some((each) => junit.includes(each)))
  t.match(formatReport(report, 'text', { isColoured: true }), '\x1b[31m✗\x1b[0m query.id')
  for (const [statements, colour] of [
    [report.statements, 31],
    [[], 32],
  ] as const) {
    const summary = formatReport({ ...report, warnings: [], statements }, 'text', {
      isColoured: true,
      quiet: true,
    })
    t.ok(summary.startsWith(`\x1b[${colour}m`), `the summary has the colour ${colour}`)
  }
  const left = formatReport({ ...report, warnings: ['left behind: m1'] }, 'text', { quiet: true })
  t.match(left, /^! left behind: m1\n.*\n$/, '--quiet hides no warning')
  t.notMatch(formatReport({ ...report, statements: [] }, 'text'), '\x1b')
})

t.test('the exit code is 2 if the check cannot be run, with one line', async (t) => {
  const mock = await start(t)
  // An error of the deployment and one of the options run in processes of their own, the others in this one.
  const PROCESSES = 2
  const cases: [argv: string[], message: RegExp][] = [
    [[mock.url + BASE, '--username', 'ann', '--password', 'wrong'], /credentials are wrong/],
    [[mock.url + BASE, ...LOGIN, '--format', 'xml'], /--format must be/],
    [[`http://127.0.0.1:1${BASE}`, ...LOGIN], /no answer from/],
    [
      [mock.url + BASE, ...LOGIN, '--resource', 'materials,nope'],
      /nope: the server has no such resource \(404\); the platform has .*jobs, .*materials/,
    ],
    [
      [mock.url + BASE, ...LOGIN, '--resource', 'nope'],
      /nope: the server has no such resource \(404\)/,
    ],
    [
      [mock.url + BASE, ...LOGIN, '--out', '/nowhere/report'],
      /give another --out; the report can't be written/,
    ],
  ]
  await Promise.all(
    cases.map(async ([argv, message], index) => {
      if (index >= PROCESSES)
        return t.rejects(async () => check.run(parseCheck(argv), {}), { message })
      const { code, output, errors } = await runProcess(t, argv).ended
      t.equal(code, 2, argv.join(' '))
      t.equal(output, '')
      t.match(errors, message)
      t.match(errors, /^materials-mock: [^\n]+\n$/)
    }),
  )
})

t.test('a check of a server that dies is not complete, whenever that is', async (t) => {
  const mock = await start(t)
  const { fetch } = globalThis
  let [sent, last, lastOfStatements] = [0, Infinity, 0]
  replace(t, globalThis, 'fetch', async (url: string, init: RequestInit) => {
    if ((sent += 1) > last) throw new TypeError('fetch failed')
    if (!url.endsWith('/logout')) lastOfStatements = sent
    return fetch(url, init)
  })
  const out = join(t.testdir(), 'report')
  const flags = [...LOGIN, '--resource', 'materials', '--format', 'junit', '--out', out]
  const options = parseCheck([mock.url + BASE, ...flags])
  t.equal(await check.run(options), true)
  t.match(readFileSync(out, 'utf8'), / errors="0" /)
  for (const count of [1, 18, 20, 25, lastOfStatements - 1]) {
    ;[sent, last] = [0, count]
    await t.rejects(
      check.run(options),
      {
        code: 'DEPLOYMENT_UNUSABLE',
        message:
          'try again; the check is not complete: the last requests got no answer that can be read',
      },
      `after ${count} requests`,
    )
    const problem =
      / errors="1" [^]*<error message="the last requests got no answer that can be read"\/>/
    t.ok(problem.test(readFileSync(out, 'utf8')))
  }
})

t.test('Ctrl-C deletes what the check has made, and ends its sessions', async (t) => {
  const mock = await start(t, { latency: 20, fixtures: { accounts: ACCOUNTS, materials: [] } })
  const { collections } = mock.app.store
  const { child, ended } = runProcess(t, [mock.url + BASE, ...LOGIN, '--write'])
  await waitFor(() => (collections.get('materials')?.size ?? 0) > 2)
  child.kill('SIGINT')
  const { code, errors } = await ended
  t.equal(code, 2)
  t.equal(errors, 'materials-mock: interrupted\n')
  t.equal(collections.get('materials')?.size, 0)
})

t.test('flags are parsed as those of the other commands', async (t) => {
  const url = 'http://127.0.0.1:4000/api/2018-10-01'
  t.same(parseCheck([url, '--account-id', 'a', '--token', 'b', '--write', '--resource', 'jobs']), {
    url,
    accountId: 'a',
    token: 'b',
    write: true,
    resource: 'jobs',
    format: 'text',
    strict: false,
    verbose: false,
    quiet: false,
  })
  const repeated = ['--resource', 'jobs', '--resource', 'a,b']
  t.equal(parseCheck([url, ...LOGIN, ...repeated]).resource, 'jobs,a,b')
  t.same(parseCommand(['check', '--help'], {}), { kind: 'help', options: 'check' })
  t.throws(() => parseCheck([url, ...LOGIN, '--quiet', '--verbose']), {
    message: 'give one of --quiet and --verbose',
  })
  t.throws(() => parseCheck([url, ...LOGIN, '--resource', '../x']), {
    message: '--resource must be names of resources such as materials,jobs, not "../x"',
  })
})

function parseCheck(argv: string[]): CheckOptions {
  return parseCommand(['check', ...argv], {}).options as CheckOptions
}

/** Runs the command in a process of its own. */
function runProcess(
  t: Test,
  argv: string[],
): {
  child: ReturnType<typeof spawn>
  ended: Promise<{ code: number | null; output: string; errors: string }>
} {
  const child = spawn(process.execPath, [COMMAND, 'check', ...argv], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  const ended = once(child, 'close').then(([code]) => ({
    code,
    output,
    errors,
  }))
  return { child, ended }
}
