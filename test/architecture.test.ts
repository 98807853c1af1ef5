import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import t from 'tap'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SRC = join(ROOT, 'src')

/**
 * The parts of `src`, folders and files at the top level, from top to bottom. A part imports only parts
 * below it.
 */
const PARTS = [
  'cli',
  'index',
  'browser',
  'mock',
  'server',
  'options',
  'platform',
  'admin',
  'http',
  'fixtures',
  'ui',
  'client',
  'contract',
  'store',
  'resources',
  'query',
  'domain',
  'work',
  'network',
  'package',
  'json',
  'errors',
]

/** The only parts that some parts may import, as they run without a server. */
const ONLY: Readonly<Record<string, readonly string[]>> = {
  ui: ['domain', 'json'],
  client: ['store', 'resources'],
  contract: ['network', 'json', 'errors'],
}

/** Imports that the rules above forbid: types alone, which leave nothing in a bundle. */
const TYPES_ONLY: ReadonlySet<string> = new Set([
  'contract/list-path.ts resources/shapes.ts',
  'contract/statements/schema.ts domain/items/entity-fields.ts',
  'contract/statements/schema.ts resources/shapes.ts',
  'ui/api/controls.ts admin/faults/fault.ts',
  'ui/api/controls.ts admin/journal/journal-item.ts',
  'ui/requests/replay.ts admin/journal/journal-item.ts',
  'ui/requests/request-pane.tsx admin/journal/journal-item.ts',
  'ui/switches/fault-form.tsx admin/faults/fault.ts',
  'ui/switches/faults.tsx admin/faults/fault.ts',
])

/** The parts that know neither Fastify nor HTTP. */
const WITHOUT_HTTP = new Set([
  'fixtures',
  'ui',
  'client',
  'store',
  'resources',
  'query',
  'domain',
  'json',
])

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.tsx?$/.test(file),
)

/** The module specifiers of a file's imports, of types too. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(SRC, file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(
    ([, specifier]) => specifier ?? '',
  )

/** The files of ours that each file imports. */
const dependencies = new Map(
  files.map((file) => [
    file,
    importsOf(file)
      .filter((specifier) => specifier.startsWith('.') && !specifier.endsWith('.json'))
      .map((specifier) => join(dirname(file), specifier.replace(/\.js$/, '.ts')))
      .map((path) => (existsSync(join(SRC, path)) ? path : path.replace(/\.ts$/, '.tsx'))),
  ]),
)

const partOf = (file: string): string => (file.split('/')[0] ?? '').replace(/\.tsx?$/, '')

/** All imports that a rule forbids, each as `file other-file`. */
const findImports = (isForbidden: (file: string, other: string) => boolean): string[] =>
  [...dependencies].flatMap(([file, others]) =>
    others.filter((other) => isForbidden(file, other)).map((other) => `${file} ${other}`),
  )

t.test('a part imports only parts below it', async (t) => {
  t.same(PARTS.toSorted(), [...new Set(files.map(partOf))].toSorted(), 'the list has every part')
  const upward = findImports((file, other) => {
    const [part, target] = [partOf(file), partOf(other)]
    // The server's errors have those of the parts that throw them.
    return part !== 'errors' && PARTS.indexOf(target) < PARTS.indexOf(part)
  })
  t.same(
    upward.filter((each) => !TYPES_ONLY.has(each)),
    [],
  )
})

t.test('what runs without a server imports nothing of one', async (t) => {
  const forbidden = findImports((file, other) => {
    const allowed = ONLY[partOf(file)]
    return allowed !== undefined && ![partOf(file), ...allowed].includes(partOf(other))
  })
  t.same(forbidden.toSorted(), [...TYPES_ONLY].toSorted())
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
      dirname(file) !== '.' &&
      !isWithin(dirname(other), dirname(file)) &&
      leadsBack(dirname(file), other),
  )
  t.same(returning, [])
})

t.test('what holds items and evaluates queries knows no HTTP', async (t) => {
  const knowing = files
    .filter((file) => WITHOUT_HTTP.has(partOf(file)))
    .filter((file) =>
      importsOf(file).some((specifier) => /^(@?fastify(?!\/error)|node:http)/.test(specifier)),
    )
  t.same(knowing, [])
})

t.test('the page uses nothing of Node, and the packages that it is bundled from', async (t) => {
  const packages =
    /^(?:preact(?:\/hooks)?|@preact\/signals|three(?:\/.*)?|@codemirror\/[\w-]+|@lezer\/highlight|jsonc-parser)$/
  const ours = files.filter((file) => partOf(file) === 'ui')
  const others = ours.flatMap((file) =>
    importsOf(file)
      .filter((specifier) => !specifier.startsWith('.') && !packages.test(specifier))
      .map((specifier) => `${file} imports ${specifier}`),
  )
  t.same(others, [])
  t.ok(ours.length > 0)
})

t.test('the client imports nothing but its own files, and types', async (t) => {
  const ours = files.filter((file) => partOf(file) === 'client')
  const values = ours.flatMap((file) => {
    const text = readFileSync(join(SRC, file), 'utf8')
    return [...text.matchAll(/^(?:im|ex)port .*? from '([^']+)'$/gms)]
      .filter(([statement]) => !/^\w+ type /.test(statement))
      .map(([, specifier = '']) => specifier)
      .filter((specifier) => !specifier.startsWith('./'))
  })
  t.same(values, [])
  t.ok(ours.length > 0)
})
