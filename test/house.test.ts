import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import t from 'tap'

const SRC = fileURLToPath(new URL('../src', import.meta.url))

/** What each folder, and each file at the top, may import of ours. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: ['schemas', 'options'],
  schemas: ['errors', 'options'],
  options: ['errors', 'schemas', 'flags'],
  flags: ['errors', 'schemas'],
  query: ['errors', 'schemas'],
  materials: ['errors', 'schemas'],
  store: ['query', 'materials', 'errors', 'schemas'],
  openapi: ['store', 'errors', 'schemas'],
  plugins: ['openapi', 'store', 'errors', 'schemas'],
  routes: ['store', 'plugins', 'query', 'errors', 'schemas'],
  versions: ['plugins', 'routes'],
  app: [
    'errors',
    'schemas',
    'options',
    'package-version',
    'query',
    'materials',
    'store',
    'plugins',
    'routes',
    'versions',
  ],
  index: ['app', 'start-mock', 'schemas', 'store'],
  listen: ['errors'],
  'start-mock': ['app', 'errors', 'inject-fetch', 'listen', 'routes', 'schemas', 'store'],
  greeting: ['app'],
  help: ['options', 'flags', 'schemas'],
  generate: ['errors', 'schemas', 'materials'],
  cli: ['app', 'options', 'errors', 'greeting', 'help', 'listen', 'generate', 'package-version'],
  launch: ['compiled-script'],
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
)

const importsOf = (file: string): string[] =>
  [...readFileSync(join(SRC, file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(
    ([, name]) => name ?? '',
  )

const partOf = (file: string): string => (file.split('/')[0] ?? '').replace(/\.ts$/, '')

t.test('each folder imports only what the table allows', async (t) => {
  for (const file of files)
    for (const name of importsOf(file)) {
      if (!name.startsWith('.')) continue
      const target = partOf(relative(SRC, join(SRC, dirname(file), name.replace(/\.js$/, '.ts'))))
      const part = partOf(file)
      t.ok(part === target || MAY_IMPORT[part]?.includes(target), `${file} imports ${name}`)
    }
})

t.test('what holds items and evaluates queries knows no HTTP', async (t) => {
  for (const file of files.filter((name) => /^(query|store|materials|schemas)\//.test(name)))
    t.notOk(
      importsOf(file).some((name) => /^(@?fastify|node:http)/.test(name)),
      file,
    )
})

t.test('no file goes on for more than 200 lines', async (t) => {
  for (const file of files)
    t.ok(readFileSync(join(SRC, file), 'utf8').split('\n').length <= 201, file)
})
