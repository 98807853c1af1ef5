import { readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

/**
 * Bundles the command: `dist/command.cjs` has all that a start needs in one file, as finding and
 * reading some 600 modules took most of its time, and `dist/cli.cjs`, the bin, runs it. Modules that
 * a start does not need stay outside. Deletes the code caches of a former bundle.
 */

const dist = fileURLToPath(new URL('../dist', import.meta.url))

for (const name of readdirSync(dist)) if (name.endsWith('.cache')) rmSync(`${dist}/${name}`)

await build({
  entryPoints: { command: `${dist}/cli/main.js`, cli: `${dist}/cli/bin.js` },
  outdir: dist,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  external: [
    '@fastify/ajv-compiler',
    '@fastify/fast-json-stringify-compiler',
    '@fastify/swagger-ui',
    'light-my-request',
  ],
  // The main file of jsonc-parser is UMD, which can not be bundled.
  mainFields: ['module', 'main'],
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // A script of node:vm has no `import()` of its own.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
})
