import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import t from 'tap'

import { isJsonObject } from '@materials-mock/json'
import { createClient } from '../../src/client.js'
import { startMock } from '../../src/mock/start-mock.js'
import { checkMock } from '../check/check-mock.js'
import { build } from '../helpers/build.js'
import { COMMAND } from '../helpers/command.js'
import { sendBytes } from '../helpers/send-bytes.js'
import { asksServer, readBlocks } from './blocks.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DOCS = `${ROOT}docs/`
const run = promisify(execFile)

/** The pages for users and contributors, with their paths from the root. */
const PAGES = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'SKILL.md', 'bench/README.md']
  .concat(
    readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${file}`),
  )
  .map((path) => ({ path, text: readFileSync(ROOT + path, 'utf8') }))

/** Returns the anchor that GitHub gives a heading. */
const toAnchor = (heading: string): string =>
  heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

t.test('every link to a local file or a heading has a target', async (t) => {
  for (const { path, text } of PAGES) {
    for (const [, file = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
      const target = file === '' ? path : join(dirname(path), file)
      t.ok(existsSync(ROOT + target), `${path} links to ${file}`)
      if (anchor === undefined || !target.endsWith('.md')) continue
      const headings = readFileSync(ROOT + target, 'utf8').match(/^#+ .*$/gm) ?? []
      t.ok(headings.map(toAnchor).includes(anchor), `${path} links to ${file}#${anchor}`)
    }
  }
})

t.test('the files that the pages name exist, or are in the package', async (t) => {
  const folders = ['', 'src/', 'bench/', 'packages/', 'packages/query/src/', 'packages/query/test/']
  const { files: packed }: { files: string[] } = JSON.parse(
    readFileSync(`${ROOT}package.json`, 'utf8'),
  )
  for (const { path, text } of PAGES.filter((page) => page.path !== 'CHANGELOG.md')) {
    const named = text.matchAll(
      /`((?:src|packages|test|scripts|bench|tools|dist)\/[\w./-]+|\w[\w-]*\/[\w./-]+\.tsx?)`/g,
    )
    for (const [, file = ''] of named) {
      // What is in `dist` depends on what was built last.
      const exists = file.startsWith('dist/')
        ? packed.includes(file)
        : folders.some((folder) => existsSync(ROOT + folder + file))
      t.ok(exists, `${path} names ${file}`)
    }
  }
})

t.test(
  'the pages link every example file, and show those that they show without changes',
  async (t) => {
    for (const { path, text } of PAGES) {
      for (const [, file = '', code] of text.matchAll(
        /^\[[^\]]+\]\((examples\/[^)]+)\):\n\n```\w+\n(.*?)^```$/gms,
      ))
        t.equal(code, readFileSync(DOCS + file, 'utf8'), `${path} shows ${file}`)
    }
    const linked = PAGES.flatMap(({ text }) =>
      [...text.matchAll(/\]\((examples\/[^)]+)\)/g)].map(([, file]) => file),
    )
    const files = readdirSync(`${DOCS}examples`, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.includes('.'))
      .map((file) => `examples/${file}`)
    t.same([...new Set(linked)].toSorted(), files.toSorted())
  },
)

t.test('docs/start-mock.md lists every member of a mock', async (t) => {
  const mock = await startMock({ fixtures: {}, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const members = Object.entries(mock).flatMap(([name, value]) =>
    name === 'faults' ? Object.keys(value).map((each) => `faults.${each}`) : [name],
  )
  const { text = '' } = PAGES.find(({ path }) => path === 'docs/start-mock.md') ?? {}
  const listed = [...text.matchAll(/^\| `mock\.([\w.]+)/gm)].map(([, name]) => name)
  t.same(listed.toSorted(), members.toSorted())
})

const SHIPPED = { resource: 'materials', fixtures: undefined }

t.test('the shell commands of the pages return what the pages show', async (t) => {
  const variables = PAGES.flatMap(({ text }) => text.match(/^(?:base|headers|admin)=.*$/gm) ?? [])
  const prelude = ['curl() { command curl "$@"; echo; }', ...new Set(variables)]
  for (const { path, text } of PAGES) {
    const steps = parseSteps(path, text)
    if (steps.length === 0) continue
    const app = await build(t)
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const script = [...prelude, ...steps.map(({ command }) => `${command}\nprintf '\\0'`)].join(
      '\n',
    )
    const { stdout } = await run('bash', ['-euc', script.replaceAll(':4000', `:${port}`)])
    const outputs = stdout.split('\0')
    for (const [index, { command, shown }] of steps.entries()) {
      const message = `${path}: ${command}`
      if (shown === undefined) t.match(outputs[index], /"status":"success"|FAULT_INJECTED/, message)
      else t.match(JSON.parse(outputs[index]?.trim().split('\n').at(-1) ?? ''), shown, message)
    }
    // Items that a page puts as fixtures are served as they are.
    if (steps.some(({ command }) => command.includes('/fixtures/'))) continue
    for (const change of ['faults', 'clock'])
      await app.inject({ method: 'DELETE', url: `/__admin/${change}` })
    const mock = { fetch, url: `http://127.0.0.1:${port}` }
    const { statements } = await checkMock(mock, SHIPPED, { id: /^(?:schema|items)\./ })
    const failed = statements.filter(({ outcome }) => outcome === 'failed')
    t.same(failed, [], `after the commands of ${path}, check finds nothing`)
    t.ok(statements.some(({ outcome }) => outcome === 'held'))
  }
})

t.test('docs/fixtures.md shows one file, its items and the accounts as they are', async (t) => {
  const { text = '' } = PAGES.find(({ path }) => path === 'docs/fixtures.md') ?? {}
  const [db = '', list = '', shipped = '', demo = ''] = [
    ...text.matchAll(/^```json\n(.*?)^```$/gms),
  ].map(([, json]) => json)
  const fixtures = `${t.testdir({ 'db.json': db })}/db.json`
  const mock = await startMock({ fixtures, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const client = createClient({ fetch: mock.fetch })
  const [{ username, password, ...account }] = JSON.parse(demo)
  const headers = { ...(await client.login(username, password)) }
  t.same(account, { _id: headers['X-Account-Id'] }, 'it has no tokens')
  const response = await mock.fetch('/api/2018-10-01/posts', { headers })
  t.same(await response.json(), JSON.parse(list))
  const posts = client.resource('posts')
  t.match(await posts.get('2'), { id: 2 })
  t.match(await posts.get('c'), { id: 3 })
  t.match(await posts.list({ id: 3 }), [{ _id: 'c' }])
  const created = await posts.create({ title: 'Fourth' })
  t.equal(created.id, undefined)
  t.same(JSON.parse(shipped), JSON.parse(readFileSync(`${ROOT}fixtures/accounts.json`, 'utf8')))
})

t.test('the commands that record print what the page shows', async (t) => {
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const { text = '' } = PAGES.find(({ path }) => path === 'docs/state-and-recording.md') ?? {}
  const steps = [...text.matchAll(/^```sh\n([^`]*)^```\n\n```text\n([^`]*)^```/gm)]
  t.equal(steps.length, 3)
  const script = steps
    .map(([, command = '']) => `${command}printf '\\0'\n`)
    .join('')
    .replaceAll('npx materials-mock', `${process.execPath} ${COMMAND}`)
    .replaceAll('http://127.0.0.1:4000', mock.url)
  const credentials = {
    'x-account-id': 'oEb32zJWy27miFESb',
    'x-auth-token': 'demo-preferences-token',
  }
  await mock.fetch('/api/2018-10-01/projects', { headers: credentials })
  const har = await (await mock.fetch('/__admin/requests.har')).text()
  const { stdout } = await run('bash', ['-euc', script], { cwd: t.testdir({ 'panel.har': har }) })
  t.same(
    stdout.split('\0').slice(0, -1),
    steps.map(([, , shown]) => shown),
  )
})

t.test('docs/testing.md shows the test that the requests become', async (t) => {
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  mock.faults.add({ path: '/api/*/jobs', status: 503 })
  await mock.fetch('/api/2018-10-01/materials?formula=Si')
  await mock.fetch('/api/2018-10-01/jobs')
  const { text = '' } = PAGES.find(({ path }) => path === 'docs/testing.md') ?? {}
  const [, shown] = /^<!-- prettier-ignore -->\n```ts\n(.*?)^```/ms.exec(text) ?? []
  t.equal(shown, await (await mock.fetch('/__admin/requests.test')).text())
})

t.test('the README has at most 120 lines, and its examples of code run', async (t) => {
  const { text = '' } = PAGES.find(({ path }) => path === 'README.md') ?? {}
  t.ok(text.split('\n').length <= 121)
  const [withClient = '', inTest = ''] = [...text.matchAll(/```ts\nimport .*?\n(.*?)^```/gms)].map(
    ([, code = '']) => code,
  )
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const here = (code: string): string => code.replace('http://127.0.0.1:4000', mock.url)
  const silicon = [{ formula: 'Si' }, { formula: 'Si' }]
  t.equal(await new AsyncFunction('startMock', `${inTest}; return response.status`)(startMock), 503)
  const client = new AsyncFunction('createClient', `${here(withClient)}; return silicon`)
  t.match(await client(createClient), silicon)
})

t.test('the README shows what a login and a list answer', { skip: findCurl() }, async (t) => {
  const { text = '' } = PAGES.find(({ path }) => path === 'README.md') ?? {}
  const [, commands = ''] = /^```sh\n(api=.*?)^```/ms.exec(text) ?? []
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const script = commands.replace('http://127.0.0.1:4000', mock.url)
  const { stdout } = await run('sh', ['-c', script])
  const shown = commands.match(/(?<=^# ).+/gm)?.join('')
  const hidden = stdout.replace(/("(?:_id|X-[\w-]+)":")[^"]*/g, '$1…').replaceAll('\n', '')
  t.equal(hidden, shown)
})

/** Returns why there is nothing to run the commands with, or false. */
function findCurl(): string | false {
  const isThere = spawnSync('curl', ['--version']).status === 0
  return isThere || process.env.CI !== undefined ? false : 'there is no curl'
}

t.test('each row of SECURITY.md has its tests', async (t) => {
  const { text = '' } = PAGES.find(({ path }) => path === 'SECURITY.md') ?? {}
  const rows = text.split('\n').filter((line) => /^\| (?!Attack|-)/.test(line))
  t.ok(rows.length > 0)
  for (const row of rows) {
    const tests = [...row.matchAll(/\[`([^`]+)`\]\(([^)]+)\)/g)]
    t.ok(tests.length > 0, row)
    for (const [, name = '', file = ''] of tests) {
      const source = readFileSync(ROOT + file, 'utf8')
      t.ok(
        [`'${name}'`, `"${name}"`, `def ${name}(`].some((each) => source.includes(each)),
        name,
      )
    }
  }
})

t.test('no text installs a package that is not published', async (t) => {
  const own = ['package.json', 'python/pyproject.toml', 'packages', 'python', 'src', 'fixtures']
  const texts = own.flatMap((path) => listTexts(ROOT + path))
  for (const [path, text] of [...texts, ...PAGES.map((page) => [page.path, page.text] as const)]) {
    if (path === 'docs/contributing.md') continue
    const found =
      /(?:npm (?:install|i|add)|yarn add|pnpm add|pip install)\b[^\n`"']* materials[-_](?:mock|client)(?![\w./-])/
    t.notMatch(text, found, path)
  }
})

/** Returns the paths and texts of a file, or of the files of a folder that have text for readers. */
function listTexts(path: string): (readonly [path: string, text: string])[] {
  if (statSync(path).isFile()) return [[path, readFileSync(path, 'utf8')]]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|tsx|py|md|json|toml)$/.test(file) && !file.includes('node_modules'))
    .flatMap((file) => listTexts(join(path, file)))
}

t.test('README.md links every page', async (t) => {
  const { text = '' } = PAGES.find(({ path }) => path === 'README.md') ?? {}
  for (const file of readdirSync(DOCS).filter((each) => each.endsWith('.md')))
    t.ok(text.includes(`](docs/${file})`), file)
})

t.test('the files of the image start it as its Dockerfile says, and it is healthy', async (t) => {
  const dockerfile = readFileSync(`${ROOT}Dockerfile`, 'utf8')
  const [, stage = ''] = dockerfile.split(/^FROM .*slim$/m)
  const port = await findFreePort()
  const readWords = (instruction: RegExp): string[] =>
    JSON.parse(instruction.exec(stage)?.[1]?.replaceAll('4000', String(port)) ?? '')
  const folder = t.testdir()
  const sources = [...stage.matchAll(/^COPY --from=build (.*) \S+$/gm)].flatMap(([, words = '']) =>
    words.split(' '),
  )
  for (const source of sources)
    await cp(source.replace('/app/', ROOT), source.replace('/app', folder), { recursive: true })
  const [node = '', ...flags] = readWords(/^ENTRYPOINT (.*)$/m)
  const compose = readFileSync(`${ROOT}compose.yaml`, 'utf8')
  const [, name = '', value] = /environment: \{ (\w+): (\S+) \}/.exec(compose) ?? []
  const env = { ...process.env, [name]: value }
  const server = spawn(node, flags, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => server.kill())
  await once(server.stdout, 'data')
  const [check = '', ...words] = readWords(/^HEALTHCHECK .* CMD (.*)$/m)
  await t.resolves(run(check, words))
  for (const [host, status] of [
    ['materials-mock:4000', '200'],
    ['evil.example', '403'],
  ]) {
    const request = `GET /__admin/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    t.equal((await sendBytes(port, request)).slice(9, 12), status, `a service that asks ${host}`)
  }
  server.kill()
  t.same(await once(server, 'exit'), [0, null])
  await t.rejects(run(check, words), 'a server that has ended is not healthy')
})

/** Returns a port that is free now. */
async function findFreePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Returns the commands of a page that ask a server, each with the JSON block that follows it. */
function parseSteps(path: string, text: string): { command: string; shown?: unknown }[] {
  const blocks = readBlocks(path, text)
  return blocks.filter(asksServer).map((step) => {
    const shown = blocks.find(({ language, follows }) => language === 'json' && follows === step)
    return {
      command: step.code,
      ...(shown && { shown: JSON.parse(shown.code, replaceVaryingValue) }),
    }
  })
}

/** A `JSON.parse` reviver: replaces times, durations, tokens, URLs and ids of new items by their types. */
function replaceVaryingValue(key: string, value: unknown): unknown {
  if (isJsonObject(value) && 'createdAt' in value) return { ...value, _id: String }
  if (['uptime', 'ms', 'offset'].includes(key)) return Number
  return ['createdAt', 'updatedAt', 'takenAt', 'X-Auth-Token', 'url'].includes(key) ? String : value
}
