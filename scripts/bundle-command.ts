import { readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'
import type { Plugin } from 'esbuild'

/**
 * Makes the command: `dist/command.cjs`, one file with all that a start needs, as finding and reading
 * some 600 modules took most of it, and `dist/cli.cjs`, which runs it. What is loaded only when it is
 * asked for stays outside. Code caches of a former bundle go.
 */

const dist = fileURLToPath(new URL('../dist', import.meta.url))

/** Modules of Node's own that are required above all else, and that a start and a list don't use. */
const LAZY = /^node:(crypto|fs\/promises|http2|https)$/

/** Has such a module loaded when something of it is first used. */
const lazyBuiltIns: Plugin = {
  name: 'lazy built-ins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: LAZY }, ({ path, namespace }) =>
      namespace === 'lazy' ? { path, external: true } : { path, namespace: 'lazy' },
    )
    onLoad({ filter: LAZY, namespace: 'lazy' }, async ({ path }) => {
      const names = Object.keys(await import(path)).map((name) => `${name}: undefined`)
      return {
        contents: `module.exports = new Proxy({ ${names} }, { get: (_, name) => require('${path}')[name] })`,
      }
    })
  },
}

for (const name of readdirSync(dist)) if (name.endsWith('.cache')) rmSync(`${dist}/${name}`)

await build({
  entryPoints: { command: `${dist}/cli.js`, cli: `${dist}/launch.js` },
  outdir: dist,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  plugins: [lazyBuiltIns],
  external: [
    '@fastify/ajv-compiler',
    '@fastify/fast-json-stringify-compiler',
    '@fastify/swagger-ui',
    'jsonc-parser',
    'light-my-request',
  ],
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // A script of node:vm has no `import()` of its own.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
})
