import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = `${root}dist`

/**
 * Bundles the command. `dist/command.cjs` is one file with all modules that a start needs, because
 * most of the time of a start went into finding and reading some 600 modules. `dist/cli.cjs`, the
 * bin, runs it. Modules that a start does not need are not bundled. The code caches of a previous
 * bundle are deleted. It needs no other build: `npm start` makes this bundle alone.
 */
export async function bundleCommand(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: { command: `${root}src/cli/main.ts`, cli: `${root}src/cli/bin.ts` },
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    write: false,
    external: [
      '@fastify/ajv-compiler',
      '@fastify/fast-json-stringify-compiler',
      '@fastify/swagger-ui',
      'light-my-request',
    ],
    // The main file of jsonc-parser is UMD, which cannot be bundled.
    mainFields: ['module', 'main'],
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // A script of node:vm does not support `import()`.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
  })
  mkdirSync(dist, { recursive: true })
  for (const name of readdirSync(dist))
    if (name.endsWith('.cache')) rmSync(`${dist}/${name}`, { force: true })
  for (const { path, contents } of outputFiles) replaceFile(path, contents)
}

/** Replaces a file by a rename, so that a process that starts meanwhile reads a whole one. */
function replaceFile(path: string, contents: Uint8Array): void {
  const temporary = `${path}-${process.pid}`
  writeFileSync(temporary, contents, { mode: 0o755 })
  renameSync(temporary, path)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleCommand()
