import { readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

/**
 * Makes the command: `dist/command.cjs`, one file with all that a start needs, as finding and reading
 * some 600 modules took most of it, and `dist/cli.cjs`, which runs it. What is loaded only when it is
 * asked for stays outside. Code caches of a former bundle go.
 */

const dist = fileURLToPath(new URL('../dist', import.meta.url))

for (const name of readdirSync(dist)) if (name.endsWith('.cache')) rmSync(`${dist}/${name}`)

await build({
  entryPoints: { command: `${dist}/cli.js`, cli: `${dist}/launch.js` },
  outdir: dist,
  outExtension: { '.js': '.cjs' },
  bundle: true,
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
