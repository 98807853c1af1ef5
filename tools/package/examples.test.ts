import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { chmod, cp, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import t from 'tap'
import type { Test } from 'tap'
import { createServer as createViteServer } from 'vite'

import { CHROMIUM } from '../../scripts/chromium.js'
import { startMock } from '../../src/mock/start-mock.js'
import type { Mock } from '../../src/mock/members.js'
import { findBlock } from '../../test/docs/blocks.js'
import { readPieces } from '../../test/docs/cookbook-pieces.js'
import { FLAGS, skipReason, visit } from '../../test/helpers/browser.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const EXAMPLES = `${ROOT}docs/examples`
/** The packages that a reader of the examples installs. */
const MODULES = `${ROOT}tools/package/node_modules`
const run = promisify(execFile)

t.test('the examples have no errors of types', async (t) => {
  const [start, ...pieces] = readPieces('ts')
  const folder = t.testdir({
    node_modules: t.fixture('symlink', MODULES),
    'tsconfig.json': JSON.stringify({
      extends: `${ROOT}tsconfig.json`,
      compilerOptions: {
        paths: {
          'materials-mock': [`${ROOT}dist/index.d.ts`],
          'materials-mock/client': [`${ROOT}dist/client.d.ts`],
          'materials-mock/connect': [`${ROOT}dist/connect.d.ts`],
        },
      },
      include: ['vitest', 'playwright', 'cookbook'],
    }),
    cookbook: Object.fromEntries(
      pieces.map(({ code }, index) => [
        `${index}.ts`,
        `${start?.code}${code}await mock.close()\nassert.ok(client)\n`,
      ]),
    ),
  })
  for (const name of ['vitest', 'playwright'])
    await cp(`${EXAMPLES}/${name}`, `${folder}/${name}`, { recursive: true })
  await run(process.execPath, [`${ROOT}node_modules/typescript/bin/tsc`], { cwd: folder }).catch(
    ({ stdout }: { stdout: string }) => t.fail(stdout),
  )
})

t.test('the Vitest example passes', async (t) => {
  const folder = t.testdir({
    node_modules: t.fixture('symlink', MODULES),
    'here.config.ts': `
      import config from './vitest.config.js'
      const alias = {
        'materials-mock/connect': '${ROOT}dist/connect.js',
        'materials-mock': '${ROOT}dist/index.js',
      }
      export default { ...config, resolve: { alias }, cacheDir: './cache' }
    `,
  })
  // Both workers use the one server: one for this file, the other for its copy.
  for (const file of readdirSync(`${EXAMPLES}/vitest`)) {
    const text = readFileSync(`${EXAMPLES}/vitest/${file}`, 'utf8')
    const names = file === 'one-server.test.ts' ? [file, 'copy.test.ts'] : [file]
    for (const name of names) await writeFile(`${folder}/${name}`, text)
  }
  const { stdout } = await run(process.execPath, [
    `${MODULES}/vitest/vitest.mjs`,
    'run',
    `--root=${folder}`,
    '--config=here.config.ts',
    '--maxWorkers=2',
    '--no-isolate', // a process for each worker, in place of one for each file
    '--testTimeout=60000',
    '--hookTimeout=60000',
    '--reporter=json',
  ])
  t.match(JSON.parse(stdout), { success: true, numPassedTests: 21 })
})

/** How a change was noticed differs on a busy computer. */
const mask = (text: string): string => text.replace(/\d+ killed.*out, /, '')

t.test('mutate finds in the Vitest example what docs/mutate.md shows', async (t) => {
  const folder = t.testdir({
    node_modules: t.fixture('symlink', MODULES),
    'vitest.config.ts': `
      const alias = { 'materials-mock': '${ROOT}dist/index.js' }
      export default { resolve: { alias }, cacheDir: './cache', test: { testTimeout: 60_000 } }
    `,
  })
  const { code: assertion } = findBlock('docs/mutate.md', 'expect(')
  for (const file of ['client.ts', 'concurrent.test.ts']) {
    const text = readFileSync(`${EXAMPLES}/vitest/${file}`, 'utf8')
    const earlier = text.replace(assertion.trim(), '')
    t.equal(earlier === text, file === 'client.ts', 'the example has the assertion of the page')
    await writeFile(`${folder}/${file}`, earlier)
  }
  const command = `${process.execPath} ${ROOT}dist/cli.cjs`
  const script = findBlock('docs/mutate.md', 'npx').code.replace('npx materials-mock', command)
  const { stdout, stderr } = await run('bash', ['-c', script], { cwd: folder }).catch(
    (error) => error,
  )
  // Two lines are cut after a time of this run.
  const lines = mask(findBlock('docs/mutate.md', '✗').code).split('\n')
  for (const line of lines) {
    const part = line.replace(/^ +(?:before|after) +…|"createdAt".*/g, '')
    t.ok(mask(stdout).includes(part), part || stderr)
  }
  const [, survivor] = stdout.split(/^✗ /m)
  t.match(survivor, lines[0]?.slice(2))
  t.match(stdout, /survived; score 0\.75\n$/)
})

t.test('the Playwright example passes', { skip: skipReason() }, async (t) => {
  const folder = t.testdir({
    node_modules: t.fixture('symlink', MODULES),
    'materials-mock': `#!/bin/sh\nexec node "${ROOT}dist/cli.cjs" "$@"\n`,
    'here.config.ts': `
      import config from './playwright.config.js'
      const launchOptions = ${JSON.stringify({ executablePath: CHROMIUM, args: [...FLAGS, '--disable-gpu'] })}
      export default { ...config, workers: 2, timeout: 120_000, expect: { timeout: 30_000 }, use: { ...config.use, launchOptions } }
    `,
  })
  await chmod(`${folder}/materials-mock`, 0o755)
  const [frontEndPort, mockPort] = await findFreePorts()
  for (const file of readdirSync(`${EXAMPLES}/playwright`)) {
    const text = readFileSync(`${EXAMPLES}/playwright/${file}`, 'utf8')
    await writeFile(
      `${folder}/${file}`,
      text.replace(/3000/g, `${frontEndPort}`).replace(/4000/g, `${mockPort}`),
    )
  }
  const { stdout } = await run(
    process.execPath,
    [
      `${MODULES}/@playwright/test/cli.js`,
      'test',
      '--config=here.config.ts',
      `--output=${folder}/results`,
      '--reporter=json',
    ],
    { cwd: folder, env: { ...process.env, PATH: folder + delimiter + process.env.PATH } },
  )
  t.match(JSON.parse(stdout), { stats: { expected: 9, unexpected: 0, flaky: 0, skipped: 0 } })
})

/** A front end that logs in, loads three lists at once, of which one fails, and uses what it has created. */
const toCode = (origin: string): string => `
  const api = ${origin} + '/api/2018-10-01'
  const send = async (path, options) => (await fetch(api + path, options)).json()
  const body = new URLSearchParams({ username: 'demo', password: 'demo' })
  const login = await send('/login', { method: 'POST', body })
  const headers = { ...login, 'Content-Type': 'application/json' }
  const lists = ['materials', 'jobs', 'properties'].map((name) => '/' + name + '?projection={"limit":2}')
  await Promise.all(lists.map((path) => send(path, { headers })))
  const name = globalThis.location?.search ?? ''
  const project = JSON.stringify({ name: 'New' + name })
  const { data } = await send('/projects/create', { method: 'PUT', headers, body: project })
  await send('/projects/' + data._id, { headers })
  await send('/jobs?query=' + encodeURIComponent(JSON.stringify({ '_project._id': data._id })), { headers })
`

const toPage = (origin: string): string =>
  `<!doctype html><link rel="icon" href="data:,"><script type="module">${toCode(origin)}
    document.title = 'loaded'</script>`

const FAULT = { path: '/api/*/properties', status: 503 }

async function startRecording(t: Test): Promise<Mock> {
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  mock.faults.add(FAULT)
  return mock
}

/** Returns the test that the requests become, after requests of the page of the mock. */
async function copyTest(mock: Mock, language: string): Promise<string> {
  const headers = { 'x-mock-page': 'replay' }
  await mock.fetch('/api/2018-10-01/workflows', { headers })
  return (await mock.fetch(`/__admin/requests.test?language=${language}`)).text()
}

t.test('a test for Vitest passes as it was copied, and fails for another run', async (t) => {
  const mock = await startRecording(t)
  const send = `export async function send(url) {${toCode('url')}}`
  const { send: record } = await import(`data:text/javascript,${encodeURIComponent(send)}`)
  await record(mock.url)
  const text = (await copyTest(mock, 'vitest')).replace(
    '// run the code under test against mock.url here',
    'await send(mock.url)',
  )
  const folder = t.testdir({
    node_modules: t.fixture('symlink', MODULES),
    'send.js': send,
    'same.test.ts': `import { send } from './send.js'\n${text}`,
    'changed.test.ts': `import { send } from './send.js'\n${text.replace('"New"', '"Old"')}`,
    'vitest.config.ts': `
      const alias = { 'materials-mock': '${ROOT}dist/index.js' }
      export default { test: { testTimeout: 60_000 }, resolve: { alias }, cacheDir: './cache' }
    `,
  })
  const vitest = [`${MODULES}/vitest/vitest.mjs`, 'run', `--root=${folder}`, '--reporter=json']
  const { stdout } = await run(process.execPath, vitest).catch((error) => error)
  const { testResults } = JSON.parse(stdout) as { testResults: { name: string; status: string }[] }
  t.same(
    testResults.map(({ name, status }) => [name.slice(folder.length + 1), status]).toSorted(),
    [
      ['changed.test.ts', 'failed'],
      ['same.test.ts', 'passed'],
    ],
  )
})

t.test(
  'a test for Playwright passes for each origin of the front end',
  { skip: skipReason() },
  async (t) => {
    const mock = await startRecording(t)
    const elsewhere = toPage(JSON.stringify(mock.url))
    const other = createHttpServer((_, response) =>
      response.setHeader('content-type', 'text/html').end(elsewhere),
    )
    await once(other.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => other.close())
    const launchOptions = { executablePath: CHROMIUM, args: [...FLAGS, '--disable-gpu'] }
    const folder = t.testdir({
      node_modules: t.fixture('symlink', MODULES),
      'front-end': { 'index.html': toPage("''") },
      'tsconfig.json': JSON.stringify({
        compilerOptions: { paths: { 'materials-mock/connect': [`${ROOT}dist/connect.js`] } },
      }),
      'playwright.config.ts': `export default { workers: 2, use: { launchOptions: ${JSON.stringify(launchOptions)} } }`,
    })
    const vite = await createViteServer({
      root: `${folder}/front-end`,
      configFile: false,
      server: { host: '127.0.0.1', port: 0, hmr: false, proxy: { '/api': mock.url } },
      logLevel: 'silent',
    })
    await vite.listen()
    t.teardown(() => vite.close())
    const addresses = [other.address(), vite.httpServer?.address()].map(
      (address) => `http://127.0.0.1:${(address as AddressInfo).port}/`,
    )
    const files: Record<string, string> = {}
    for (const [index, address] of addresses.entries()) {
      mock.reset()
      mock.faults.add(FAULT)
      const { page } = await visit(t)
      await page.goto(address)
      await page.waitForFunction("document.title === 'loaded'")
      const text = await copyTest(mock, 'playwright')
      t.match(text, `page.goto("${address}")`, 'the address is that of the front end')
      files[`same-${index}.spec.ts`] = text
      for (const there of addresses)
        if (there !== address) files[`other-${index}.spec.ts`] = text.replace(address, there)
      files[`changed-${index}.spec.ts`] = text.replace(address, `${address}?x`)
    }
    for (const [file, text] of Object.entries(files)) await writeFile(`${folder}/${file}`, text)
    const playwright = [`${MODULES}/@playwright/test/cli.js`, 'test', '--reporter=json']
    const { stdout } = await run(process.execPath, playwright, { cwd: folder }).catch(
      (error) => error,
    )
    const report = JSON.parse(stdout) as { suites: { file: string; specs: { ok: boolean }[] }[] }
    t.same(
      report.suites.map(({ file, specs }) => [file, specs[0]?.ok]).toSorted(),
      Object.keys(files)
        .map((file) => [file, !file.startsWith('changed')])
        .toSorted(),
    )
    t.same(await (await mock.fetch('/__admin/sandboxes')).json(), { status: 'success', data: [] })
  },
)

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
