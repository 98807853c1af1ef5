import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import t from 'tap'

const SRC = fileURLToPath(new URL('../src', import.meta.url))

const BASE = ['errors', 'json', 'schemas']
const QUERY = ['work', ...BASE]
const STORE = ['query', 'domain', ...QUERY]
const CONTROLS = ['store', ...STORE]
const PLUGINS = ['openapi', 'controls', 'validation', ...CONTROLS]
const ROUTES = ['plugins', 'fixtures', ...PLUGINS]

/** The parts of `src` that each part may import: folders, and files at the top level. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  json: ['errors'],
  schemas: ['json', 'errors'],
  validation: BASE,
  options: ['validation', ...BASE],
  work: ['errors'],
  query: QUERY,
  domain: BASE,
  store: ['validation', ...STORE],
  fixtures: ['validation', ...CONTROLS],
  controls: CONTROLS,
  openapi: CONTROLS,
  plugins: PLUGINS,
  routes: ROUTES,
  versions: ['plugins', 'routes'],
  'package-version': [],
  'inject-fetch': [],
  contract: ['schemas', 'json'],
  app: ['fixtures', 'versions', 'routes', 'options', 'package-version', ...ROUTES],
  listen: ['app', 'errors'],
  'mock-expectations': ['controls', 'validation', ...CONTROLS],
  'start-mock': ['app', 'mock-expectations', 'inject-fetch', 'listen', ...ROUTES],
  ui: ['schemas', 'domain'],
  client: ['schemas'],
  index: ['app', 'start-mock', 'mock-expectations', 'controls', ...BASE],
  cli: [
    'app',
    'fixtures',
    'store',
    'listen',
    'options',
    'contract',
    'package-version',
    'domain',
    'validation',
    ...BASE,
  ],
}

/** The parts that know neither Fastify nor HTTP. */
const WITHOUT_HTTP: ReadonlySet<string> = new Set([
  'json',
  'schemas',
  'validation',
  'query',
  'domain',
  'store',
  'fixtures',
  'ui',
  'client',
])

const MAX_FILES = 15
const MAX_LINES = 200

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.tsx?$/.test(file),
)

/** The module specifiers of a file's imports, of types too. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(SRC, file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(
    ([, specifier]) => specifier ?? '',
  )

/** The files of ours that a file imports. */
const dependenciesOf = (file: string): string[] =>
  importsOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => join(dirname(file), specifier.replace(/\.js$/, '.ts')))
    .map((path) => (existsSync(join(SRC, path)) ? path : path.replace(/\.ts$/, '.tsx')))

const partOf = (file: string): string => (file.split('/')[0] ?? '').replace(/\.tsx?$/, '')

t.test('each part imports only what the table allows', async (t) => {
  for (const file of files) {
    for (const dependency of dependenciesOf(file)) {
      const [part, target] = [partOf(file), partOf(dependency)]
      t.ok(part === target || MAY_IMPORT[part]?.includes(target), `${file} imports ${dependency}`)
    }
  }
})

t.test('no files import each other in a circle, types included', async (t) => {
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      t.fail([...path.slice(path.indexOf(file)), file].join(' -> '))
    } else if (!done.has(file)) {
      for (const dependency of dependenciesOf(file)) visit(dependency, [...path, file])
      done.add(file)
    }
  }
  for (const file of files) visit(file, [])
  t.equal(done.size, files.length)
})

/** Whether a folder is another one or below it. */
const isWithin = (folder: string, other: string): boolean =>
  other === '.' || folder === other || folder.startsWith(`${other}/`)

t.test('no folders import each other in a circle', async (t) => {
  const edges = new Map<string, Set<string>>()
  for (const file of files) {
    for (const dependency of dependenciesOf(file)) {
      const [from, to] = [dirname(file), dirname(dependency)]
      if (!isWithin(from, to) && !isWithin(to, from))
        edges.set(from, (edges.get(from) ?? new Set()).add(to))
    }
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(edges.get(from) ?? [])].some((next) => {
      if (next === to) return true
      if (seen.has(next)) return false
      seen.add(next)
      return reaches(next, to, seen)
    })
  for (const folder of edges.keys()) t.notOk(reaches(folder, folder), folder)
})

t.test('what holds items and evaluates queries knows no HTTP', async (t) => {
  for (const file of files.filter((each) => WITHOUT_HTTP.has(partOf(each)))) {
    t.notOk(
      importsOf(file).some((specifier) => /^(@?fastify(?!\/error)|node:http)/.test(specifier)),
      file,
    )
  }
})

t.test('the page uses nothing of Node, and the packages that it is bundled from', async (t) => {
  const packages = /^(?:preact(?:\/hooks)?|@preact\/signals|three(?:\/.*)?)$/
  const ours = files.filter((file) => partOf(file) === 'ui')
  for (const file of ours) {
    for (const specifier of importsOf(file))
      t.ok(specifier.startsWith('.') || packages.test(specifier), `${file} imports ${specifier}`)
  }
  t.ok(ours.length > 0)
})

t.test('the client imports nothing but its own files, and types of schemas', async (t) => {
  const ours = files.filter((file) => partOf(file) === 'client')
  for (const file of ours) {
    const text = readFileSync(join(SRC, file), 'utf8')
    for (const [statement, specifier] of text.matchAll(/^(?:im|ex)port .*? from '([^']+)'$/gms)) {
      const isType = /^\w+ type /.test(statement)
      t.ok(specifier?.startsWith('./') || (isType && specifier?.startsWith('../schemas/')), file)
    }
  }
  t.ok(ours.length > 0)
})

t.test('folders and files are small', async (t) => {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  for (const [folder, count] of counts) t.ok(count <= MAX_FILES, `${folder}: ${count} files`)
  for (const file of files)
    t.ok(readFileSync(join(SRC, file), 'utf8').split('\n').length <= MAX_LINES + 1, file)
})

t.test('the table names every part', async (t) => {
  t.same(Object.keys(MAY_IMPORT).toSorted(), [...new Set(files.map(partOf))].toSorted())
})

t.test('the files that the pages on the code name exist', async (t) => {
  for (const page of ['architecture', 'contributing', 'decisions/architecture']) {
    const text = readFileSync(fileURLToPath(new URL(`../docs/${page}.md`, import.meta.url)), 'utf8')
    const named = [...text.matchAll(/`((?:src|test)\/[\w./-]+|\w[\w-]*\/[\w./-]+\.ts)`/g)]
    t.ok(named.length > 0, page)
    for (const [, path = ''] of named) {
      const isInSource = !/^(src|test)\//.test(path)
      const file = new URL(`../${isInSource ? `src/${path}` : path}`, import.meta.url)
      t.ok(existsSync(file), `docs/${page}.md names ${path}`)
    }
  }
})
