import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { Type } from '@sinclair/typebox'
import t from 'tap'

import { SHAPES } from '@materials-mock/api'
import type { Command } from '../../src/cli/command.js'
import { COMMANDS, helpText, parseCommand } from '../../src/cli/commands.js'
import { createClient } from '../../src/client.js'
import type { AnyItem, Resource } from '../../src/client.js'
import { startMock } from '../../src/mock/start-mock.js'
import { RESOURCES } from '../../src/resources/resources.js'
import { BASE } from '../helpers/build.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGE = readFileSync(`${ROOT}docs/contributing.md`, 'utf8')

/** Returns the files and folders that a section of the page names. */
function listNamed(title: string): string[] {
  const [, section = ''] = PAGE.split(`\n## ${title}\n`)
  const [text = ''] = section.split('\n## ')
  return [...text.matchAll(/`((?:src|packages|test|docs)\/[\w./-]+)`/g)].map(
    ([, path = '']) => path,
  )
}

/** Returns the files of a folder of `src`, such as `cli/`, and of those in it. */
const listFiles = (folder: string): string[] =>
  readdirSync(`${ROOT}src/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${folder}${file}`)

const readSource = (file: string): string => readFileSync(ROOT + file, 'utf8')

/** Returns the files of `src` that use a name which another file exports. */
const listUsers = (folder: string, name: string, exporter: string): string[] =>
  listFiles(folder).filter(
    (file) => file !== exporter && new RegExp(`\\b${name}\\b`).test(readSource(file)),
  )

t.test('the page names files that exist', async (t) => {
  for (const title of [
    'Add an endpoint that every resource has',
    'Add a resource',
    'Add an operation of a mock',
    'Add a command',
  ]) {
    const named = listNamed(title)
    t.ok(named.length > 2, title)
    for (const path of named) t.ok(existsSync(ROOT + path), path)
  }
})

const create = (spectrum: object): object => ({ energy: 1, ...spectrum })

t.test('a resource is its shape, and the rules of its writes', async (t) => {
  t.same(
    listNamed('Add a resource').filter((path) => path.endsWith('.ts')),
    [
      'packages/api/src/resources.ts',
      'src/resources/resources.ts',
      'packages/api/src/resource-names.ts',
      'test/resources/resources.test.ts',
    ],
  )
  const item = Type.Object(
    { _id: Type.String(), energy: Type.Optional(Type.Number()) },
    { $id: 'Spectrum', additionalProperties: true },
  )
  for (const [table, entry] of [
    [SHAPES, { item }],
    [RESOURCES, { item, create }],
  ] as [Record<string, object>, object][]) {
    table.spectra = entry
    t.teardown(() => Reflect.deleteProperty(table, 'spectra'))
  }
  const spectra = [{ _id: 's1', energy: 2 }]
  const wrong = { ...spectra[0], energy: '2' }
  await t.rejects(startMock({ fixtures: { spectra: [wrong] } }), {
    message: /spectra, item 1 \(_id "s1"\): energy must be a number, not "2"/,
  })
  const mock = await startMock({ fixtures: { spectra }, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const document = await (await mock.fetch(`${BASE}/swagger.json`)).text()
  t.match(document, '"#/components/schemas/NewSpectrum"')
  t.throws(() => mock.seed({ spectra: [{ energy: '2' }] }), { code: 'BODY_INVALID' })
  const client = createClient({ fetch: mock.fetch })
  await client.login('demo', 'demo')
  const { spectra: member } = client as unknown as { spectra: Resource<AnyItem> }
  t.match(await member.create({}), { energy: 1 })
  t.match(await member.get('s1'), { energy: 2 })
})

t.test('a command is a file and an entry of one table', async (t) => {
  const table = COMMANDS as Record<string, Command>
  table.count = {
    usage: 'DIR [options]',
    summary: 'count counts items:',
    schema: Type.Object({ most: Type.Integer({ description: 'number of items at most' }) }),
    operands: ['DIR'],
    parse: (flags) => flags,
    run: async () => true,
  }
  t.teardown(() => Reflect.deleteProperty(table, 'count'))
  t.match(helpText(), /^ +materials-mock count DIR \[options\]$/m)
  t.match(helpText(), /^count counts items:\n\n {2}--most +number of items at most$/m)
  t.same(parseCommand(['count', 'a', '--most', '5'], {}), {
    kind: 'count',
    options: { DIR: 'a', most: '5' },
  })
  t.same(parseCommand(['count', '--help'], {}), { kind: 'help', options: 'count' })
  t.throws(() => parseCommand(['cuont'], {}), { message: /and count, not "cuont"$/ })
})

t.test('each command is a file, which nothing but the table imports', async (t) => {
  for (const name of Object.keys(COMMANDS)) {
    const file = `src/cli/${name}.ts`
    t.match(readSource(file), `export const ${name}: Command`, name)
    const users = listFiles('').filter((each) => readSource(each).includes(`'./${name}.js'`))
    t.same(
      users.filter((each) => each.startsWith('src/cli/')),
      ['src/cli/commands.ts'],
      name,
    )
  }
})

t.test('the routes of an endpoint are registered in one file', async (t) => {
  const files = listFiles('platform/')
  let count = 0
  for (const file of files) {
    const functions = readSource(file).matchAll(/^export async function (\w+)\(\s*app: Fast/gm)
    for (const [, name = ''] of functions) {
      const users = listUsers('platform/', name, file)
      t.ok(users.length <= 1 && users.every((user) => REGISTRIES.has(user)), `${file} ${name}`)
      count += 1
    }
  }
  t.ok(count >= 6)
})

t.test('an operation of resources is listed once, in the file of the version', async (t) => {
  let count = 0
  for (const file of listFiles('platform/')) {
    for (const [, name = ''] of readSource(file).matchAll(
      /^export const (\w+)(?:: ResourceOperation<| = \[[A-Z_, ]+\]$)/gm,
    )) {
      t.same(listUsers('platform/', name, file), ['src/platform/2018-10-01.ts'], name)
      count += 1
    }
  }
  t.ok(count >= 9)
})

/** The files that register routes: of the versions. */
const REGISTRIES: ReadonlySet<string> = new Set([
  'src/platform/2018-10-01.ts',
  'src/platform/user-routes.ts',
])

t.test(
  'an operation of a mock is listed in one table, and any other control registered once',
  async (t) => {
    const table = 'src/controls/operations.ts'
    t.ok(listNamed('Add an operation of a mock').includes(table))
    let count = 0
    for (const file of listFiles('controls/')) {
      const source = readSource(file)
      if (/= operation\(/.test(source)) {
        const names = [...source.matchAll(/^export async function (\w+)\(\s*app: Fast/gm)]
        t.ok(names.length > 0, `${file} has the routes of its operations`)
        for (const [, name = ''] of names)
          t.same(listUsers('controls/', name, file), ['src/controls/control-routes.ts'], name)
      }
      if (!/\bdefineOperation\(\s*'/.test(source)) continue
      const names = [...source.matchAll(/^export (?:const|function) (\w*Operations?)\b/gm)]
      t.ok(names.length > 0, `${file} exports its operations`)
      for (const [, name = ''] of names)
        t.ok(listUsers('controls/', name, file).includes(table), name)
      count += names.length
    }
    t.ok(count >= 13)
  },
)
