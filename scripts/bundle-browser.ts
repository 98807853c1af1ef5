import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

import { directImports } from './direct-imports.js'
import { removeOutdated } from './remove-outdated.js'
import { replaceFile } from './replace-file.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The folder of the stand-ins for Node's modules. */
const NODE = `${ROOT}packages/stand-ins/src/`

/** The modules of Node that have a stand-in of their own. */
const STAND_INS = ['buffer', 'crypto', 'fs', 'http', 'timers', 'util']

/** The modules of Node that share one stand-in: the server uses little or nothing of them. */
const OTHERS = 'async_hooks diagnostics_channel dns http2 https os path perf_hooks url zlib'.split(
  ' ',
)

/** Packages that are there for a network, a log or files, or in whose place the server has its own. */
const UNUSED = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
  'pino',
]

const ALIASES = {
  ...Object.fromEntries(STAND_INS.map((name) => [`node:${name}`, `${NODE}${name}.ts`])),
  ...Object.fromEntries(OTHERS.map((name) => [`node:${name}`, `${NODE}other.ts`])),
  ...Object.fromEntries(UNUSED.map((name) => [name, `${NODE}other.ts`])),
  'node:assert': `${NODE}assert.cts`,
  'node:v8': `${NODE}engine.ts`,
  'node:vm': `${NODE}engine.ts`,
  'node:timers/promises': `${NODE}timers-promises.ts`,
  'node:events': 'events',
  'node:stream': 'readable-stream',
  'node:string_decoder': 'string_decoder',
}

/**
 * Bundles modules for a browser: our sources and the packages, with stand-ins in the place of Node's modules.
 * @param entryPoints the paths of the modules from the root of the project, by the names of their bundles
 * @returns the content of each file by its name; a file `chunk-…` has what several modules share
 */
export async function bundleBrowser(
  entryPoints: Readonly<Record<string, string>>,
): Promise<Map<string, Uint8Array>> {
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
    version: string
  }
  const { outputFiles } = await build({
    entryPoints,
    plugins: [directImports],
    absWorkingDir: ROOT,
    outdir: ROOT,
    alias: ALIASES,
    inject: [`${NODE}globals.ts`],
    define: {
      'import.meta.url': JSON.stringify('file:///materials-mock/dist/browser.js'),
      PACKAGE_VERSION: JSON.stringify(version),
    },
    mainFields: ['browser', 'module', 'main'],
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    bundle: true,
    splitting: true,
    minify: true,
    keepNames: true, // the names of errors are shown
    legalComments: 'none',
    write: false,
  })
  return new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]))
}

/** The folder of what is bundled for a browser, with a final slash. */
export const BROWSER_FOLDER = `${ROOT}dist/browser/`

/** Bundles the server for `materials-mock/browser` and for the sites that `materials-mock site` writes. */
export async function bundleSite(): Promise<void> {
  const files = await bundleBrowser({
    server: 'src/browser/server.ts',
    worker: 'src/browser/site/worker.ts',
  })
  // These two use nothing of the server. A service worker is no module in every browser.
  const { outputFiles } = await build({
    entryPoints: ['page.ts', 'service-worker.ts'].map((name) => `src/browser/site/${name}`),
    absWorkingDir: ROOT,
    outdir: ROOT,
    target: 'es2022',
    format: 'iife',
    bundle: true,
    minify: true,
    write: false,
  })
  for (const { path, contents } of outputFiles) files.set(basename(path), contents)
  for (const [name, content] of files) replaceFile(BROWSER_FOLDER + name, content)
  removeOutdated(BROWSER_FOLDER, new Set(files.keys()))
}
