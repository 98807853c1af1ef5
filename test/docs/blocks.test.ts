import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import t from 'tap'

import { createClient } from '../../src/client.js'
import { startMock } from '../../src/mock/start-mock.js'
import type { Mock } from '../../src/mock/members.js'
import { BASE } from '../helpers/build.js'
import { PAGES_WITH_BLOCKS, asksServer, findBlock, readBlocks } from './blocks.js'
import type { Block } from './blocks.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string): string => readFileSync(ROOT + file, 'utf8')

/** Selects the blocks of a page that start with one of some texts. */
const on =
  (page: string, ...starts: string[]) =>
  (block: Block): boolean =>
    block.page === page && starts.some((start) => block.code.startsWith(start))

const showsFile =
  (folder: string) =>
  ({ shows }: Block): boolean =>
    shows?.startsWith(`examples/${folder}`) === true

const isIn =
  (page: string, ...languages: string[]) =>
  (block: Block): boolean =>
    block.page === page && languages.includes(block.language)

const PACKAGE = 'tools/package/package.test.ts'
const INSTALLED = 'a project installs the mock as the pages say, and runs their commands'
const HERE = 'test/docs/blocks.test.ts'

/** The tests that run blocks, or compare them with what is printed: a file, the name of a test, and the blocks. */
const RUN: readonly (readonly [string, string, ...((block: Block) => boolean)[]])[] = [
  ['.ci/run', 'npm start', on('README.md', 'npm ci'), on('docs/front-end.md', 'npm ci')],
  [
    PACKAGE,
    INSTALLED,
    on('README.md', 'npm install', 'materials-mock '),
    isIn('docs/client.md', 'sh'),
    isIn('docs/drift.md', 'sh', 'text'),
    on('docs/fixtures.md', 'mkdir -p my-fixtures', 'mkdir -p many'),
    on('docs/front-end.md', 'mkdir'),
    on('docs/jobs.md', 'npm start'),
    on('docs/options.md', 'npx'),
    on('docs/state-and-recording.md', 'npx materials-mock --'),
  ],
  [
    PACKAGE,
    'the client is a package of its own, without dependencies',
    on('docs/client.md', "import { createClient } from 'materials-client'"),
  ],
  [
    'tools/package/libraries.test.ts',
    'a mock can serve the requests of an MSW handler',
    on('docs/testing.md', 'http.all'),
  ],
  [
    'tools/package/bundlers.test.ts',
    "what Vite's proxy makes of a dropped connection is as the docs say",
    isIn('docs/front-end.md', 'js'),
  ],
  [
    'tools/package/bundlers.test.ts',
    'the example of a bundle lists its materials',
    showsFile('browser/'),
  ],
  [
    'tools/package/bundlers.test.ts',
    'the stories of a published Storybook have a mock',
    showsFile('storybook/mock-in-tab'),
  ],
  ['tools/package/examples.test.ts', 'the Vitest example passes', showsFile('vitest/')],
  ['tools/package/examples.test.ts', 'the Playwright example passes', showsFile('playwright/')],
  [
    'tools/package/examples.test.ts',
    'mutate finds in the Vitest example what docs/mutate.md shows',
    isIn('docs/mutate.md', 'sh', 'text', 'ts'),
  ],
  [
    'python/tests/test_docs.py',
    'def test_the_installation_into_a_virtual_environment(',
    isIn('docs/python.md', 'sh'),
  ],
  [
    'python/tests/test_docs.py',
    'def test_the_first_test_and_the_start(',
    on('docs/python.md', 'def test_silicon', 'import'),
  ],
  ['python/tests/test_docs.py', 'def test_structures(', on('docs/python.md', 'from ase')],
  [
    'python/tests/test_docs.py',
    'def test_a_job_and_sessions_after_a_reset(',
    on('docs/python.md', 'def test_a_job'),
  ],
  [
    'python/tests/test_docs.py',
    'def test_the_cells_of_a_notebook(',
    isIn('docs/jobs.md', 'python'),
  ],
  [
    'test/browser/site.test.ts',
    'a site on a host of pages has its controls, and nobody logs in',
    on('docs/without-a-server.md', 'await'),
  ],
  [
    'test/cli/check.test.ts',
    'a deployment that differs fails, and no report shows a secret',
    isIn('docs/drift.md', 'json'),
  ],
  [
    'test/client/client.test.ts',
    'the example of docs/client.md runs',
    on('docs/client.md', 'import { ApiError'),
  ],
  ['test/docs/cookbook.test.ts', 'each piece of TypeScript runs', isIn('docs/cookbook.md', 'ts')],
  [
    'test/docs/cookbook.test.ts',
    'each command runs',
    (block) => isIn('docs/cookbook.md', 'sh')(block) && !asksServer(block),
    on('docs/without-a-server.md', 'npx'),
  ],
  [
    'test/docs/docs.test.ts',
    'the README has at most 120 lines, and its examples of code run',
    isIn('README.md', 'ts'),
  ],
  [
    'test/docs/docs.test.ts',
    'the README shows what a login and a list answer',
    on('README.md', 'api='),
  ],
  [
    'test/docs/docs.test.ts',
    'the shell commands of the pages return what the pages show',
    (block) => asksServer(block) && block.page !== 'README.md',
    ({ language, follows }) => language === 'json' && follows !== undefined && asksServer(follows),
  ],
  [
    'test/docs/docs.test.ts',
    'the commands that record print what the page shows',
    on('docs/state-and-recording.md', 'export', 'npx materials-mock record', 'recorded '),
  ],
  [
    'test/docs/docs.test.ts',
    'docs/fixtures.md shows one file, its items and the accounts as they are',
    on(
      'docs/fixtures.md',
      '{\n  "posts"',
      '{\n  "status": "success",\n  "data": [\n    { "_id": "a"',
      '[\n  {\n    "_id"',
      '[{ "_id": "demo"',
    ),
  ],
  [
    'test/docs/docs.test.ts',
    'docs/testing.md shows the test that the requests become',
    on('docs/testing.md', 'import { expect, test }'),
  ],
  ['test/docs/front-end.test.ts', 'the front end of the first page works', showsFile('front-end/')],
  [
    'test/docs/query-language.test.ts',
    'every operator of expressions has an example, with the result that the page shows',
    isIn('docs/expressions.md', 'json'),
  ],
  [
    'test/docs/query-language.test.ts',
    'every query operator has an example that matches, and one that does not',
    on('docs/query-language.md', '{\n'),
  ],
  [
    'test/docs/query-language.test.ts',
    'every update operator has the result that the page shows',
    on('docs/query-language.md', '{ '),
  ],
  [
    'test/docs/reference.test.ts',
    'the buildApp example returns the response that its comment shows',
    on('docs/testing.md', 'import { buildApp }'),
  ],
  [
    'test/docs/skill.test.ts',
    'the pages start a mock without a port, with require, and name its errors',
    on('docs/testing.md', 'const { startMock }'),
    on('docs/start-mock.md', 'import'),
  ],
  [
    'test/docs/storybook.test.ts',
    'the stories of the page are in scenarios of their own',
    showsFile('storybook/mock.js'),
    showsFile('storybook/job-list'),
  ],
  [
    'test/packages.test.ts',
    'prints what its README says',
    ({ page }) => page.startsWith('packages/'),
  ],
  [
    HERE,
    'the pages show requests, their results and errors as they are',
    on('docs/contract.md', '{'),
    on('docs/controls.md', 'event:', '{ "mcpServers"'),
    on('docs/fixtures.md', '{\n  "busy queue"'),
    on('docs/journal.md', '{'),
    on('docs/why-not.md', '2 of 3'),
  ],
  [
    HERE,
    'docs/jobs.md shows a property as a job leaves it, and each outcome has its effect',
    on('docs/jobs.md', '{\n  "_id": "…"', '{ "outcome"', '{\n  "outcome"'),
  ],
  [
    HERE,
    'pages that repeat a part of a file have it as it is there',
    on('docs/architecture.md', 'src/'),
    on('docs/contributing.md', 'npm start'),
    on('docs/testing.md', 'const test'),
    on('docs/options.md', 'services:'),
    on('docs/troubleshooting.md', 'warn'),
  ],
]

/** The blocks that no test runs, with the reason. */
const NOT_RUN: readonly (readonly [string, ...((block: Block) => boolean)[]])[] = [
  [
    'it releases, and only on main: tools/package/release.test.ts runs the script in a repository of its own',
    on('docs/contributing.md', 'npm run release'),
  ],
  ['it pushes', on('docs/contributing.md', 'git push')],
  ['the addresses come with the publication', on('docs/contributing.md', '{')],
  [
    'a million items need 8 GB; the block above makes 100,000 in the same way',
    on('docs/fixtures.md', 'mkdir -p million'),
  ],
  [
    "the variables are for the platform's own client, which is not a dependency",
    on('docs/jobs.md', 'export API_HOST'),
  ],
  [
    'mkcert is not installed, and changes what a computer trusts; test/server/tls.test.ts starts with a certificate',
    on('docs/options.md', 'mkcert'),
  ],
  [
    'Docker is not there: the test of docs.test.ts on the files of the image does what the Dockerfile says',
    on('docs/options.md', 'docker build'),
  ],
]

t.test('each block of a page has one test that runs it, or a reason why none does', async (t) => {
  const blocks = PAGES_WITH_BLOCKS.flatMap((page) => readBlocks(page))
  const rows = [
    ...RUN.map(([file, name, ...selects]) => ({ label: `${file}: ${name}`, selects })),
    ...NOT_RUN.map(([label, ...selects]) => ({ label, selects })),
  ]
  for (const block of blocks) {
    const labels = rows.filter(({ selects }) => selects.some((select) => select(block)))
    t.equal(
      labels.length,
      1,
      `${block.page}:${block.line} ${block.code.split('\n')[0]} has a row: ${labels.map(({ label }) => label).join('; ')}`,
    )
  }
  for (const { label, selects } of rows)
    for (const select of selects) t.ok(blocks.some(select), `${label} has a block`)
  for (const [file, name] of RUN) t.ok(read(file).includes(name), `${file} has ${name}`)
})

const HEADERS = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }

/** Sends a request, with its parameters as JSON. */
const send = (
  { url }: Mock,
  path: string,
  parameters: object = {},
  method = 'GET',
): Promise<Response> => {
  const texts = Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)])
  const search = new URLSearchParams(Object.fromEntries(texts))
  return fetch(`${url}${BASE}${path}?${search}`, { method, headers: HEADERS })
}

t.test('the pages show requests, their results and errors as they are', async (t) => {
  const mock = await startMock({
    fixtures: {
      accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
      materials: [{ _id: 'm1', formula: 'Si' }, { _id: 'm2' }],
    },
    logLevel: 'silent',
  })
  t.teardown(() => mock.close())
  const refused = await send(mock, '/materials', { projection: { limit: 501 } })
  t.same(await refused.json(), JSON.parse(findBlock('docs/contract.md', '{').code))

  const used = mock.sandbox('footprint')
  const parameters = {
    query: { formula: { $regex: '^Si' } },
    projection: { sort: { name: 1 }, fields: { name: 1 } },
  }
  for (let time = 0; time < 2; time += 1) await send(used, '/materials', parameters)
  t.same(used.footprint(), JSON.parse(findBlock('docs/journal.md', '{').code))

  const scenarios = JSON.parse(findBlock('docs/fixtures.md', '{\n  "busy queue"').code)
  const withScenarios = await startMock({
    fixtures: { scenarios, charges: [], jobs: [] },
    logLevel: 'silent',
  })
  t.teardown(() => withScenarios.close())
  withScenarios.scenario('busy queue')
  const client = createClient({ fetch: withScenarios.fetch })
  await client.login('demo', 'demo')
  t.match(await client.jobs.list({}, { sort: { name: 1 } }), [
    { name: 'Bands', status: 'error' },
    { name: 'Relax', status: 'submitted' },
  ])

  const ordered = mock.sandbox('order')
  await send(ordered, '/materials/m1', {}, 'DELETE')
  for (const path of ['/materials', '/materials/m2', '/materials']) await send(ordered, path)
  const order = ['/materials', '/materials/m2'].map((path) => ({ path: BASE + path }))
  const { code: message } = findBlock('docs/why-not.md', '2 of 3')
  await t.rejects(ordered.expectRequests([...order, { method: 'DELETE' }]), {
    message: message.trim(),
  })

  const { code: configuration } = findBlock('docs/controls.md', '{ "mcpServers"')
  const { pathname } = new URL(JSON.parse(configuration).mcpServers.materials.url)
  const answer = await fetch(mock.url + pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  t.match(await answer.text(), '"explain_item"')

  const shown = findBlock('docs/controls.md', 'event:').code
  const events = await fetch(`${mock.url}/__admin/events`)
  await send(mock, '/materials')
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of events.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (/event: response\n.*\n\n/.test(text)) break
  }
  for (const name of ['request', 'response']) {
    const [ofPage = [], sent = []] = [shown, text].map((each) => {
      const [, data = ''] = new RegExp(`event: ${name}\\ndata: (.*)`).exec(each) ?? []
      return [...data.matchAll(/"(\w+)":/g)].map(([, key]) => key)
    })
    t.ok(ofPage.length > 3)
    t.same(sent.slice(0, ofPage.length), ofPage, `the keys of ${name}`)
  }
})

const readOutcome = (start: string) => JSON.parse(findBlock('docs/jobs.md', start).code)

t.test(
  'docs/jobs.md shows a property as a job leaves it, and each outcome has its effect',
  async (t) => {
    const mock = await startMock({ logLevel: 'silent' })
    t.teardown(() => mock.close())
    const client = createClient({ fetch: mock.fetch })
    await client.login('demo', 'demo')
    const run = async (outcome: object) => {
      const { _id } = await client.jobs.create({
        _material: { _id: 'TpjPTBupQjav8TqH8' },
        workflow: { _id: 'fJvR96eP6jqBHBFoo' },
        ...outcome,
      })
      await client.jobs.submit(_id)
      await mock.clock.advance(60_000)
      const query = { 'source.info.jobId': _id, slug: 'total_energy' }
      const [energy] = await client.properties.list(query)
      return { job: await client.jobs.get(_id), energy }
    }
    const shown = JSON.parse(findBlock('docs/jobs.md', '{\n  "_id": "…"').code, (_, value) =>
      value === '…' ? String : value,
    )
    const { energy } = await run({})
    t.match(energy, shown)

    const failing = readOutcome('{ "outcome"')
    const { job } = await run(failing)
    t.match(job, { status: 'error', compute: { errors: [{ message: failing.outcome.message }] } })

    const fixed = readOutcome('{\n  "outcome"')
    t.match((await run(fixed)).energy, { data: fixed.outcome.results[0].data })
  },
)

t.test('pages that repeat a part of a file have it as it is there', async (t) => {
  const { code: tree } = findBlock('docs/architecture.md', 'src/')
  let folder = ''
  const listed: string[] = []
  for (const line of tree.trim().split('\n')) {
    const [, indentation = '', name = ''] = /^( *)(\S+)/.exec(line) ?? []
    if (indentation === '') folder = name
    listed.push(indentation === '' ? name : folder + name)
  }
  for (const path of listed) t.ok(existsSync(ROOT + path), path)
  for (const parent of ['src/', 'packages/']) {
    const folders = readdirSync(ROOT + parent, { withFileTypes: true }).filter((each) =>
      each.isDirectory(),
    )
    for (const { name } of folders) t.ok(listed.includes(`${parent}${name}/`), `${parent}${name}`)
  }

  const { scripts } = JSON.parse(read('package.json'))
  const named = findBlock('docs/contributing.md', 'npm start').code.matchAll(
    /npm (?:run )?([a-z][\w:-]*)/g,
  )
  for (const [command, name = ''] of named) t.ok(name in scripts, command)

  t.ok(
    read('docs/examples/vitest/concurrent.test.ts').includes(
      findBlock('docs/testing.md', 'const test').code,
    ),
  )
  const [variable = ''] =
    /MATERIALS_\w+: [\w-]+/.exec(findBlock('docs/options.md', 'services:').code) ?? []
  t.ok(read('compose.yaml').includes(`{ ${variable} }`), variable)
  const refusal = findBlock('docs/troubleshooting.md', 'warn').code.slice('warn '.length).trim()
  t.ok(read('test/http/callers.test.ts').includes(refusal), refusal)
})
