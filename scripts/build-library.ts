import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { DIST, SCHEMA_COMPILERS, bundleServer } from './bundle-server.js'
import { replaceFile } from './replace-file.js'

/**
 * Builds what other programs import. `dist/index.cjs` is the package, for `require`; `dist/index.js`
 * passes its exports on, for `import`, so that a program with both kinds of modules has one package.
 * The same holds for the types, `dist/index.d.cts` and `dist/index.d.ts`. Of the dependencies only
 * Fastify is bundled (docs/decisions/packaging.md), and with it what is none. `dist/licenses.txt` has
 * the licenses of what is not installed with the package.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { dependencies } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
  dependencies: Record<string, string>
}

/** The packages that are in a bundle of the server or the page, or copied, and not dependencies. */
const BUNDLED_PACKAGES = [
  '@preact/signals',
  '@preact/signals-core',
  'close-with-grace',
  'jsonc-parser',
  'lru-cache',
  'preact',
  'swagger-ui-dist',
  'three',
]

const external = Object.keys(dependencies).filter((name) => name !== 'fastify')
await bundleServer({ index: 'index.ts' }, [...external, ...SCHEMA_COMPILERS])
replaceFile(`${DIST}index.js`, "export * from './index.cjs'\n")
buildTypes()
replaceFile(`${DIST}licenses.txt`, BUNDLED_PACKAGES.map(readLicense).join('\n\n'))

/** Bundles the types of the package in one file. It keeps what modules add to those of Fastify. */
function buildTypes(): void {
  const bundler = createRequire(import.meta.url).resolve(
    'dts-bundle-generator/dist/bin/dts-bundle-generator.js',
  )
  const flags = ['--project', `${ROOT}tsconfig.build.json`, '--no-check', '--silent']
  const scope = ['--inline-declare-externals', '--export-referenced-types=false']
  const files = ['--out-file', `${DIST}index.d.cts`, `${ROOT}src/index.ts`]
  execFileSync(process.execPath, [bundler, ...flags, ...scope, ...files], { stdio: 'inherit' })
  replaceFile(`${DIST}index.d.ts`, "export * from './index.cjs'\n")
}

/** @throws Error for a package without a license */
function readLicense(name: string): string {
  const folder = `${ROOT}node_modules/${name}/`
  const files = existsSync(folder) ? readdirSync(folder) : []
  const texts = files
    .filter((file) => /^(licen[cs]e|notice)(\.md|\.txt)?$/i.test(file))
    .map((file) => readFileSync(folder + file, 'utf8').trim())
  if (texts.length === 0) throw new Error(`${name} has no license that can be passed on`)
  return [name, ...texts].join('\n\n')
}
