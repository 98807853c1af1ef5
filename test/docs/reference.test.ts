import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { TSchema } from '@sinclair/typebox'
import t from 'tap'

import * as app from '../../src/server/app.js'
import { CheckOptions } from '../../src/cli/check/check-options.js'
import { GenerateOptions } from '../../src/cli/generate-options.js'
import { parseCommand } from '../../src/cli/parse-command.js'
import { ServeOptions } from '../../src/cli/serve-options.js'
import * as errors from '../../src/errors.js'

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
])

t.test('docs/errors.md lists every error code with its status, and no other code', async (t) => {
  const defined = Object.values(errors)
    .filter((each) => each !== errors.CatalogueError)
    .map((Kind) => new (Kind as new (...words: string[]) => errors.CatalogueError)())
    .filter(({ code }) => !START_ERRORS.has(code))
    .map(({ statusCode, code }) => `${statusCode} ${code}`)
  const listed = readRows(readPage('errors'))
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

t.test('the pages list every option as --help does, with its default', async (t) => {
  const pages: [rows: string[][], options: Record<string, TSchema>][] = [
    [readRows(readPage('options')), ServeOptions.properties],
    [readRows(readPage('fixtures')), GenerateOptions.properties],
    [readRows(DRIFT), CheckOptions.properties],
  ]
  for (const [rows, options] of pages) {
    for (const [name, schema] of Object.entries(options)) {
      const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
      const usage = schema.title === undefined ? flag : `${flag} ${schema.title}`
      const row = rows.find(([cell]) => cell === `\`${usage}\``)
      t.ok(row, flag)
      const [, text, described] =
        /^(.*?)(?: \(default: (.*)\))?$/.exec(schema.description ?? '') ?? []
      t.equal(row?.[2]?.replaceAll('`', ''), text, flag)
      const value = schema.default === false ? undefined : (schema.default ?? described)
      if (value !== undefined) t.equal(row?.[1], String(value), flag)
    }
  }
})

t.test('the commands of docs/drift.md have flags that there are', async (t) => {
  const commands = [...DRIFT.matchAll(/npx materials-mock check (.*)$/gm)]
  t.equal(commands.length, 3)
  const environment = { MATERIALS_MOCK_USERNAME: 'a', MATERIALS_MOCK_PASSWORD: 'b' }
  for (const [, flags = ''] of commands) {
    const argv = flags.replace(/\$\{\{.*?\}\}/, 'https://a/api/2018-10-01').split(' ')
    t.match(parseCommand(['check', ...argv], environment), { kind: 'check' }, flags)
  }
})

t.test('the buildApp example returns the response that its comment shows', async (t) => {
  const [, example = ''] =
    /```ts\nimport \{ buildApp \} from 'materials-mock'\n([^`]*)```/.exec(readPage('in-process')) ??
    []
  const [, shown] = /response\.json\(\) \/\/ (.*)/.exec(example) ?? []
  const code = example.replace(/^response\.json\(\).*$/m, 'const body = response.json()')
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
  const body = await new AsyncFunction('buildApp', `${code}; return body`)(app.buildApp)
  t.same(body, new Function(`return ${shown}`)())
})
