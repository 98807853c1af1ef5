import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A walk opens as many files at most. */
const MAX_FILES = 12

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const toSource = (path: string): string => {
  const file = path.replace(/\.js$/, '.ts')
  return existsSync(join(ROOT, file)) ? file : `${file}x`
}

/** Returns the file of a package that has a name which its index exports. */
function findInPackage(name: string, packageName: string): string | undefined {
  const folder = `packages/${packageName}/src/`
  const exports = read(`${folder}index.ts`).matchAll(
    /^export (?:type )?\{([^}]*)\} from '\.\/(.*\.js)'$/gm,
  )
  const found = [...exports].find(([, names = '']) => new RegExp(`\\b${name}\\b`).test(names))
  return found && toSource(folder + found[2])
}

/** Returns the files that a file imports, through the indexes of packages. */
function listImports(file: string): (string | undefined)[] {
  const statements = read(file).matchAll(
    /^(?:import|export)(?: type)? (?:\{([^}]*)\}|[^'{]*?)(?: from )?'([^']+)'|import\('(\.[^']+)'\)/gm,
  )
  return [...statements].flatMap(([, names = '', fixed, loaded]) => {
    const specifier = fixed ?? loaded ?? ''
    const packageName = /^@materials-mock\/(.+)$/.exec(specifier)?.[1]
    if (packageName === undefined)
      return specifier.startsWith('.') ? [toSource(join(dirname(file), specifier))] : []
    return names
      .split(',')
      .map((name) => name.trim().replace(/ as .*/, ''))
      .filter((name) => name !== '')
      .map((name) => findInPackage(name, packageName))
  })
}

const WALKS = [...read('docs/architecture.md').matchAll(/^## Walk: (.*)\n([^#]*)/gm)].map(
  ([, title = '', text = '']) => ({
    title,
    files: [...text.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file),
  }),
)

t.test('the four walks of docs/architecture.md are short', async (t) => {
  t.equal(WALKS.length, 4)
  for (const { title, files } of WALKS)
    t.ok(files.length > 5 && files.length <= MAX_FILES, `${title}: ${files.length} files`)
})

t.test(
  'each file of a walk is there, and imports an earlier one or is imported by one',
  async (t) => {
    for (const { title, files } of WALKS) {
      for (const [index, file] of files.entries()) {
        if (!t.ok(existsSync(join(ROOT, file)), `${title}: ${file}`) || index === 0) continue
        const imported = listImports(file)
        const isLinked = files
          .slice(0, index)
          .some((earlier) => imported.includes(earlier) || listImports(earlier).includes(file))
        t.ok(isLinked, `${title}: ${file} follows from an earlier file`)
      }
    }
  },
)
