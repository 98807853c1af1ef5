import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import t from 'tap'
import type { Test } from 'tap'

import { bundleTests } from '../../scripts/test/bundle-tests.js'
import { CHANGES } from '../../src/controls/mutation/mutation.js'
import type { Mutation } from '../../src/controls/mutation/mutation.js'
import { parseCommand } from '../../src/cli/commands.js'
import { mutate } from '../../src/cli/mutate.js'
import { formatMutations } from '../../src/cli/mutate/format-mutations.js'
import type { MutationReport, MutationResult } from '../../src/cli/mutate/format-mutations.js'
import {
  chooseRoute,
  planMutations,
  readObserved,
  selectMutations,
  toTrials,
} from '../../src/cli/mutate/plan-mutations.js'
import type { ObservedUse } from '../../src/cli/mutate/plan-mutations.js'
import { SCHEMA_FIELDS } from '@materials-mock/api'
import { waitFor } from '../helpers/build.js'
import { COMMAND } from '../helpers/command.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What a run of the command has written, and its exit code. */
interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const run = (t: Test, words: readonly string[], folder = t.testdirName): Promise<Result> =>
  new Promise((resolve) => {
    const options = { cwd: folder, maxBuffer: 2 ** 26 }
    execFile(process.execPath, [COMMAND, 'mutate', ...words], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })

const FIXTURES = {
  'accounts.json': JSON.stringify([{ _id: 'ann', username: 'ann', password: 'x' }]),
  'materials.json': JSON.stringify([
    { _id: 'm1', name: 'b', formula: 'Si' },
    { _id: 'm2', name: 'a', formula: 'Si' },
    { _id: 'm3', name: 'c', formula: 'Ge' },
  ]),
}

/** The steps of a front end, each of which gives up after two seconds, and what they should see. */
const STEPS = `
import assert from 'node:assert/strict'
export const base = () => process.env.MATERIALS_MOCK_URL + '/api/2018-10-01'
export async function steps(fetch, root) {
  const send = async (path, init) => {
    const response = await fetch(root + path, { signal: AbortSignal.timeout(2000), ...init })
    return { status: response.status, body: await response.json() }
  }
  const body = new URLSearchParams({ username: 'ann', password: 'x' })
  const login = await send('/login', { method: 'POST', body })
  const headers = login.body
  const json = { 'content-type': 'application/json', ...headers }
  const rename = { method: 'PATCH', headers: json, body: JSON.stringify({ name: 'd' }) }
  const renamed = await send('/materials/m1', rename)
  const parameters = new URLSearchParams({
    query: JSON.stringify({ formula: { $in: ['Si'] } }),
    projection: JSON.stringify({ sort: { name: 1 }, limit: 2, fields: { name: 1 } }),
  })
  const list = await send('/materials?' + parameters, { headers })
  const limited = await send('/materials?limit=2', { headers })
  return { login, renamed, list, limited }
}
export function lookAtAll({ login, renamed, list, limited }) {
  assert.deepEqual([login, renamed, list, limited].map(({ status }) => status), [200, 200, 200, 200])
  assert.deepEqual(Object.keys(login.body), ['X-Account-Id', 'X-Auth-Token'])
  assert.equal(login.body['X-Account-Id'], 'ann')
  const { updatedAt, ...rest } = renamed.body.data
  assert.match(updatedAt, /^2/)
  assert.deepEqual(rest, { _id: 'm1', name: 'd', formula: 'Si', updatedBy: 'ann' })
  assert.deepEqual(list.body.data, [{ _id: 'm2', name: 'a' }, { _id: 'm1', name: 'd' }])
  assert.deepEqual(limited.body.data, [renamed.body.data, { _id: 'm2', name: 'a', formula: 'Si' }])
}
`

const SUITES = {
  'steps.mjs': STEPS,
  'all.mjs': `
    import { base, lookAtAll, steps } from './steps.mjs'
    lookAtAll(await steps(fetch, base()))
  `,
  'status.mjs': `
    import assert from 'node:assert/strict'
    import { base, steps } from './steps.mjs'
    const answers = await steps(fetch, base())
    for (const { status } of Object.values(answers)) assert.equal(status, 200)
  `,
  'nothing.mjs': `
    import { base, steps } from './steps.mjs'
    await steps(fetch, base()).catch(() => undefined)
    // Ten times this is more than a step takes that gives up.
    await new Promise((resolve) => setTimeout(resolve, 300))
  `,
}

const MUTATE = ['--fixtures', 'fixtures', '--format', 'json']

const isSurvivor = ({ outcome }: MutationResult) => outcome === 'survived'
const toIds = ({ mutations }: MutationReport) => mutations.map(({ id }) => id).toSorted()

/** The folder of a suite that hangs. */
const HANGING = t.testdir({
  fixtures: FIXTURES,
  'steps.mjs': STEPS,
  'hang.mjs': `
    import { spawn } from 'node:child_process'
    import { appendFileSync } from 'node:fs'
    import { base, steps } from './steps.mjs'
    const { list } = await steps(fetch, base()).catch(() => ({}))
    if (list?.status !== 200) {
      for (const detached of [true, false]) {
        const { pid } = spawn('sleep', ['600'], { detached, stdio: 'ignore' })
        appendFileSync('pids', pid + '\\n')
      }
      process.on('SIGTERM', () => undefined)
      setInterval(() => undefined, 1000)
    }
  `,
})

/** What is said of it: it takes ten times as long as the suite itself, beside the other tests. */
const hanging = run(t, [...MUTATE, '--max', '1', '--', 'node', 'hang.mjs'], HANGING)

t.test('a suite that looks at more notices more', async (t) => {
  t.testdir({ fixtures: FIXTURES, ...SUITES })
  const [inAll, inStatus, inNothing] = await Promise.all([
    run(t, [...MUTATE, '--max', '8', '--', 'node', 'all.mjs']),
    run(t, [...MUTATE, '--max', '5', '--', 'node', 'status.mjs']),
    run(t, [
      '--fixtures',
      'fixtures',
      '--max',
      '2',
      '--min-score',
      '0',
      '--',
      'node',
      'nothing.mjs',
    ]),
  ])
  const all: MutationReport = JSON.parse(inAll.stdout)
  t.same(all.mutations.filter(isSurvivor), [])
  t.match(all, { score: 1, baseline: { code: 0, requests: 4 } })
  t.equal(inAll.code, 0)
  t.equal(all.mutations.length, 8)
  t.same(
    all.routes.map(({ method, path, changed, noticed }) => [method, path, changed - noticed]),
    [
      ['POST', '/login', 0],
      ['GET', '/materials', 0],
      ['PATCH', '/materials/{id}', 0],
    ],
  )
  t.ok(all.routes.every(({ changed }) => changed === 2 || changed === 3))
  const lines = inAll.stderr.trim().split('\n')
  t.match(lines[0], /^the tests pass as they are; 8 of \d+ changes are tried in about \d+ s$/)
  t.equal(
    lines.filter((line) =>
      /^\d of 8, about \d+ (?:s|min) left {2}(killed|timeout): (GET|PATCH|POST) \//.test(line),
    ).length,
    8,
  )

  const status: MutationReport = JSON.parse(inStatus.stdout)
  t.equal(inStatus.code, 1, 'the score is below --min-score')
  t.ok(status.score > 0.2 && status.score < 0.8, `${status.score}`)
  t.match(status.mutations.at(0)?.outcome, 'survived', 'survivors come first')
  t.equal(status.mutations.length, 5)
  t.same(
    toIds(status).filter((id) => !toIds(all).includes(id)),
    [],
    'the same seed chooses the same changes',
  )
  t.ok(toIds(all).includes('PATCH /materials/{id}.not-kept'))

  t.equal(inNothing.code, 0, inNothing.stderr)
  const [first = ''] = inNothing.stdout.split('\n\n')
  t.equal(first, '\nNo test has noticed these changes:')
  t.match(inNothing.stdout, /\n✗ (GET|PATCH|POST) \/.*\n {4}request {2}(GET|PATCH|POST) \/api/)
  t.match(inNothing.stdout, /\n {4}before {3}.*\n {4}after {4}.*\n {4}An assertion .*\.\n/)
  const last = `
Routes:

  0 of 1 noticed    POST /login
  0 of 1 noticed    GET /materials
  not tried         PATCH /materials/{id}

1 route not tried, which the score leaves out: a larger --max may try more
2 changes of 4 requests to 2 of 3 routes: 0 killed, 0 timed out, 2 survived; score 0.00
`
  t.equal(inNothing.stdout.slice(-last.length), last)
  t.match(inNothing.stderr, '--max 2 is too small to try each of the 3 routes that the tests use')

  t.match(formatMutations({ ...status, score: 39 / 49 }, 'text'), 'score 0.79\n')
  t.match(formatMutations({ ...status, score: 0.29 }, 'text'), 'score 0.29\n')
  const junit = formatMutations(status, 'junit')
  t.match(junit, /<testsuite name="materials-mock mutate" tests="5" failures="[1-4]"/)
})

t.test('mocks in every place are changed', async (t) => {
  const folder = t.testdir({
    fixtures: FIXTURES,
    ...SUITES,
    'in-process.mjs': `
      import { startMock } from './package/index.js'
      import { lookAtAll, steps } from './steps.mjs'
      const mock = await startMock({ fixtures: 'fixtures', logLevel: 'silent' })
      const sandbox = mock.sandbox('one')
      try {
        mock.reset()
        lookAtAll(await steps(sandbox.fetch, '/api/2018-10-01'))
      } finally {
        await mock.close()
      }
    `,
    'worker.mjs': `
      import { Worker } from 'node:worker_threads'
      new Worker(new URL('./in-process.mjs', import.meta.url))
    `,
    'child.mjs': `
      import { spawn } from 'node:child_process'
      import { once } from 'node:events'
      import { lookAtAll, steps } from './steps.mjs'
      const words = [${JSON.stringify(COMMAND)}, '--port', '0', '--fixtures', 'fixtures']
      const server = spawn(process.execPath, words)
      const [text] = await once(server.stdout, 'data')
      const [, url] = /API +(\\S+)/.exec(String(text))
      try {
        lookAtAll(await steps(fetch, url))
      } finally {
        server.kill()
      }
    `,
    // As an interceptor of requests does, such as that of MSW.
    'intercepted.mjs': `
      import { startMock } from './package/index.js'
      import { lookAtAll, steps } from './steps.mjs'
      const mock = await startMock({ fixtures: 'fixtures', logLevel: 'silent' })
      const intercepted = (url, init) => mock.fetch(new Request(url, init))
      try {
        lookAtAll(await steps(intercepted, 'https://platform.example.org/api/2018-10-01'))
      } finally {
        await mock.close()
      }
    `,
  })
  await bundleTests({ index: 'src/index.ts' }, '', ROOT, `${folder}/package`)
  const suites = ['worker.mjs', 'child.mjs', 'intercepted.mjs']
  await Promise.all(
    suites.map(async (suite) => {
      const { stdout, stderr } = await run(t, [...MUTATE, '--max', '1', '--', 'node', suite])
      const expected = { score: 1, baseline: { requests: 4 }, mutations: [{ path: '/login' }] }
      t.match(JSON.parse(stdout || '{}'), expected, suite + stderr)
    }),
  )
})

t.test('an interrupt ends everything', async (t) => {
  const folder = t.testdir({
    fixtures: FIXTURES,
    'steps.mjs': STEPS,
    'slow.mjs': `
      import { writeFileSync } from 'node:fs'
      import { base, steps } from './steps.mjs'
      await steps(fetch, base())
      writeFileSync('pid', String(process.pid))
      setInterval(() => undefined, 1000)
    `,
  })
  const words = [COMMAND, 'mutate', '--fixtures', 'fixtures', '--', 'node', 'slow.mjs']
  const command = spawn(process.execPath, words, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // The file is there, and empty, before it is written.
  const readPid = (): number =>
    existsSync(`${folder}/pid`) ? Number(readFileSync(`${folder}/pid`, 'utf8')) : 0
  await waitFor(() => readPid() > 0)
  const pid = readPid()
  command.kill('SIGINT')
  const [[text], [code]] = await Promise.all([once(command.stderr, 'data'), once(command, 'exit')])
  t.equal(code, 2)
  t.equal(String(text), 'materials-mock: interrupted\n')
  await waitFor(() => !isRunning(pid))
})

t.test('tests that cannot be judged end it with 2', async (t) => {
  t.testdir({
    fixtures: FIXTURES,
    'fail.mjs': 'console.log("\\x07\\x1b[31mwrong\\x1b[39m"); process.exit(3)',
  })
  const cases: [words: readonly string[], message: RegExp][] = [
    [
      ['--', 'node', 'fail.mjs'],
      /nothing is changed \(exit code 3\); make them pass first:\n\\u0007wrong\n/,
    ],
    [
      ['--out', '/nowhere/report', '--', 'node', 'fail.mjs'],
      /give another --out; the report can't be written/,
    ],
    [
      ['--', 'node', '--eval', 'process.kill(process.pid, "SIGKILL")'],
      /nothing is changed \(ended by a signal\); make them pass first/,
    ],
    [['--', 'no-such-command'], /give a command that runs the tests; spawn no-such-command ENOENT/],
  ]
  for (const [words, message] of cases)
    t.match(await run(t, words), { code: 2, stdout: '', stderr: message }, words.join(' '))
  const { options } = parseCommand(['mutate', '--', 'node', '--eval', ''], {})
  await t.rejects(mutate.run(options as Parameters<typeof mutate.run>[0], process.env), {
    code: 'TESTS_UNUSABLE',
    message: /^no mock has answered a request of the tests with success; .*MATERIALS_MOCK_URL/,
  })
  const refused: [words: readonly string[], message: RegExp][] = [
    [[], /give the command that runs the tests after --: mutate -- npm test/],
    [['--'], /give the command that runs the tests after --/],
    [['--', ''], /give the command that runs the tests after --/],
    [['npm', 'test'], /Unexpected argument 'npm'/],
    [['--max', '0', '--', 'node'], /--max must be an integer from 1/],
    [['--min-score', '2', '--', 'node'], /--min-score must be /],
    [
      ['--state', 'kept', '--', 'node'],
      /^leave out --state and MATERIALS_MOCK_STATE; each run of the tests needs/,
    ],
  ]
  for (const [words, message] of refused)
    t.throws(() => parseCommand(['mutate', ...words], {}), { message }, words.join(' '))
})

/** Returns what a mock writes of a response. */
const observe = (path: string, url: string, data: object): string =>
  JSON.stringify({
    use: { method: 'GET', path, sort: ['name'], paths: [], operators: [], fields: ['tags'] },
    url,
    answer: JSON.stringify({ status: 'success', data }),
  })

t.test('a use has a value of each field of its answers, and the longest list', async (t) => {
  const first = [
    { name: null, tags: ['x'], lattice: { a: null } },
    { name: 'b', 'a.b': 1 },
  ]
  const folder = t.testdir({
    'one.jsonl': `${observe('/materials', '/materials?limit=2', first)}\n{"use": {"met`,
    'two.jsonl': [
      observe('/materials', '/materials?query={}', [{ name: 'c', lattice: { a: 5 } }]),
      observe('/jobs/{id}', '/jobs/j', { name: 'd' }),
      observe('*', '/nowhere', {}),
    ].join('\n'),
  })
  const { requests, uses } = await readObserved(folder)
  t.equal(requests, 4, 'a line that was cut does not count')
  t.match(uses, [
    { path: '/jobs/{id}', size: undefined, isLimited: false },
    { path: '/materials', size: 2, isSorted: true, isQueried: false, isLimited: true },
  ])
  t.same(
    uses.map(({ fields }) => Object.fromEntries(fields)),
    [{ name: 'd' }, { name: 'b', tags: ['x'], lattice: { a: null }, 'lattice.a': 5 }],
  )
})

t.test('a plan follows from the uses, the schemas and the seed', async (t) => {
  const use: ObservedUse = {
    method: 'GET',
    path: '/materials',
    isSorted: true,
    isQueried: false,
    isLimited: false,
    example: { url: '/materials', answer: '' },
    size: 2,
    named: new Set(['lattice.a']),
    fields: new Map<string, never>(
      Object.entries({ name: 'a', lattice: {}, 'lattice.a': 1, extra: 5 }) as [string, never][],
    ),
  }
  const plan = planMutations([use], 1)
  const ids = plan.map(({ change, field = '' }) => `${change} ${field}`.trim())
  t.same(ids.toSorted(), [
    'empty',
    'hang',
    'ignore-sort',
    'lose-item',
    'missing extra',
    'missing lattice',
    'missing lattice.a',
    'missing name',
    'null extra',
    'null lattice',
    'null lattice.a',
    'null name',
    'repeat-item',
    'reset',
    'status-401',
    'status-500',
    'type extra',
    'type lattice',
    'type lattice.a',
    'type name',
    'unit lattice.a',
  ])
  const fields = plan.flatMap(({ field }) => (field === undefined ? [] : [field]))
  t.same([...new Set(fields.slice(0, 4))], ['lattice.a'], 'what the requests name comes first')
  t.same(planMutations([use], 1), plan)
  t.notSame(planMutations([use], 2), plan)
  t.same(planMutations([{ ...use, example: undefined }], 1), [], 'what has never succeeded')
  const write = planMutations([{ ...use, method: 'PATCH', size: undefined, fields: new Map() }], 1)
  t.same(write.map(({ change }) => change).toSorted(), [
    'hang',
    'not-kept',
    'reset',
    'status-401',
    'status-500',
  ])
  for (const path of ['/login', '/files/signed-urls', '/jobs/{id}/presigned-urls']) {
    const post = planMutations([{ ...use, method: 'POST', path }], 1)
    t.notOk(
      post.some(({ change }) => change === 'not-kept'),
      `${path} keeps nothing`,
    )
  }
  t.ok(SCHEMA_FIELDS.some(({ path }) => path === 'lattice.a'))
})

t.test('the route with the fewest changes has its turn', (t) => {
  const uses = ['/a', '/b', '/c'].map((path) => ({ method: 'GET', path })) as ObservedUse[]
  const planned = uses.flatMap(({ method, path }) =>
    (['reset', 'hang', 'empty', 'null'] as const).map((change) => ({ method, path, change })),
  )
  const trials = toTrials(uses, [...planned, { method: 'PUT', path: '/a', change: 'reset' }])
  t.equal(trials[0]?.left.length, 4)
  const tried: string[] = []
  for (let trial = chooseRoute(trials); trial !== undefined; trial = chooseRoute(trials)) {
    const { path, change } = trial.left.shift() as Mutation
    // No change of /b changes an answer.
    trial[path === '/b' ? 'unreached' : 'changed'] += 1
    tried.push(`${path} ${change}`)
  }
  t.same(tried.slice(0, 5), ['/a reset', '/b reset', '/b hang', '/b empty', '/c reset'])
  t.equal(tried.length, 12)
  t.end()
})

t.test('a suite that hangs has noticed, and nothing of it is left', async (t) => {
  const { stdout } = await hanging
  t.match(JSON.parse(stdout), { score: 1, mutations: [{ outcome: 'timeout' }] })
  const pids = readFileSync(`${HANGING}/pids`, 'utf8').trim().split('\n').map(Number)
  t.equal(pids.length, 2)
  for (const pid of pids) await waitFor(() => !isRunning(pid))
})

const plan: Mutation[] = [
  { method: 'GET', path: '/jobs', change: 'status-500' },
  { method: 'GET', path: '/jobs', change: 'status-401' },
  { method: 'GET', path: '/jobs', change: 'type', field: 'workflow.name' },
  { method: 'GET', path: '/materials', change: 'null', field: 'name' },
  { method: 'POST', path: '/jobs/{id}/submit', change: 'not-kept' },
]

t.test('patterns select changes by kind, resource, route and field', async (t) => {
  const cases: [pattern: string, selected: number[]][] = [
    ['type', [2]],
    ['status', [0, 1]],
    ['status-401', [1]],
    ['jobs', [0, 1, 2, 4]],
    ['/jobs', [0, 1, 2]],
    ['/jobs/*/submit', [4]],
    ['POST /jobs/**', [4]],
    ['GET *jobs', []],
    ['GET /**', [0, 1, 2, 3]],
    ['workflow.*', [2]],
    ['name', [3]],
    ['name, status', [0, 1, 3]],
    ['unit,name', [3]],
  ]
  for (const [pattern, selected] of cases) {
    if (selected.length === 0) {
      t.throws(() => selectMutations(plan, { only: pattern }), { message: /^--only must name/ })
      continue
    }
    const rest = plan.filter((_, index) => !selected.includes(index))
    t.same(
      selectMutations(plan, { only: pattern }).map((each) => plan.indexOf(each)),
      selected,
      `--only ${pattern}`,
    )
    t.same(selectMutations(plan, { skip: pattern }), rest, `--skip ${pattern}`)
  }
  t.same(selectMutations(plan, { only: 'jobs', skip: 'status' }), [plan[2], plan[4]])
  t.same(selectMutations(plan, { skip: 'unit' }), plan, 'a kind that is not there')
  const refused: [pattern: string, message: string][] = [
    ['statis', ''],
    ['materails', '; the closest one is materials'],
    ['workflow.nmae', '; the closest one is workflow.name'],
    ['mising', '; the closest one is missing'],
    ['GET /job', '; the closest one is GET /jobs'],
  ]
  for (const [pattern, closest] of refused) {
    t.throws(() => selectMutations(plan, { skip: pattern }), {
      message: `--skip must name a kind of change (${Object.keys(CHANGES).join(', ')}), or a resource, a route or a field that the tests use, not "${pattern}"${closest}`,
    })
  }
  t.throws(() => selectMutations(plan, { only: 'jobs', skip: 'jobs' }), {
    message: '--only and --skip leave no change to try',
  })
})

const toResult = (words: string, outcome: MutationResult['outcome'], isNamed = false) => {
  const [path = '', change, field] = words.split(' ') as [string, MutationResult['change'], string?]
  const title = `${path} ${change} ${field ?? ''}`.trim()
  return {
    id: title,
    title,
    method: 'GET',
    path,
    change,
    isNamed,
    outcome,
    ms: 1,
    request: 'GET /',
    before: '',
    after: '',
    ...(field !== undefined && { field }),
  }
}

t.test('survivors are grouped, the likeliest to be noticed first', async (t) => {
  const mutations = [
    toResult('/a type unread', 'survived'),
    toResult('/a type read', 'survived'),
    toResult('/b type read', 'survived'),
    toResult('/a missing read', 'killed'),
    toResult('/a null named', 'survived', true),
    toResult('/a empty', 'survived'),
    toResult('/a status-401', 'survived'),
    toResult('/a status-500', 'survived'),
  ]
  const report = {
    baseline: { code: 0, requests: 1 },
    routes: [],
    mutations,
    score: 0,
    unreached: 0,
    flaky: 0,
  }
  const text = formatMutations(report, 'text')
  t.same(
    text.split('\n').filter((line) => /^✗|:$/.test(line)),
    [
      'No test has noticed these changes:',
      'Requests that fail:',
      '✗ /a status-500',
      '✗ /a status-401',
      'Writes and lists:',
      '✗ /a empty',
      'Fields that a request names, or a test reads:',
      '✗ /a null named',
      '✗ /a type read',
      'Fields that nothing seems to read (--skip leaves them out):',
      '✗ /a type unread',
      '✗ /b type read',
      'Routes:',
    ],
  )
})

/** Whether a process runs. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
