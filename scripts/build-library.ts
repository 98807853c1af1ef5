import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { generateDtsBundle } from 'dts-bundle-generator'

import { Fault } from '@materials-mock/api'
import { Projection } from '@materials-mock/query'
import { WITHOUT } from '../src/browser/start-mock.js'
import * as errors from '../src/errors.js'
import { Options } from '../src/options.js'
import { bundleClient } from './bundle-client.js'
import { DIST, bundleServer } from './bundle-server.js'
import { writeItemTypes } from './client-items.js'
import { documentTypes } from './document-types.js'
import { replaceFile } from './replace-file.js'
import { readShippedFixtures } from './shipped-fixtures.js'

/**
 * Builds the package for other programs. `dist/index.cjs` is the package, for `require`; `dist/index.js`
 * names its exports, for `import`, so that a program with both kinds of modules has one package. Node
 * would scan the whole bundle for the names of an `export *`. The same holds for the types,
 * `dist/index.d.cts` and `dist/index.d.ts`. `dist/connect.cjs` has `connectMock` alone, without the
 * server. All packages are bundled (docs/decisions/packaging.md). `dist/licenses.txt` has the licenses of
 * the packages that are not installed with it. `dist/client.js` and `dist/client.cjs` are the client,
 * which a browser runs, too. `dist/client-package` has the same files as a package of its own.
 * `dist/browser.js` is the mock for a browser, whose server `npm run bundle` has made.
 */

/** The module of the package's server. */
const SERVER = 'src/index.ts'

/** The schemas of objects that tests write, by their names in the types of the server. */
const DOCUMENTED_SCHEMAS = { FaultSchema: Fault, Options, ProjectionSchema: Projection }

const CLIENT_FILES = ['client.cjs', 'client.d.cts', 'client.d.ts', 'client.js']

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The packages that are in a bundle of the server or the page, or copied, and not dependencies. */
const BUNDLED_PACKAGES = [
  ...['autocomplete', 'commands', 'lang-json', 'language', 'lint', 'state', 'view'].map(
    (name) => `@codemirror/${name}`,
  ),
  ...['common', 'highlight', 'json', 'lr'].map((name) => `@lezer/${name}`),
  '@marijn/find-cluster-break',
  '@preact/signals',
  '@preact/signals-core',
  '@sinclair/typebox',
  '@spglib/moyo-wasm',
  '@noble/hashes',
  'abort-controller',
  'agent-base',
  'base64-js',
  'buffer',
  'close-with-grace',
  'crelt',
  'debug',
  'events',
  'fastify-plugin',
  'http-proxy-agent',
  'https-proxy-agent',
  'idb-keyval',
  'ieee754',
  'jsonc-parser',
  'lru-cache',
  'mingo',
  'ms',
  'preact',
  'process',
  'proxy-from-env',
  'readable-stream',
  'safe-buffer',
  'statuses',
  'string_decoder',
  'style-mod',
  'swagger-ui-dist',
  'three',
  'tinyqueue',
  'undici',
  'w3c-keyname',
]

/** The text of a license, in another package, of a package that names its license and does not bring it. */
const NAMED_LICENSES: Readonly<Record<string, string>> = {
  '@spglib/moyo-wasm': 'typescript/LICENSE.txt', // Apache-2.0
}

await bundleServer(
  { index: 'index.ts', connect: 'mock/connect.ts' },
  { inject: [`${ROOT}scripts/node-globals.ts`], minifyWhitespace: true },
)
for (const name of ['index', 'connect']) {
  const names = listExports(name).map((each) => `  ${each},\n`)
  replaceFile(
    `${DIST}${name}.js`,
    `import { createRequire } from 'node:module'

export const {
${names.join('')}} = createRequire(import.meta.url)('./${name}.cjs')
`,
  )
}
for (const extension of ['cts', 'ts']) {
  replaceFile(
    `${DIST}connect.d.${extension}`,
    `export { type ConnectedMock, type ErrorClass, type ErrorDetail, ${['connectMock', ...Object.keys(errors)].join(', ')} } from './index.cjs'\n`,
  )
}
for (const [format, file] of [
  ['esm', 'client.js'],
  ['cjs', 'client.cjs'],
] as const)
  replaceFile(DIST + file, await bundleClient({ format }))
await writeItemTypes()
buildTypes({ index: SERVER, client: 'src/client.ts' })
buildBrowserEntry()
buildClientPackage(`${DIST}client-package/`)
replaceFile(`${DIST}licenses.txt`, BUNDLED_PACKAGES.map(readLicense).join('\n\n'))

/**
 * Bundles the types of entries, each in one file. The types of the server keep the declarations that modules
 * add to Fastify's types. One program of TypeScript has all entries, because it takes most of the time.
 */
function buildTypes(entries: Readonly<Record<string, string>>): void {
  const bundles = generateDtsBundle(
    Object.values(entries).map((entry) => ({
      filePath: ROOT + entry,
      libraries: { inlinedLibraries: ['@sinclair/typebox'] },
      output: { inlineDeclareExternals: entry === SERVER, exportReferencedTypes: false },
    })),
    { preferredConfigPath: `${ROOT}tsconfig.build.json` },
  )
  for (const [index, name] of Object.keys(entries).entries()) {
    const types = hideSchemas(bundles[index] ?? '', new Set(listExports(name)))
    const schemas = name === 'index' ? DOCUMENTED_SCHEMAS : {}
    replaceFile(`${DIST}${name}.d.cts`, documentTypes(types, schemas))
    replaceFile(`${DIST}${name}.d.ts`, `export * from './${name}.cjs'\n`)
  }
}

/**
 * Builds the entries of the mock for a browser, and of the shipped fixtures. The file of spglib's library is
 * named as bundlers find it: they copy it beside what they bundle.
 */
function buildBrowserEntry(): void {
  const names = `{ ${Object.keys(errors).join(', ')} }`
  replaceFile(
    `${DIST}browser.js`,
    `import { createStartMock } from './browser/server.js'

export ${names} from './browser/server.js'

export const startMock = createStartMock(new URL('./moyo_wasm_bg.wasm', import.meta.url))
`,
  )
  const omitted = ['fixtures', ...WITHOUT].map((name) => `'${name}'`).join(' | ')
  const fixtures = "Exclude<BuildOptions['fixtures'], string | undefined>"
  replaceFile(
    `${DIST}browser.d.ts`,
    `import type { BuildOptions, Mock } from './index.cjs'

export type * from './index.cjs'
export ${names} from './index.cjs'

/** The options of a mock in a browser: those of one in Node, without files, a network and a terminal. */
export type BrowserMockOptions = Omit<BuildOptions, ${omitted}> & {
	/** An array of items for each resource, and \`accounts\` and \`scenarios\`. */
	readonly fixtures: ${fixtures}
}

/**
 * Starts a mock in this page or worker.
 * @throws OptionsInvalid for an option that needs Node, FixturesInvalid
 */
export declare function startMock(options: BrowserMockOptions): Promise<Mock>
`,
  )
  const text = JSON.stringify(JSON.stringify(readShippedFixtures()))
  replaceFile(`${DIST}browser-fixtures.js`, `export default JSON.parse(${text})\n`)
  replaceFile(
    `${DIST}browser-fixtures.d.ts`,
    `import type { BuildOptions } from './index.cjs'

/** The fixtures that come with the package: the items of each resource, accounts and scenarios. */
declare const fixtures: ${fixtures}
export default fixtures
`,
  )
}

/** Returns the names that a built bundle exports. */
function listExports(name: string): string[] {
  return Object.keys(createRequire(import.meta.url)(`${DIST}${name}.cjs`) as object)
}

/** Makes the package of the client alone, `materials-client`, from the built client and docs/client.md. */
function buildClientPackage(folder: string): void {
  const name = 'materials-client'
  const { version, license } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
    version: string
    license: string
  }
  const description = {
    name,
    version,
    description: "A typed client of a materials platform's REST API, without dependencies",
    license,
    type: 'module',
    sideEffects: false,
    main: './client.cjs',
    types: './client.d.cts',
    exports: {
      '.': {
        import: { types: './client.d.ts', default: './client.js' },
        require: { types: './client.d.cts', default: './client.cjs' },
      },
      './package.json': './package.json',
    },
    files: CLIENT_FILES,
  }
  replaceFile(`${folder}package.json`, `${JSON.stringify(description, null, 2)}\n`)
  for (const file of CLIENT_FILES) replaceFile(folder + file, readFileSync(DIST + file))
  replaceFile(`${folder}LICENSE`, readFileSync(`${ROOT}LICENSE`))
  // The later sections link pages that this package does not have.
  const [excerpt = ''] = readFileSync(`${ROOT}docs/client.md`, 'utf8').split('\n## Members')
  const readme = excerpt
    .replace('# The client', `# ${name}`)
    .replaceAll('materials-mock/client', name)
  replaceFile(`${folder}README.md`, readme)
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
  const named = NAMED_LICENSES[name]
  if (named !== undefined) texts.push(readFileSync(`${ROOT}node_modules/${named}`, 'utf8').trim())
  if (texts.length === 0) throw new Error(`${name} has no license that can be passed on`)
  return [name, ...texts].join('\n\n')
}
