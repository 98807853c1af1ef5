import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { bundleClient } from './bundle-client.js'
import { DIST, SCHEMA_COMPILERS, bundleServer } from './bundle-server.js'
import { replaceFile } from './replace-file.js'

/**
 * Builds what other programs import. `dist/index.cjs` is the package, for `require`; `dist/index.js`
 * passes its exports on, for `import`, so that a program with both kinds of modules has one package.
 * The same holds for the types, `dist/index.d.cts` and `dist/index.d.ts`. All packages are bundled
 * (docs/decisions/packaging.md). `dist/licenses.txt` has the licenses of those that are not installed
 * with it. `dist/client.js` and `dist/client.cjs` are the client, which a browser runs, too.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { dependencies } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
  dependencies: Record<string, string>
}

/** The packages that are in a bundle of the server or the page, or copied, and not dependencies. */
const BUNDLED_PACKAGES = [
  '@fastify/formbody',
  '@preact/signals',
  '@preact/signals-core',
  '@sinclair/typebox',
  'close-with-grace',
  'fastify-plugin',
  'jsonc-parser',
  'lru-cache',
  'mingo',
  'preact',
  'swagger-ui-dist',
  'three',
]

const external = Object.keys(dependencies).filter((name) => name !== 'fastify')
await bundleServer({ index: 'index.ts' }, [...external, ...SCHEMA_COMPILERS], {
  inject: [`${ROOT}scripts/node-globals.ts`],
})
replaceFile(`${DIST}index.js`, "export * from './index.cjs'\n")
buildTypes('src/index.ts', 'index')
for (const [format, file] of [
  ['esm', 'client.js'],
  ['cjs', 'client.cjs'],
] as const)
  replaceFile(DIST + file, await bundleClient({ format }))
buildTypes('src/client/index.ts', 'client')
replaceFile(`${DIST}licenses.txt`, BUNDLED_PACKAGES.map(readLicense).join('\n\n'))

/** Bundles the types of an entry in one file. It keeps what modules add to those of Fastify. */
function buildTypes(entry: string, name: string): void {
  const bundler = createRequire(import.meta.url).resolve(
    'dts-bundle-generator/dist/bin/dts-bundle-generator.js',
  )
  const flags = ['--project', `${ROOT}tsconfig.build.json`, '--no-check', '--silent']
  const scope = ['--inline-declare-externals', '--export-referenced-types=false']
  const inlined = ['--external-inlines', '@sinclair/typebox']
  const typesFile = `${DIST}${name}.d.cts`
  const files = ['--out-file', typesFile, ROOT + entry]
  execFileSync(process.execPath, [bundler, ...flags, ...scope, ...inlined, ...files], {
    stdio: 'inherit',
  })
  const bundle = createRequire(import.meta.url)(`${DIST}${name}.cjs`) as object
  const types = readFileSync(typesFile, 'utf8')
  replaceFile(typesFile, hideSchemas(types, new Set(Object.keys(bundle))))
  replaceFile(`${DIST}${name}.d.ts`, `export * from './${name}.cjs'\n`)
}

/**
 * Renames the schemas of exported types, which the bundler of types exports with them.
 * @param values the names of what the package exports
 */
function hideSchemas(types: string, values: ReadonlySet<string>): string {
  const names = [...types.matchAll(/^export declare const (\w+)/gm)].map(([, name]) => name ?? '')
  return names
    .filter((name) => !values.has(name))
    .reduce(
      (text, name) =>
        text
          .replace(`export declare const ${name}:`, `declare const ${name}Schema:`)
          .replaceAll(new RegExp(`typeof ${name}\\b`, 'g'), `typeof ${name}Schema`),
      types,
    )
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
