import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import t from 'tap'

import { documentOptions } from '../../scripts/document-options.js'
import { helpText, parseCommand } from '../../src/cli/commands.js'
import * as errors from '../../src/errors.js'
import { getStatusCode } from '../../src/http/status-codes.js'
import * as app from '../../src/server/app.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const readPage = (name: string): string => readFileSync(`${ROOT}docs/${name}.md`, 'utf8')
const DRIFT = readPage('drift')

/** Returns the rows of all tables of a page. The cells have no padding. */
const readRows = (page: string): string[][] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    )

/** The codes of errors that end a start or a command. No response has them. */
const START_ERRORS = new Set([
  'OPTIONS_INVALID',
  'FIXTURES_INVALID',
  'STATE_INVALID',
  'DEPLOYMENT_UNUSABLE',
  'TESTS_UNUSABLE',
])

t.test('docs/contract.md lists every error code with its status, and no other code', async (t) => {
  const defined = Object.values(errors)
    .filter((each) => each !== errors.CatalogueError)
    .map((Kind) => new (Kind as new (...words: string[]) => errors.CatalogueError)())
    .filter(({ code }) => !START_ERRORS.has(code))
    .map((error) => `${getStatusCode(error)} ${error.code}`)
  const listed = readRows(readPage('contract'))
    .filter(([, code]) => /^`[A-Z_]+`$/.test(code ?? ''))
    .map(([status, code]) => `${status} ${code?.slice(1, -1)}`)
  t.same(listed.toSorted(), defined.toSorted())
})

t.test('every error code has a test', async (t) => {
  const tests = readdirSync(`${ROOT}test`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('reference.test.ts'))
    .map((file) => readFileSync(`${ROOT}test/${file}`, 'utf8'))
    .join('\n')
  for (const [name, Kind] of Object.entries(errors)) {
    if (Kind === errors.CatalogueError) continue
    const { code } = new (Kind as new () => errors.CatalogueError)()
    t.ok(tests.includes(`'${code}'`) || tests.includes(`${name})`), code)
  }
})

t.test(
  'docs/options.md is what npm run document:options writes, and has every line of --help',
  async (t) => {
    const page = readPage('options')
    t.equal(await documentOptions(page), page)
    const flags = page.match(/(?<=^\| `(?:-\w, )?)--[\w-]+/gm)
    const inHelp = helpText().match(/(?<=^  (?:-\w, )?)--[\w-]+/gm)
    t.same(new Set([...(flags ?? []), '--help', '--version']), new Set(inHelp))
  },
)

t.test('the commands of docs/drift.md and its workflow have flags that there are', async (t) => {
  const workflow = readFileSync(`${ROOT}docs/examples/github/drift.yml`, 'utf8')
  const commands = [...(DRIFT + workflow).matchAll(/npx materials-mock check (.*)$/gm)]
  t.equal(commands.length, 4)
  const environment = { MATERIALS_MOCK_USERNAME: 'a', MATERIALS_MOCK_PASSWORD: 'b' }
  for (const [, flags = ''] of commands) {
    const argv = flags.replace(/\$\{\{.*?\}\}/, 'https://a/api/2018-10-01').split(' ')
    t.match(parseCommand(['check', ...argv], environment), { kind: 'check' }, flags)
  }
})

t.test('docs/controls.md shows what /health returns', async (t) => {
  const server = await app.buildApp()
  t.teardown(() => server.close())
  const [, shown = ''] =
    /admin\/health\n```\n\n```json\n([^`]*)```/.exec(readPage('controls')) ?? []
  const example = JSON.parse(shown)
  const body = (await server.inject('/__admin/health')).json()
  t.same({ ...example.data, uptime: 0 }, { ...body.data, uptime: 0 })
})

t.test('the buildApp example returns the response that its comment shows', async (t) => {
  const [, example = ''] =
    /```ts\nimport \{ buildApp \} from 'materials-mock'\n([^`]*)```/.exec(readPage('testing')) ?? []
  const [, shown] = /response\.json\(\) \/\/ (.*)/.exec(example) ?? []
  const code = example.replace(/^response\.json\(\).*$/m, 'const body = response.json()')
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
  const body = await new AsyncFunction('buildApp', `${code}; return body`)(app.buildApp)
  t.same(body, new Function(`return ${shown}`)())
})
