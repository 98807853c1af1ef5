import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, readdir, stat, symlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import t from 'tap'

import * as errors from '../../src/errors.js'
import { startMock } from '../../src/mock/start-mock.js'
import { findBlock } from '../../test/docs/blocks.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

const CODE = `
const CUBE = {
  lattice: { a: 3, b: 3, c: 3, alpha: 90, beta: 90, gamma: 90 },
  basis: { elements: [{ id: 0, value: 'Po' }], coordinates: [{ id: 0, value: [0, 0, 0] }] },
}
const typeErrors = (): void => {
  // @ts-expect-error a port is a number
  void buildApp({ port: '4000' })
  // @ts-expect-error there is no such option
  void buildApp({ prot: 4000 })
}
const buildAndClose = async (): Promise<number> => {
  const app = await buildApp({ logLevel: 'silent' })
  const { statusCode } = await app.inject('/api/2018-10-01/materials')
  console.log(statusCode, app.store.collections.get('materials')?.size)
  await app.close()
  return statusCode
}
const startAndClose = async (): Promise<void> => {
  const mock: Mock = await startMock({ logLevel: 'silent' })
  // @ts-expect-error a status is a number
  const ruleWithTypeError = (): FaultRule => mock.faults.add({ status: '500' })
  const rule: FaultRule = mock.faults.add({ status: 429, retryAfter: 2 })
  const response: Response = await mock.fetch('/api/2018-10-01/materials')
  const [request] = await mock.requests({ fault: { $exists: true } })
  console.log(response.status, response.headers.get('retry-after'), rule._id === undefined, request?.status)
  mock.faults.clear()
  const credentials = { 'X-Account-Id': 'oEb32zJWy27miFESb', 'X-Auth-Token': 'demo-preferences-token' }
  const client: Client = createClient({ fetch: mock.fetch, credentials })
  // @ts-expect-error there is no such operator
  const listWithTypeError = () => client.materials.list({ formula: { $gtx: 1 } })
  const [material] = await client.materials.list({ formula: 'GaAs' }, { limit: 1 })
  const formula: string | undefined = material?.formula
  const failure: unknown = await client.jobs.get('none').catch((error: unknown) => error)
  console.log(formula, failure instanceof ApiError && failure.code)
  void listWithTypeError
  const sandbox: Mock = mock.sandbox('ann')
  const { materials }: SeededItems = sandbox.seed({ materials: [{ formula: 'Si' }] }, { seed: 2 })
  // @ts-expect-error there is no such field
  const seedWithTypeError = () => sandbox.seed({ materials: [{ fromula: 'Si' }] })
  const id: string = materials[0]?._id ?? ''
  const why: ItemExplanation = await sandbox.explain('materials', id, { formula: 'Ge' }, { accountId: 'oEb32zJWy27miFESb' })
  // @ts-expect-error the account is an option
  const explainWithTypeError = () => sandbox.explain('materials', id, {}, 'ann')
  const matches: boolean | null | undefined = why.clauses[0]?.matches
  const clock: ClockState = await sandbox.clock.freeze()
  const footprint: Footprint = sandbox.footprint()
  const { materials: [crystal] }: SeededItems = sandbox.seed({ materials: [CUBE] })
  const symmetry = crystal?.derivedProperties?.find(({ name }) => name === 'symmetry')
  console.log(symmetry?.spaceGroupSymbol)
  const sent: JsonObject[] = await sandbox.expectRequests({ method: 'GET' }, { count: { max: 1 } })
  // @ts-expect-error a count is an option
  const expectWithTypeError = () => sandbox.expectRequests({}, 2)
  console.log(String(why) === why.text, matches, sent.length, clock.frozen, footprint.requests)
  void [seedWithTypeError, explainWithTypeError, expectWithTypeError]
  await mock.close()
  void ruleWithTypeError
}
void buildAndClose().then(startAndClose)
export { typeErrors }
`

const IMPORTS = `
import { buildApp, startMock } from 'materials-mock'
import type { ClockState, FaultRule, Footprint, ItemExplanation, JsonObject, Mock, SeededItems } from 'materials-mock'
import { ApiError, createClient } from 'materials-mock/client'
import type { Client } from 'materials-mock/client'
`

/** The files of the pages, without the hashes in their names. Each is there in two encodings, too. */
const PAGES = `
  ${'chunk-.js '.repeat(27)}
  code-mirror-.js explorer-.js explorer-style-.css explorer.html index.html item-panels-.js item-text-.js page-.js
  page-style-.css palette-.js requests-view-.js run-dialog-.js swagger-ui-.css swagger-ui-bundle-.js
  switches-view-.js viewer-.js
`
  .trim()
  .split(/\s+/)

/** The other built files that the package has. */
const BUILT = `
  browser-fixtures.d.ts browser-fixtures.js browser.d.ts browser.js
  browser/chunk-.js browser/chunk-.js browser/chunk-.js browser/matrix-.js browser/other-.js browser/page.js
  browser/server.js browser/service-worker.js browser/worker.js
  cli.cjs client.cjs client.d.cts client.d.ts client.js command.cjs
  connect.cjs connect.d.cts connect.d.ts connect.js
  index.cjs index.d.cts index.d.ts index.js licenses.txt moyo_wasm_bg.wasm proxy-transport.cjs
  symmetry-worker.cjs
`
  .trim()
  .split(/\s+/)

/** Returns the files of a page's file: as it is, and compressed. */
const toEncodings = (name: string): string[] =>
  ['', '.br', '.gz'].map((encoding) => `ui/${name}${encoding}`)

/** A strict project that checks the types of the package, too. */
const TYPESCRIPT = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    skipLibCheck: false,
    types: ['node'],
  },
}

t.test('the installed package works as an ES module and as CommonJS', async (t) => {
  const folder = t.testdir({
    'esm.mts': IMPORTS + CODE,
    'commonjs.cts': IMPORTS + CODE,
    // A mock that one kind of modules starts fits where the other kind expects one.
    'close.cts': `
      import type { Mock } from 'materials-mock'
      import { ApiError } from 'materials-mock/client'
      export const close = (mock: Mock): Promise<void> => mock.close()
      export const isApiError = (error: unknown): boolean => error instanceof ApiError
    `,
    'both.mts': `
      import { startMock } from 'materials-mock'
      import { ApiError } from 'materials-mock/client'
      import { close, isApiError } from './close.cjs'
      void startMock({ logLevel: 'silent' }).then(close)
      console.log(isApiError(new ApiError('no', 404)), isApiError(new Error('no')))
    `,
    'names.mjs': `
      import { createRequire } from 'node:module'
      import * as esm from 'materials-mock'
      import * as connect from 'materials-mock/connect'
      const require = createRequire(import.meta.url)
      const all = [esm, require('materials-mock'), connect, require('materials-mock/connect')]
      console.log(JSON.stringify(all.map((each) => Object.keys(each).toSorted())))
      const error = await connect.connectMock('nowhere').catch((each) => each)
      const kinds = all.flatMap((each) => [each.CatalogueError, each.ParameterInvalid, each.QueryInvalid])
      console.log(kinds.map((Kind) => Number(error instanceof Kind)).join(''))
    `,
    'tsconfig.json': JSON.stringify(TYPESCRIPT),
    'tsconfig.bundler.json': JSON.stringify({
      compilerOptions: {
        ...TYPESCRIPT.compilerOptions,
        module: 'es2022',
        moduleResolution: 'bundler',
        noEmit: true,
      },
      files: ['esm.mts'],
    }),
  })
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', pack, { cwd: ROOT })
  const [{ filename, files, size }] = JSON.parse(stdout.slice(stdout.indexOf('[\n')))
  const packedFiles: string[] = files.map(({ path }: { path: string }) => path)
  for (const name of [
    'LICENSE',
    'NOTICE',
    'README.md',
    'CHANGELOG.md',
    'SKILL.md',
    'docs/options.md',
    'fixtures/materials.json',
  ])
    t.ok(packedFiles.includes(name), `${name} is in the package`)
  const built = packedFiles.filter((name) => name.startsWith('dist/'))
  t.same(
    built.map((name) => name.slice('dist/'.length).replace(/-[A-Z0-9]{8}(?=\.)/, '-')).toSorted(),
    [...BUILT, ...PAGES.flatMap(toEncodings)].toSorted(),
    'nothing of another build is in the package',
  )
  t.notOk(
    packedFiles.some((name) => /^(src|test|scripts|bench|tools)\//.test(name)),
    'the package has no sources',
  )
  t.ok(size < 5_000_000, `the tarball has ${size} bytes`)
  // Installs the package and its dependencies as `npm install` would, without a registry.
  const modules = `${folder}/node_modules`
  await mkdir(`${modules}/materials-mock`, { recursive: true })
  await run('tar', ['xzf', filename, '-C', `${modules}/materials-mock`, '--strip-components=1'], {
    cwd: folder,
  })
  const types = await readFile(`${modules}/materials-mock/dist/index.d.cts`, 'utf8')
  for (const documented of [
    '\t/** The share of the matching requests that the rule is applied to, chosen at random. */\n\tprobability:',
    '\t\t/** The number of requests that the outcome applies to (default: 1). */\n\t\ttimes:',
    '\t/** silent to trace; info logs each request */\n\tlogLevel:',
    '\t/** The maximum number of items to return. */\n\tlimit:',
  ])
    t.ok(types.includes(documented), `editors show ${documented.trim()}`)
  const installed = await listInstalledPackages()
  t.ok(installed.length < 55, `${installed.length} packages are installed with it`)
  const linked = [...installed.filter((name) => !name.includes('/node_modules/')), ...NODE_TYPES]
  for (const name of linked) {
    await mkdir(dirname(`${modules}/${name}`), { recursive: true })
    await symlink(`${ROOT}node_modules/${name}`, `${modules}/${name}`)
  }

  const tsc = `${ROOT}node_modules/typescript/bin/tsc`
  for (const project of ['tsconfig.json', 'tsconfig.bundler.json'])
    await run(process.execPath, [tsc, '--project', project], { cwd: folder })
  // Jest's loader and Node before 20.19 cannot `require` an ES module.
  const flags = ['--no-experimental-require-module']
  for (const [file, ...nodeFlags] of [['esm.mjs'], ['commonjs.cjs', ...flags]] as const) {
    const { stdout: printed } = await run(process.execPath, [...nodeFlags, file], { cwd: folder })
    t.equal(
      printed,
      '401 74\n429 2 false 429\nGaAs ITEM_NOT_FOUND\nPm-3m\ntrue false 0 true 0\n',
      file,
    )
  }
  const { stdout: printed, stderr } = await run(process.execPath, ['both.mjs'], { cwd: folder })
  t.equal(printed + stderr, 'true false\n')
  // The entry for `import` names what the bundle has: Node would scan all of it for an `export *`.
  const { stdout: names } = await run(process.execPath, ['names.mjs'], { cwd: folder })
  const [lists = '', instances] = names.split('\n')
  t.equal(instances, '110'.repeat(4), 'an error of one bundle is an instance of the classes of all')
  const [esm, commonjs, connect, connectCommonjs] = JSON.parse(lists) as string[][]
  t.same(esm, commonjs, 'both entries export the same')
  t.same(connect, [...Object.keys(errors), 'connectMock'].toSorted())
  t.same(connect, connectCommonjs)
  const { size: connectSize } = await stat(`${modules}/materials-mock/dist/connect.cjs`)
  t.ok(connectSize < 60_000, `connectMock alone has ${connectSize} bytes`)
  const { stdout: version } = await run(process.execPath, [
    `${modules}/materials-mock/dist/cli.cjs`,
    '--version',
  ])
  t.match(version, /^\d+\.\d+\.\d+\n$/)
})

const codeOf = (page: string, start: string): string => findBlock(page, start).code

t.test('a project installs the mock as the pages say, and runs their commands', async (t) => {
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const folder = t.testdir({
    'materials-mock': t.fixture('symlink', ROOT), // the clone beside the project
    project: { 'package.json': '{"private": true}', 'pytest.ini': '[pytest]' },
    bin: { 'xdg-open': '#!/bin/sh\necho "$1" > "$0.called"\n' },
  })
  await chmod(`${folder}/bin/xdg-open`, 0o755)
  const script = [
    codeOf('README.md', 'npm install'),
    `npm pack ${ROOT}dist/client-package --silent`,
    codeOf('docs/client.md', 'npm install'),
    codeOf('docs/fixtures.md', 'mkdir -p my-fixtures'),
    codeOf('docs/fixtures.md', 'mkdir -p many'),
    codeOf('docs/front-end.md', 'mkdir -p my-fixtures'),
    codeOf('docs/options.md', 'npx').replace('4010', '0'),
    codeOf('docs/state-and-recording.md', 'npx materials-mock --state'),
    codeOf('docs/state-and-recording.md', 'npx materials-mock --upstream'),
    codeOf('docs/drift.md', 'export'),
    codeOf('docs/drift.md', 'npx materials-mock footprint'),
    `git init -q; ${codeOf('docs/front-end.md', 'mkdir -p vendor')}`,
    `git -c user.name=a -c user.email=a@b.c commit -qm first && git clone -q . ../of-project
    (cd ../of-project && npm ci --silent && npx materials-mock --version)`,
    `cd ../materials-mock && ${codeOf('docs/jobs.md', 'npm start')}`,
  ]
    .join("\nprintf '\\0'\n")
    .replaceAll('http://127.0.0.1:4000', mock.url)
    .replaceAll('https://staging.example', mock.url)
  const { stdout } = await run('bash', ['-euc', `exec < <(:)\n${script}`], {
    cwd: `${folder}/project`,
    env: {
      ...process.env,
      PATH: `${folder}/bin:${folder}/project/node_modules/.bin:${process.env.PATH}`,
      // A server ends when it has started: its input is at its end.
      MATERIALS_MOCK_PORT: '0',
      MATERIALS_MOCK_STOP_WITH_STDIN: 'true',
      npm_config_audit: 'false',
      npm_config_ignore_scripts: 'true', // the package is built
      npm_config_prefer_offline: 'true',
      // Vite, which another test runs in this process, sets `production`: npm then leaves out what is for development.
      NODE_ENV: 'development',
    },
  })
  const [
    installed = '',
    ,
    ,
    folderServed,
    many,
    own,
    byFlag,
    kept,
    upstream,
    check,
    used,
    ,
    clone,
    started,
  ] = stdout.split('\0')
  const banner = installed.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:4000')
  for (const line of codeOf('README.md', 'materials-mock ').trim().split('\n'))
    t.match(banner, line)
  t.match(banner, 'nothing is written; --yes writes it without asking')
  t.match(await readFile(`${folder}/bin/xdg-open.called`, 'utf8'), /^http:\/\/127\.0\.0\.1:\d+\n$/)
  for (const [printed, served] of [
    [folderServed, 'materials (1) from my-fixtures'],
    [many, 'materials (100000) from many'],
    [own, 'log in as  ann / secret'],
    [byFlag, 'materials (1) from my-fixtures'],
    [kept, 'keeps      items and snapshots in demo-state'],
    [upstream, 'materials (74)'],
    [started, 'materials (74)'],
  ])
    t.match(printed, served)
  const [, ...lastLines] = codeOf('docs/drift.md', '…').trim().split('\n')
  t.match(check, `${lastLines.join('\n')}\n`)
  t.match(used, /\n\d+ statements hold, 0 fail, /)
  const { version } = JSON.parse(await readFile(`${ROOT}package.json`, 'utf8'))
  t.equal(clone?.trim().split('\n').at(-1), version)
})

t.test('the client is a package of its own, without dependencies', async (t) => {
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const code = `
    const list = async (): Promise<void> => {
      const client: Client = createClient({ url: '${mock.url}' })
      await client.login('demo', 'demo')
      const [material]: Picked<Material, '_id' | 'formula'>[] = await client.materials.list(
        { formula: 'GaAs', isEntitySet: false },
        { fields: { formula: 1 } },
      )
      // @ts-expect-error there is no such path
      const typeError = () => client.materials.list({}, { sort: { naem: 1 } })
      const failure: unknown = await client.jobs.get('none').catch((error: unknown) => error)
      console.log(material?.formula, failure instanceof ApiError && failure.code, typeof typeError)
    }
    void list()
  `
  const imports = `
    import { ApiError, createClient } from 'materials-client'
    import type { Client, Material, Picked } from 'materials-client'
  `
  const folder = t.testdir({
    'package.json': '{"private": true}',
    'page.mts': findBlock('docs/client.md', "import { createClient } from 'materials-client'").code,
    'esm.mts': imports + code,
    'commonjs.cts': imports + code,
    'tsconfig.json': JSON.stringify({
      compilerOptions: { ...TYPESCRIPT.compilerOptions, lib: ['es2022', 'dom'], types: [] },
    }),
  })
  const client = `${ROOT}dist/client-package`
  await run('npm', ['pack', client], { cwd: folder })
  const { version } = JSON.parse(await readFile(`${ROOT}package.json`, 'utf8'))
  await run('npm', ['install', '--offline', '--no-audit', `./materials-client-${version}.tgz`], {
    cwd: folder,
  })
  const modules = await readdir(`${folder}/node_modules`)
  t.same(
    modules.filter((name) => !name.startsWith('.')),
    ['materials-client'],
    'it has no dependencies',
  )
  const installed = `${folder}/node_modules/materials-client`
  t.same((await readdir(installed)).toSorted(), [
    'LICENSE',
    'README.md',
    ...BUILT.filter((name) => name.startsWith('client.')),
    'package.json',
  ])
  t.match(JSON.parse(await readFile(`${installed}/package.json`, 'utf8')), {
    version,
    license: 'MIT',
    sideEffects: false,
    dependencies: undefined,
    scripts: undefined,
  })
  const readme = await readFile(`${installed}/README.md`, 'utf8')
  t.match(readme, /^# materials-client\n[^]*from 'materials-client'[^]*\n## Options\n/)
  t.notMatch(readme, /materials-mock|\]\((?!https)/, 'it names and links nothing that is not there')
  await run(process.execPath, [`${ROOT}node_modules/typescript/bin/tsc`], { cwd: folder })
  for (const [file, ...flags] of [
    ['esm.mjs'],
    ['commonjs.cjs', '--no-experimental-require-module'],
  ] as const) {
    const { stdout } = await run(process.execPath, [...flags, file], { cwd: folder })
    t.equal(stdout, 'GaAs ITEM_NOT_FOUND function\n', file)
  }
})

/** The types of Node, which a TypeScript project installs. */
const NODE_TYPES = ['@types/node', 'undici-types']

/** Lists the packages that are installed without development dependencies, by the lock file. */
async function listInstalledPackages(): Promise<string[]> {
  const lock = JSON.parse(await readFile(`${ROOT}package-lock.json`, 'utf8')) as {
    packages: Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>
  }
  // The packages of the workspaces are bundled: only what the root depends on is installed with it.
  const paths = ['']
  for (const path of paths) {
    for (const name of Object.keys(lock.packages[path]?.dependencies ?? {})) {
      const nested = `${path}/node_modules/${name}`
      const found = nested in lock.packages ? nested : `node_modules/${name}`
      if (!paths.includes(found)) paths.push(found)
    }
  }
  return paths.slice(1).map((path) => path.replace(/^node_modules\//, ''))
}
