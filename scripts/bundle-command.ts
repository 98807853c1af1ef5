import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

/**
 * Makes `dist/cli.js` one file with all that a start needs, as finding and reading some 600 modules
 * took most of it. What is loaded only when it is asked for stays outside.
 */

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

await build({
  entryPoints: [cli],
  outfile: cli,
  allowOverwrite: true,
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
  format: 'esm',
  // Dependencies that are CommonJS ask for Node's own modules with `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
})
