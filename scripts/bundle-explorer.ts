import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

import { removeOutdated } from './remove-outdated.js'
import { replaceFile } from './replace-file.js'

const SOURCES = fileURLToPath(new URL('../src/ui', import.meta.url))

/** The folder of the explorer, which `src/server/pages/explorer.ts` serves. */
export const EXPLORER_DIRECTORY = fileURLToPath(new URL('../dist/explorer', import.meta.url))

/** The files of Swagger UI that are served. */
const SWAGGER_UI_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png']

/** All files of the explorer. */
const EXPLORER_FILES: ReadonlySet<string> = new Set([
  ...SWAGGER_UI_FILES,
  'index.html',
  'explorer.css',
  'explorer.js',
])

/**
 * Makes the explorer in `dist/explorer`: copies the files of Swagger UI, and bundles its start. Nothing
 * of `swagger-ui-dist` is loaded, so that its telemetry does not run.
 */
export async function bundleExplorer(): Promise<void> {
  const { resolve } = createRequire(import.meta.url)
  for (const name of SWAGGER_UI_FILES)
    replaceFile(`${EXPLORER_DIRECTORY}/${name}`, readFileSync(resolve(`swagger-ui-dist/${name}`)))
  for (const [source, name] of [
    ['explorer.html', 'index.html'],
    ['explorer.css', 'explorer.css'],
  ])
    replaceFile(`${EXPLORER_DIRECTORY}/${name}`, readFileSync(`${SOURCES}/explorer/${source}`))
  const { outputFiles } = await build({
    entryPoints: { explorer: `${SOURCES}/explorer/main.ts` },
    outdir: EXPLORER_DIRECTORY,
    bundle: true,
    minify: true,
    legalComments: 'none',
    format: 'iife',
    target: 'es2022',
    tsconfig: `${SOURCES}/tsconfig.json`,
    write: false,
  })
  for (const { path, contents } of outputFiles) replaceFile(path, contents)
  removeOutdated(EXPLORER_DIRECTORY, EXPLORER_FILES)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleExplorer()
