import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import t from 'tap'

import { isJsonObject } from '../../src/json/json.js'
import { startMock } from '../../src/start-mock.js'
import { CHROMIUM, FLAGS, skipReason } from '../browser.js'
import { build } from '../build.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DOCS = `${ROOT}docs/`
const run = promisify(execFile)

/** All pages for people, by their paths. */
const pages = ['README.md', 'CHANGELOG.md', 'bench/README.md']
  .concat(
    readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${file}`),
  )
  .map((path) => ({ path, text: readFileSync(ROOT + path, 'utf8') }))

t.test('every link to a file of ours leads to one', async (t) => {
  for (const { path, text } of pages) {
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g))
      t.ok(existsSync(join(ROOT, dirname(path), target)), `${path} links to ${target}`)
  }
})

t.test('the pages show the examples as they are, and all of them', async (t) => {
  const shown = pages.flatMap(({ path, text }) =>
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

t.test('the page on use in process lists all that a mock has', async (t) => {
  const mock = await startMock({ fixtures: {}, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const members = Object.entries(mock).flatMap(([name, value]) =>
    name === 'faults' ? Object.keys(value).map((each) => `faults.${each}`) : [name],
  )
  const { text = '' } = pages.find(({ path }) => path === 'docs/in-process.md') ?? {}
  const listed = [...text.matchAll(/^\| `mock\.([\w.]+)/gm)].map(([, name]) => name)
  t.same(listed.toSorted(), members.toSorted())
})

t.test('the commands of the pages do what is shown', async (t) => {
  const all = stepsOf('README.md').map(({ command }) => command)
  const named = all.join('\n').match(/^(?:base|headers)=.*$/gm) ?? []
  const prelude = ['curl() { command curl "$@"; echo; }', ...named]
  for (const path of ['README.md', 'docs/controls.md']) {
    const app = await build(t)
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const steps = stepsOf(path)
    const script = [...prelude, ...steps.map(({ command }) => `${command}\nprintf '\\0'`)].join(
      '\n',
    )
    const { stdout } = await run('bash', ['-euc', script.replaceAll(':4000', `:${port}`)])
    const answers = stdout.split('\0')
    for (const [index, { command, shown }] of steps.entries()) {
      if (shown === undefined) t.match(answers[index], /"status":"success"|FAULT_INJECTED/, command)
      else t.match(JSON.parse(answers[index]?.trim().split('\n').at(-1) ?? ''), shown, command)
    }
  }
})

t.test('the example with Vitest passes', async (t) => {
  const folder = t.testdir()
  const resolve = { alias: { 'materials-mock': `${ROOT}src/index.ts` } }
  const config = JSON.stringify({ resolve, cacheDir: folder })
  await writeFile(`${folder}/vitest.config.mjs`, `export default ${config}`)
  const { stdout } = await run(process.execPath, [
    `${ROOT}node_modules/vitest/vitest.mjs`,
    'run',
    `--root=${DOCS}examples/vitest`,
    `--config=${folder}/vitest.config.mjs`,
    '--reporter=json',
  ])
  t.match(JSON.parse(stdout), { success: true, numPassedTests: 5 })
})

t.test('the example with Playwright passes', { skip: skipReason() }, async (t) => {
  const launchOptions = { executablePath: CHROMIUM, args: FLAGS }
  const folder = t.testdir({
    'materials-mock': `#!/bin/sh\nexec node --import tsx "${ROOT}src/cli/main.ts" "$@"\n`,
    'here.config.ts': `
      import config from './playwright.config.js'
      export default { ...config, use: { ...config.use, launchOptions: ${JSON.stringify(launchOptions)} } }
    `,
  })
  await chmod(`${folder}/materials-mock`, 0o755)
  const [front, mock] = await freePorts()
  for (const file of readdirSync(`${DOCS}examples/playwright`)) {
    const text = readFileSync(`${DOCS}examples/playwright/${file}`, 'utf8')
    await writeFile(
      `${folder}/${file}`,
      text.replace(/3000/g, `${front}`).replace(/4000/g, `${mock}`),
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
  t.match(JSON.parse(stdout), { stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0 } })
})

/** Two ports that nobody listens on at this moment. */
async function freePorts(): Promise<number[]> {
  const servers = [createServer(), createServer()]
  const ports = servers.map(async (server) => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  })
  const found = await Promise.all(ports)
  for (const server of servers) server.close()
  return found
}

/** The fences of a page that ask the server, in their order, and the JSON that follows each, if any. */
function stepsOf(path: string): { command: string; shown?: unknown }[] {
  const { text = '' } = pages.find((page) => page.path === path) ?? {}
  return [...text.matchAll(/^```sh\n(.*?)^```(?:\n\n```json\n(.*?)^```)?/gms)]
    .map(([, command = '', json]) => ({ command, json }))
    .filter(({ command }) => command.includes('curl'))
    .map(({ command, json }) => ({
      command,
      ...(json && { shown: JSON.parse(json, anyOfItsKind) }),
    }))
}

/** In place of what is another one each time, its type: times, durations, tokens, ids of new items. */
function anyOfItsKind(key: string, value: unknown): unknown {
  if (isJsonObject(value) && 'createdAt' in value) return { ...value, _id: String }
  if (key === 'uptime' || key === 'ms') return Number
  return ['createdAt', 'updatedAt', 'takenAt', 'X-Auth-Token'].includes(key) ? String : value
}
