import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

import {
  FIELD_OPERATORS,
  TOP_LEVEL_OPERATORS,
} from '../src/query/selector/operators/query-operators.js'
import type { OperatorNames } from '../src/ui/search/complete-json.js'
import { removeOutdated } from './remove-outdated.js'
import { replaceFile } from './replace-file.js'

const SOURCES = fileURLToPath(new URL('../src/ui', import.meta.url))

/** The operators that the page completes. */
export const OPERATOR_NAMES: OperatorNames = {
  field: Object.keys(FIELD_OPERATORS),
  topLevel: Object.keys(TOP_LEVEL_OPERATORS),
}

/** The folder of the bundled page, which `src/server/pages/page.ts` serves. */
export const UI_DIRECTORY = fileURLToPath(new URL('../dist/ui', import.meta.url))

/**
 * Bundles the page of `src/ui` into `dist/ui`: the scripts, split at each `import()`, the style sheet and
 * `index.html`. The names of scripts and style sheet have the hash of their content. A file appears
 * under its name only when it is complete, so that tests can bundle the same sources at the same
 * time.
 * @returns the names of the files that `index.html` loads
 */
export async function bundleUi(): Promise<string[]> {
  const { outputFiles, metafile } = await build({
    entryPoints: { main: `${SOURCES}/main.tsx`, style: `${SOURCES}/styles/index.css` },
    outdir: UI_DIRECTORY,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    legalComments: 'none',
    format: 'esm',
    target: 'es2022',
    define: { QUERY_OPERATORS: JSON.stringify(OPERATOR_NAMES) },
    tsconfig: `${SOURCES}/tsconfig.json`,
    metafile: true,
    write: false,
  })
  const names = new Set(outputFiles.map(({ path }) => basename(path)))
  for (const { path, contents } of outputFiles) replaceFile(path, contents)
  const outputs = Object.entries(metafile.outputs)
  const [script, style] = ['.js', '.css'].map((extension) =>
    outputs.find(([path, { entryPoint }]) => entryPoint !== undefined && path.endsWith(extension)),
  )
  if (script === undefined || style === undefined) throw new Error('the page has two entry points')
  const html = readFileSync(`${SOURCES}/index.html`, 'utf8')
    .replace('main.js', `/ui/${basename(script[0])}`)
    .replace('main.css', `/ui/${basename(style[0])}`)
  replaceFile(`${UI_DIRECTORY}/index.html`, html)
  removeOutdated(UI_DIRECTORY, names.add('index.html'))
  const chunks = script[1].imports.filter(({ kind }) => kind === 'import-statement')
  return ['index.html', script[0], style[0], ...chunks.map(({ path }) => path)].map((path) =>
    basename(path),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleUi()
