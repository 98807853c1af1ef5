import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { chmod, cp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { chromium } from 'playwright-core'
import t from 'tap'

import { isJsonObject } from '../../src/json/json.js'
import { startMock } from '../../src/mock/start-mock.js'
import { CHROMIUM, FLAGS, skipReason } from '../browser.js'
import { build } from '../build.js'
import { COMMAND } from '../command.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DOCS = `${ROOT}docs/`
const run = promisify(execFile)

/** The pages for users and contributors, with their paths from the root. */
const PAGES = ['README.md', 'CHANGELOG.md', 'bench/README.md']
  .concat(
    readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${file}`),
  )
  .map((path) => ({ path, text: readFileSync(ROOT + path, 'utf8') }))

/** Returns the anchor that GitHub gives a heading. */
const toAnchor = (heading: string): string =>
  heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

t.test('every link to a local file or a heading has a target', async (t) => {
  for (const { path, text } of PAGES) {
    for (const [, file = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
      const target = file === '' ? path : join(dirname(path), file)
      t.ok(existsSync(ROOT + target), `${path} links to ${file}`)
      if (anchor === undefined || !target.endsWith('.md')) continue
      const headings = readFileSync(ROOT + target, 'utf8').match(/^#+ .*$/gm) ?? []
      t.ok(headings.map(toAnchor).includes(anchor), `${path} links to ${file}#${anchor}`)
    }
  }
})

t.test('the pages show every example file, without changes', async (t) => {
  const shown = PAGES.flatMap(({ path, text }) =>
    [...text.matchAll(/^\[[^\]]+\]\((examples\/[^)]+)\):\n\n```\w+\n(.*?)^```$/gms)].map(
      ([, file = '', code]) => {
        t.equal(code, readFileSync(DOCS + file, 'utf8'), `${path} shows ${file}`)
        return file
      },
    ),
  )
  const files = readdirSync(`${DOCS}examples`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes('.'))
    .map((file) => `examples/${file}`)
  t.same(shown.toSorted(), files.toSorted())
})

t.test('docs/in-process.md lists every member of a mock', async (t) => {
  const mock = await startMock({ fixtures: {}, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const members = Object.entries(mock).flatMap(([name, value]) =>
    name === 'faults' ? Object.keys(value).map((each) => `faults.${each}`) : [name],
  )
  const { text = '' } = PAGES.find(({ path }) => path === 'docs/in-process.md') ?? {}
  const listed = [...text.matchAll(/^\| `mock\.([\w.]+)/gm)].map(([, name]) => name)
  t.same(listed.toSorted(), members.toSorted())
})

t.test('the shell commands of the pages return what the pages show', async (t) => {
  const commands = parseSteps('docs/api.md').map(({ command }) => command)
  const variables = commands.join('\n').match(/^(?:base|headers)=.*$/gm) ?? []
  const prelude = ['curl() { command curl "$@"; echo; }', ...variables]
  for (const path of [
    'README.md',
    'docs/api.md',
    'docs/controls.md',
    'docs/sandboxes.md',
    'docs/seeding.md',
    'docs/why-not.md',
  ]) {
    const app = await build(t)
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const steps = parseSteps(path)
    const script = [...prelude, ...steps.map(({ command }) => `${command}\nprintf '\\0'`)].join(
      '\n',
    )
    const { stdout } = await run('bash', ['-euc', script.replaceAll(':4000', `:${port}`)])
    const outputs = stdout.split('\0')
    for (const [index, { command, shown }] of steps.entries()) {
      if (shown === undefined) t.match(outputs[index], /"status":"success"|FAULT_INJECTED/, command)
      else t.match(JSON.parse(outputs[index]?.trim().split('\n').at(-1) ?? ''), shown, command)
    }
  }
})

t.test('the README has at most 150 lines, and its two examples of code run', async (t) => {
  const { text = '' } = PAGES.find(({ path }) => path === 'README.md') ?? {}
  t.ok(text.split('\n').length <= 151)
  const [, first = ''] = /```js\n(.*?)^```/ms.exec(text) ?? []
  const [, inTest = ''] = /```ts\nimport .*?\n(.*?)^```/ms.exec(text) ?? []
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const code = first.replace('http://127.0.0.1:4000', mock.url)
  t.match(await new AsyncFunction(`${code}; return data`)(), [{ formula: 'Si' }, { formula: 'Si' }])
  t.equal(await new AsyncFunction('startMock', `${inTest}; return response.status`)(startMock), 503)
})

t.test('the Vitest example passes', async (t) => {
  const resolve = JSON.stringify({ alias: { 'materials-mock': `${ROOT}src/index.ts` } })
  const folder = t.testdir({
    'here.config.ts': `
      import config from './vitest.config.js'
      export default { ...config, resolve: ${resolve}, cacheDir: './cache' }
    `,
  })
  // All of the eight workers use the one server, each for a copy of this file.
  const copies = Array.from({ length: 7 }, (_, index) => `copy-${index}.test.ts`)
  for (const file of readdirSync(`${DOCS}examples/vitest`)) {
    const text = readFileSync(`${DOCS}examples/vitest/${file}`, 'utf8')
    const names = file === 'one-server.test.ts' ? [file, ...copies] : [file]
    for (const name of names) await writeFile(`${folder}/${name}`, text)
  }
  const { stdout } = await run(process.execPath, [
    `${ROOT}node_modules/vitest/vitest.mjs`,
    'run',
    `--root=${folder}`,
    '--config=here.config.ts',
    '--maxWorkers=8',
    '--testTimeout=60000',
    '--hookTimeout=60000',
    '--reporter=json',
  ])
  t.match(JSON.parse(stdout), { success: true, numPassedTests: 37 })
})

t.test('the Playwright example passes', { skip: skipReason() }, async (t) => {
  // The eight workers share one browser, as eight would take long to start.
  const browser = await chromium.launchServer({ executablePath: CHROMIUM, args: [...FLAGS] })
  t.teardown(() => browser.close())
  const connectOptions = JSON.stringify({ wsEndpoint: browser.wsEndpoint() })
  const folder = t.testdir({
    'materials-mock': `#!/bin/sh\nexec node "${COMMAND}" "$@"\n`,
    'here.config.ts': `
      import config from './playwright.config.js'
      export default { ...config, timeout: 120_000, expect: { timeout: 30_000 }, use: { ...config.use, connectOptions: ${connectOptions} } }
    `,
  })
  await chmod(`${folder}/materials-mock`, 0o755)
  const [frontEndPort, mockPort] = await findFreePorts()
  for (const file of readdirSync(`${DOCS}examples/playwright`)) {
    const text = readFileSync(`${DOCS}examples/playwright/${file}`, 'utf8')
    await writeFile(
      `${folder}/${file}`,
      text.replace(/3000/g, `${frontEndPort}`).replace(/4000/g, `${mockPort}`),
    )
  }
  const { stdout } = await run(
    process.execPath,
    [
      `${ROOT}node_modules/@playwright/test/cli.js`,
      'test',
      '--config=here.config.ts',
      `--output=${folder}/results`,
      '--reporter=json',
    ],
    { cwd: folder, env: { ...process.env, PATH: folder + delimiter + process.env.PATH } },
  )
  t.match(JSON.parse(stdout), { stats: { expected: 8, unexpected: 0, flaky: 0, skipped: 0 } })
})

t.test('README.md links every page', async (t) => {
  const { text = '' } = PAGES.find(({ path }) => path === 'README.md') ?? {}
  for (const file of readdirSync(DOCS).filter((each) => each.endsWith('.md')))
    t.ok(text.includes(`](docs/${file})`), file)
})

t.test('the files of the image start it as its Dockerfile says, and it is healthy', async (t) => {
  const dockerfile = readFileSync(`${ROOT}Dockerfile`, 'utf8')
  const [, stage = ''] = dockerfile.split(/^FROM .*slim$/m)
  const [port = 0] = await findFreePorts()
  const readWords = (instruction: RegExp): string[] =>
    JSON.parse(instruction.exec(stage)?.[1]?.replaceAll('4000', String(port)) ?? '')
  const folder = t.testdir()
  const sources = [...stage.matchAll(/^COPY --from=build (.*) \S+$/gm)].flatMap(([, words = '']) =>
    words.split(' '),
  )
  for (const source of sources)
    await cp(source.replace('/app/', ROOT), source.replace('/app', folder), { recursive: true })
  const [node = '', ...flags] = readWords(/^ENTRYPOINT (.*)$/m)
  const server = spawn(node, flags, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => server.kill())
  await once(server.stdout, 'data')
  const [check = '', ...words] = readWords(/^HEALTHCHECK .* CMD (.*)$/m)
  await t.resolves(run(check, words))
  server.kill()
  t.same(await once(server, 'exit'), [0, null])
  await t.rejects(run(check, words), 'a server that has ended is not healthy')
})

/** Returns two ports that are free now. */
async function findFreePorts(): Promise<number[]> {
  const servers = [createServer(), createServer()]
  const listening = servers.map(async (server) => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  })
  const ports = await Promise.all(listening)
  for (const server of servers) server.close()
  return ports
}

/** Returns the shell blocks of a page that use curl, each with the JSON block that follows it. */
function parseSteps(path: string): { command: string; shown?: unknown }[] {
  const { text = '' } = PAGES.find((page) => page.path === path) ?? {}
  return [...text.matchAll(/^```sh\n(.*?)^```(?:\n\n```json\n(.*?)^```)?/gms)]
    .map(([, command = '', json]) => ({ command, json }))
    .filter(({ command }) => command.includes('curl'))
    .map(({ command, json }) => ({
      command,
      ...(json && { shown: JSON.parse(json, replaceVaryingValue) }),
    }))
}

/** A `JSON.parse` reviver: replaces times, durations, tokens, URLs and ids of new items by their types. */
function replaceVaryingValue(key: string, value: unknown): unknown {
  if (isJsonObject(value) && 'createdAt' in value) return { ...value, _id: String }
  if (key === 'uptime' || key === 'ms') return Number
  return ['createdAt', 'updatedAt', 'takenAt', 'X-Auth-Token', 'url'].includes(key) ? String : value
}
