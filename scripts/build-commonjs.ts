import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

/** Builds `dist/commonjs` beside the ES modules of `dist`: the same face for `require`. */

const root = fileURLToPath(new URL('..', import.meta.url))
const out = `${root}dist/commonjs`

await build({
  entryPoints: [`${root}src/index.ts`],
  outfile: `${out}/index.js`,
  bundle: true,
  // jsonc-parser's `main` is UMD, whose requires no bundler can follow.
  mainFields: ['module', 'main'],
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // The bundle is one folder deeper than the modules that look for files beside `dist`.
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__dirname).href;" },
})
writeFileSync(`${out}/package.json`, '{ "type": "commonjs" }\n')

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const emit = ['--emitDeclarationOnly', '--declaration', '--noEmit', 'false', '--outDir', out]
const kind = ['--module', 'es2022', '--moduleResolution', 'bundler']
execFileSync(process.execPath, [tsc, '--project', `${root}tsconfig.build.json`, ...emit, ...kind], {
  stdio: 'inherit',
})
