import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import t from 'tap'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The parts of `src`, folders and files at the top level, from top to bottom. A part imports only parts below it. */
const PARTS = [
  'cli',
  'index',
  'browser',
  'mock',
  'server',
  'options',
  'platform',
  'controls',
  'fixtures',
  'http',
  'client',
  'store',
  'resources',
  'jobs',
  'package',
  'errors',
]

/** The packages from top to bottom. A package imports only the indexes of packages below it, and nothing of `src`. */
const PACKAGES = [
  'page',
  'check',
  'client',
  'network',
  'structures',
  'api',
  'query',
  'work',
  'json',
  'stand-ins',
]

/** The parts of `src` that know neither Fastify nor HTTP. The packages know no Fastify either. */
const WITHOUT_HTTP = new Set(['fixtures', 'store', 'resources', 'jobs'])

/** The packages that are about HTTP. */
const OF_HTTP = new Set(['check', 'client', 'network', 'page', 'stand-ins'])

/** The scripts that bundle; they name what is bundled without an import. */
const BUNDLERS = ['browser', 'ui']
  .map((name) => readFileSync(join(ROOT, `scripts/bundle-${name}.ts`), 'utf8'))
  .join('')

const listSources = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file))

const sources = listSources('src')
const files = [...sources, ...PACKAGES.flatMap((name) => listSources(`packages/${name}/src`))]

/** The module specifiers of a file's imports, of types too. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(
    ([, specifier]) => specifier ?? '',
  )

const toFile = (path: string): string =>
  existsSync(join(ROOT, path)) ? path : path.replace(/\.ts$/, '.tsx')

/** The files of ours that each file imports: of a package the index. */
const dependencies = new Map(
  files.map((file) => [
    file,
    importsOf(file).flatMap((specifier) => {
      const name = /^@materials-mock\/(.+)$/.exec(specifier)?.[1]
      if (name !== undefined) return [`packages/${name}/src/index.ts`]
      if (!specifier.startsWith('.') || specifier.endsWith('.json')) return []
      return [toFile(join(dirname(file), specifier.replace(/\.js$/, '.ts')))]
    }),
  ]),
)

/** The part of `src` that a file belongs to, or undefined. */
const partOf = (file: string): string | undefined => /^src\/([\w-]+)(?:\/|\.tsx?$)/.exec(file)?.[1]

/** The package that a file belongs to, or undefined. */
const packageOf = (file: string): string | undefined => /^packages\/([\w-]+)\//.exec(file)?.[1]

/** All imports that a rule forbids, each as `file other-file`. */
const findImports = (isForbidden: (file: string, other: string) => boolean): string[] =>
  [...dependencies].flatMap(([file, others]) =>
    others.filter((other) => isForbidden(file, other)).map((other) => `${file} ${other}`),
  )

t.test('a part of src imports only parts below it', async (t) => {
  t.same(PARTS.toSorted(), [...new Set(sources.map(partOf))].toSorted(), 'the list has every part')
  const upward = findImports((file, other) => {
    const [part, target] = [partOf(file), partOf(other)]
    if (part === undefined || target === undefined) return false
    return PARTS.indexOf(target) < PARTS.indexOf(part)
  })
  t.same(upward, [])
})

t.test('a package imports only packages below it, and nobody passes an index', async (t) => {
  t.same(PACKAGES.toSorted(), readdirSync(join(ROOT, 'packages')).toSorted(), 'all are listed')
  const forbidden = findImports((file, other) => {
    const [own, target] = [packageOf(file), packageOf(other)]
    if (own === undefined || target === own) return target !== own && !other.endsWith('/index.ts')
    return target === undefined || PACKAGES.indexOf(target) < PACKAGES.indexOf(own)
  })
  t.same(forbidden, [])
  const past = files.flatMap((file) =>
    importsOf(file)
      .filter((specifier) => specifier.startsWith('.') && !specifier.endsWith('.json'))
      .map((specifier) => join(dirname(file), specifier))
      .filter((path) => packageOf(path) !== packageOf(file))
      .map((path) => `${file} ${path}`),
  )
  t.same(past, [])
})

t.test('no files import each other in a circle, types included', async (t) => {
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    } else if (!done.has(file)) {
      for (const other of dependencies.get(file) ?? []) visit(other, [...path, file])
      done.add(file)
    }
  }
  for (const file of files) visit(file, [])
  t.same(circles, [])
  t.equal(done.size, files.length)
})

/** Whether a folder is another one or below it. */
const isWithin = (folder: string, other: string): boolean =>
  other === '.' || folder === other || folder.startsWith(`${other}/`)

t.test('no folders import each other in a circle', async (t) => {
  const edges = new Map<string, Set<string>>()
  for (const [file, others] of dependencies) {
    for (const other of others) {
      const [from, to] = [dirname(file), dirname(other)]
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
  t.same(
    [...edges.keys()].filter((folder) => reaches(folder, folder)),
    [],
  )
})

t.test('what a folder imports does not import the folder', async (t) => {
  const leadsBack = (folder: string, file: string, seen = new Set<string>()): boolean =>
    (dependencies.get(file) ?? []).some((other) => {
      if (dirname(other) === folder) return true
      if (seen.has(other)) return false
      seen.add(other)
      return leadsBack(folder, other, seen)
    })
  const returning = findImports(
    (file, other) =>
      dirname(file) !== 'src' &&
      packageOf(file) === packageOf(other) &&
      !isWithin(dirname(other), dirname(file)) &&
      leadsBack(dirname(file), other),
  )
  t.same(returning, [])
})

t.test('the packages know no Fastify, and HTTP only where they are about it', async (t) => {
  const knowing = files.filter((file) => {
    const name = packageOf(file)
    if (name === undefined && !WITHOUT_HTTP.has(partOf(file) ?? '')) return false
    const pattern =
      name !== undefined && OF_HTTP.has(name) ? /^@?fastify/ : /^(@?fastify|node:https?|undici)/
    return importsOf(file).some((specifier) => pattern.test(specifier))
  })
  t.same(knowing, [])
})

t.test('a package has the dependencies that it imports, and the client none', async (t) => {
  for (const name of PACKAGES) {
    const text = readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')
    const { dependencies: declared = {} } = JSON.parse(text) as {
      dependencies?: Record<string, string>
    }
    const imported = listSources(`packages/${name}/src`)
      .flatMap(importsOf)
      .filter((specifier) => !/^(\.|node:)/.test(specifier))
      .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0])
    const listed = Object.keys(declared).filter((each) => !each.startsWith('@types/'))
    const bundled = listed.filter((each) => new RegExp(`['\`]${each}\\b`).test(BUNDLERS))
    t.same(listed.toSorted(), [...new Set([...imported, ...bundled])].toSorted(), name)
  }
})

t.test('the page uses nothing of Node', async (t) => {
  const ours = files.filter((file) => packageOf(file) === 'page')
  const others = ours.filter((file) => importsOf(file).some((each) => each.startsWith('node:')))
  t.same(others, [])
  t.ok(ours.length > 0)
})
