import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

import { build } from 'esbuild'
import type { BuildOptions } from 'esbuild'

import { ENTRIES } from '@materials-mock/page'
import type { OperatorNames } from '@materials-mock/page'
import { FIELD_OPERATORS, TOP_LEVEL_OPERATORS } from '@materials-mock/query'
import { directImports } from './direct-imports.js'
import { removeOutdated } from './remove-outdated.js'
import { replaceFile } from './replace-file.js'

const SOURCES = fileURLToPath(new URL('../packages/page/src', import.meta.url))

/** The operators that the page completes. */
export const OPERATOR_NAMES: OperatorNames = {
  field: Object.keys(FIELD_OPERATORS),
  topLevel: Object.keys(TOP_LEVEL_OPERATORS),
}

/** The folder of the bundled pages, which `src/server/pages/pages.ts` serves. */
export const UI_DIRECTORY = fileURLToPath(new URL('../dist/ui', import.meta.url))

/**
 * The files of Swagger UI that the explorer loads. Nothing of `swagger-ui-dist` is run here, so that its
 * telemetry is not.
 */
const SWAGGER_UI_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css']

/** How all that uses the sources of the page is bundled. */
export const PAGE_BUILD = {
  bundle: true,
  format: 'esm',
  plugins: [directImports],
  external: ['node:*', 'ml-matrix'], // what the page does not use of our packages imports them
  tsconfig: `${SOURCES}/tsconfig.json`,
} satisfies BuildOptions

/**
 * Bundles the page and the explorer of `packages/page/src` into `dist/ui`: the scripts, split at each `import()`, the
 * style sheets and the HTML. The names of scripts and style sheets have the hash of their content. Beside
 * each file are its compressed forms, if they are asked for. A file appears under its name only when it is
 * complete, so that tests can bundle the same sources at the same time.
 * @returns the names of the files that `index.html` loads
 */
export async function bundleUi({ isCompressed = true } = {}): Promise<string[]> {
  const { outputFiles, metafile } = await build({
    entryPoints: Object.fromEntries(
      Object.entries(ENTRIES).map(([name, file]) => [name, `${SOURCES}/${file}`]),
    ),
    outdir: UI_DIRECTORY,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    ...PAGE_BUILD,
    splitting: true,
    minify: true,
    legalComments: 'none',
    target: 'es2022',
    define: { QUERY_OPERATORS: JSON.stringify(OPERATOR_NAMES) },
    metafile: true,
    write: false,
  })
  const unexpected = Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external === true).map(({ path }) => path),
  )
  if (unexpected.length > 0) throw new Error(`the page must not use ${unexpected.join(', ')}`)
  const files = new Map<string, Uint8Array>()
  for (const { path, contents } of outputFiles) files.set(basename(path), contents)
  const swaggerUi = SWAGGER_UI_FILES.map((name) => {
    const content = readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`))
    const hashed = hashName(name, content)
    files.set(hashed, content)
    return [name, hashed] as const
  })
  const entries = Object.keys(ENTRIES).map((name) => {
    const found = [...files.keys()].find((file) => file.replace(/-[A-Z0-9]{8}\.\w+$/, '') === name)
    if (found === undefined) throw new Error(`the bundle must have an entry ${name}`)
    return [name, found] as const
  })
  const scripts = findImports(metafile.outputs, new Map(entries).get('page') as string)
  for (const [source, name] of [
    ['index.html', 'index.html'],
    ['explorer/explorer.html', 'explorer.html'],
  ] as const) {
    let html = readFileSync(`${SOURCES}/${source}`, 'utf8')
    for (const [entry, file] of [...entries, ...swaggerUi])
      html = html.replace(`"${entry}"`, `"ui/${file}"`)
    files.set(name, Buffer.from(html))
  }
  for (const [name, content] of files) {
    const path = `${UI_DIRECTORY}/${name}`
    if (isCompressed) writeCompressed(path, content)
    replaceFile(path, content) // the last one, as it stands for all three
  }
  const endings = isCompressed ? ['', '.br', '.gz'] : ['']
  const names = [...files.keys()].flatMap((name) => endings.map((ending) => name + ending))
  removeOutdated(UI_DIRECTORY, new Set(names))
  return ['index.html', ...scripts, new Map(entries).get('page-style') as string]
}

/** Returns the names of a script and of all that it imports at once. */
function findImports(
  outputs: Readonly<Record<string, { imports: readonly { path: string; kind: string }[] }>>,
  name: string,
): string[] {
  const found = new Set([name])
  for (const each of found) {
    const [, output] = Object.entries(outputs).find(([path]) => basename(path) === each) ?? []
    for (const { path, kind } of output?.imports ?? [])
      if (kind === 'import-statement') found.add(basename(path))
  }
  return [...found]
}

/** Returns a name with the hash of the content, as esbuild's names have it. */
function hashName(name: string, content: Uint8Array): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase()
  const { name: base, ext } = parse(name)
  return `${base}-${hash}${ext}`
}

/** The highest quality of Brotli that takes less than a second for 2 MB. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** Writes the compressed forms of a file. Those of one whose name has its hash are there already, or are not. */
function writeCompressed(path: string, content: Uint8Array): void {
  if (!path.endsWith('.html') && existsSync(`${path}.gz`)) return
  replaceFile(`${path}.br`, brotliCompressSync(content, BROTLI))
  replaceFile(`${path}.gz`, gzipSync(content, { level: 9 }))
}
