import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

/**
 * Makes the command, `dist/cli.cjs`: one file with all that a start needs, as finding and reading some
 * 600 modules took most of it. What is loaded only when it is asked for stays outside.
 */

const dist = fileURLToPath(new URL('../dist', import.meta.url))

await build({
  entryPoints: [`${dist}/cli.js`],
  outfile: `${dist}/cli.cjs`,
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
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
})
