import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The folder of the stand-ins for Node's modules. */
const NODE = `${ROOT}src/browser/node/`

/** The modules of Node that have a stand-in of their own. */
const STAND_INS = ['buffer', 'crypto', 'fs', 'http', 'timers', 'util', 'vm']

/** The modules of Node that share one stand-in: the server uses little or nothing of them. */
const OTHERS = [
  ...['async_hooks', 'diagnostics_channel', 'dns', 'http2', 'https', 'os', 'path', 'perf_hooks'],
  ...['url', 'v8', 'zlib'],
]

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
  'node:timers/promises': `${NODE}timers-promises.ts`,
  'node:events': 'events',
  'node:stream': 'readable-stream',
  'node:string_decoder': 'string_decoder',
  crypto: `${NODE}crypto.ts`,
}

/**
 * Bundles the server for a browser, as a module: our sources and the packages, with stand-ins in the place of
 * Node's modules.
 * @param entry the path of the module from the root of the project
 */
export async function bundleBrowser(entry: string): Promise<Uint8Array> {
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
    version: string
  }
  const { outputFiles } = await build({
    entryPoints: [ROOT + entry],
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
    minify: process.env.NOMIN === undefined,
    write: false,
  })
  return (outputFiles[0] as (typeof outputFiles)[number]).contents
}
