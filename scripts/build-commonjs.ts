import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

/** Builds `dist/commonjs`: a CommonJS bundle of the package with the same exports, for `require`. */

const root = fileURLToPath(new URL('..', import.meta.url))
const out = `${root}dist/commonjs`

await build({
  entryPoints: [`${root}src/index.ts`],
  outfile: `${out}/index.js`,
  bundle: true,
  // The main file of jsonc-parser is UMD, which cannot be bundled.
  mainFields: ['module', 'main'],
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // Modules find files by paths relative to `dist`, and the bundle is one folder deeper.
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__dirname).href;" },
})
writeFileSync(`${out}/package.json`, '{ "type": "commonjs" }\n')

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const emitFlags = ['--emitDeclarationOnly', '--declaration', '--noEmit', 'false', '--outDir', out]
const moduleFlags = ['--module', 'es2022', '--moduleResolution', 'bundler']
execFileSync(
  process.execPath,
  [tsc, '--project', `${root}tsconfig.build.json`, ...emitFlags, ...moduleFlags],
  {
    stdio: 'inherit',
  },
)
