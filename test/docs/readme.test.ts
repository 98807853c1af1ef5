import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { TSchema } from '@sinclair/typebox'
import t from 'tap'

import * as app from '../../src/app.js'
import * as errors from '../../src/errors.js'
import { Options } from '../../src/options.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const README = readFileSync(`${ROOT}README.md`, 'utf8')

/** The rows of all tables, their cells without the spaces that align them. */
const rows = README.split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  )

/** Errors that end a start and never answer a request. */
const NO_ANSWERS = new Set(['OPTIONS_INVALID', 'FIXTURES_INVALID'])

t.test('the README lists every error code with its status, and no other', async (t) => {
  const known = Object.values(errors)
    .filter((each) => each !== errors.CatalogueError)
    .map((Kind) => new (Kind as new (...words: string[]) => errors.CatalogueError)())
    .filter(({ code }) => !NO_ANSWERS.has(code))
    .map(({ statusCode, code }) => `${statusCode} ${code}`)
  const told = rows
    .filter(([, code]) => /^`[A-Z_]+`$/.test(code ?? ''))
    .map(([status, code]) => `${status} ${code?.slice(1, -1)}`)
  t.same(told.toSorted(), known.toSorted())
})

t.test('every error code has a test', async (t) => {
  const tests = readdirSync(`${ROOT}test`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && file !== 'readme.test.ts')
    .map((file) => readFileSync(`${ROOT}test/${file}`, 'utf8'))
    .join('\n')
  for (const [name, Kind] of Object.entries(errors)) {
    if (Kind === errors.CatalogueError) continue
    const { code } = new (Kind as new () => errors.CatalogueError)()
    t.ok(tests.includes(`'${code}'`) || tests.includes(`${name})`), code)
  }
})

t.test('the README lists every option with its default, as --help does', async (t) => {
  for (const [name, schema] of Object.entries(Options.properties) as [string, TSchema][]) {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    const row = rows.find(
      ([cell]) => cell === `\`${schema.title === undefined ? flag : `${flag} ${schema.title}`}\``,
    )
    t.ok(row, flag)
    const { default: value } = schema
    if (value !== undefined && value !== false) t.equal(row?.[1], String(value), flag)
  }
})

t.test('the example of use in process runs and gives what it says', async (t) => {
  const [, example = ''] =
    /```ts\nimport \{ buildApp \} from 'materials-mock'\n([^`]*)```/.exec(README) ?? []
  const [, told] = /response\.json\(\) \/\/ (.*)/.exec(example) ?? []
  const body = example.replace(/^response\.json\(\).*$/m, 'const answer = response.json()')
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
  const answer = await new AsyncFunction('buildApp', `${body}; return answer`)(app.buildApp)
  t.same(answer, new Function(`return ${told}`)())
})
