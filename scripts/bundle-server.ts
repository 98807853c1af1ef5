import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'
import type { BuildOptions } from 'esbuild'

import { replaceFile } from './replace-file.js'

/** The folder of what is built, with a final slash. */
export const DIST = fileURLToPath(new URL('../dist/', import.meta.url))

/** Fastify's own compilers of schemas, which are never used: ours are in their place. */
const SCHEMA_COMPILERS = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url))

/** The file that spglib's library loads at its first use (see `loadMoyo`). */
const MOYO = 'moyo_wasm_bg.wasm'

/**
 * Bundles modules of `src` as CommonJS files of `dist`, and copies the file of spglib's library beside them.
 * @param entryPoints the modules by the names of their bundles: `{ index: 'index.ts' }`
 */
export async function bundleServer(
  entryPoints: Readonly<Record<string, string>>,
  options: Pick<BuildOptions, 'inject' | 'minifyWhitespace'> = {},
): Promise<void> {
  const { outputFiles } = await build({
    ...options,
    entryPoints: Object.fromEntries(
      Object.entries(entryPoints).map(([name, module]) => [name, SOURCES + module]),
    ),
    external: SCHEMA_COMPILERS,
    outdir: DIST,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    // Node prints the line of an error that nobody catches.
    lineLimit: 200,
    write: false,
    // The main file of jsonc-parser is UMD, which cannot be bundled.
    mainFields: ['module', 'main'],
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // A script of node:vm, as Jest runs it, does not support `import()`.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
  })
  for (const { path, contents } of outputFiles) replaceFile(path, contents, 0o755)
  const path = createRequire(import.meta.url).resolve(`@spglib/moyo-wasm/${MOYO}`)
  replaceFile(DIST + MOYO, readFileSync(path))
}
