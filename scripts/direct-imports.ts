import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Plugin } from 'esbuild'

const PACKAGES = fileURLToPath(new URL('../packages/', import.meta.url))

/**
 * Imports what the sources name of a package from the file that has it. With the index of the package in
 * between, each script of a bundle that is split would load all that any of them uses of the package, and a
 * bundle for a browser would need Node's modules of what it does not use.
 */
export const directImports: Plugin = {
  name: 'direct-imports',
  setup: ({ onLoad }) => {
    const indexes = new Map<string, ReadonlyMap<string, string>>()
    onLoad({ filter: /\/src\/.*\.tsx?$/ }, ({ path }) => {
      if (path.includes('/node_modules/')) return undefined
      const text = readFileSync(path, 'utf8')
      const contents = text.replaceAll(
        /^import \{([^}]*)\} from '@materials-mock\/([\w-]+)'$/gm,
        (_, names: string, packageName: string) => {
          const index = indexes.get(packageName) ?? readIndex(packageName)
          indexes.set(packageName, index)
          const imports = splitNames(names).map((name) => {
            const file = index.get(name.replace(/ as .*/, ''))
            return `import { ${name} } from '${file ?? `@materials-mock/${packageName}`}';`
          })
          return imports.join(' ') + '\n'.repeat(names.split('\n').length - 1)
        },
      )
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
    })
  },
}

/** Returns the files of what a package exports, by the names. */
function readIndex(packageName: string): ReadonlyMap<string, string> {
  const folder = `${PACKAGES}${packageName}/src/`
  const exports = readFileSync(`${folder}index.ts`, 'utf8').matchAll(
    /^export \{([^}]*)\} from '\.\/(.*)\.js'$/gm,
  )
  return new Map(
    [...exports].flatMap(([, names = '', file]) =>
      splitNames(names).map((name) => [name, `${folder}${file}.ts`] as const),
    ),
  )
}

const splitNames = (names: string): string[] =>
  names.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
