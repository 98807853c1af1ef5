import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { transform } from 'esbuild'
import t from 'tap'

import { TOOLS } from '../../src/controls/mcp/tools.js'
import { startMock } from '../../src/mock/start-mock.js'
import * as library from '../../src/index.js'

const readPage = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')

const SKILL = readPage('SKILL.md')
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor

/** Returns the block of code of a page that has a text. */
function findBlock(path: string, part: string): string {
  const blocks = [...readPage(path).matchAll(/^```[jt]s\n(.+?)^```/gms)].map(
    ([, code = '']) => code,
  )
  return blocks.find((each) => each.includes(part)) ?? ''
}

t.test('the pages start a mock without a port, with require, and name its errors', async (t) => {
  const imports = /^import \{ (.*) \} from 'materials-mock'$/m
  const inject = findBlock('docs/testing.md', 'await buildApp').replace(imports, '')
  const answer = await new AsyncFunction('buildApp', `${inject}; return response.json()`)(
    library.buildApp,
  )
  t.match(answer, { status: 'success', data: [{ _id: 'm1', formula: 'Si' }] })

  const steps: (() => unknown)[] = []
  const later = (step: () => unknown): void => void steps.push(step)
  const addTest = (_: string, step: () => unknown): void => later(step)
  const expect = (value: unknown) => ({
    toBe: (wanted: unknown) => t.equal(value, wanted),
    toThrow: (Wanted: new () => Error) => {
      try {
        t.fail(String((value as () => unknown)()))
      } catch (error) {
        t.ok(error instanceof Wanted, Wanted.name)
      }
    },
  })
  const hooks = { beforeAll: later, afterEach: later, afterAll: later, test: addTest, expect }
  const jest = findBlock('docs/testing.md', "require('materials-mock')")
  new Function('require', ...Object.keys(hooks), jest)(() => library, ...Object.values(hooks))
  const [start, reset, close, run] = steps
  for (const step of [start, run, reset, close]) await step?.()

  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const errors = findBlock('docs/start-mock.md', 'SnapshotNotFound').replace(imports, '')
  new Function('SnapshotNotFound', 'expect', 'mock', errors)(library.SnapshotNotFound, expect, mock)
})

t.test('the code of SKILL.md runs, from its first block to its last one', async (t) => {
  const blocks = [...SKILL.matchAll(/^```ts\n(.+?)^```/gms)].map(([, code = '']) => code)
  t.equal(blocks.length, 4)
  const source = blocks.join('').replace(/^import .*$/m, '')
  const { code } = await transform(`async () => { ${source}; return { status, mock } }`, {
    loader: 'ts',
  })
  const { status, mock } = await new Function(
    'startMock',
    `return (${code.replace(/;\s*$/, '')})()`,
  )(startMock)
  t.teardown(() => mock.close())
  t.equal(status, 503)
})

t.test('SKILL.md names all tools', async (t) => {
  for (const { name } of TOOLS) t.match(SKILL, `\`${name}\``)
})
