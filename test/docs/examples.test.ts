import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { delimiter } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import t from 'tap'

import { CHROMIUM } from '../../scripts/chromium.js'
import { bundleTests } from '../../scripts/test/bundle-tests.js'
import { startMock } from '../../src/mock/start-mock.js'
import { FLAGS, skipReason, visit } from '../browser.js'
import { COMMAND } from '../command.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const EXAMPLES = `${ROOT}docs/examples`
const run = promisify(execFile)

t.test('the Vitest example passes', async (t) => {
  const folder = t.testdir({
    'here.config.ts': `
      import config from './vitest.config.js'
      const alias = { 'materials-mock': import.meta.dirname + '/package/index.js' }
      export default { ...config, resolve: { alias }, cacheDir: './cache' }
    `,
  })
  // One bundle for all test files, in place of hundreds of modules for each.
  await bundleTests({ index: 'src/index.ts' }, '', ROOT, `${folder}/package`)
  // Both workers use the one server: one for this file, the other for its copy.
  for (const file of readdirSync(`${EXAMPLES}/vitest`)) {
    const text = readFileSync(`${EXAMPLES}/vitest/${file}`, 'utf8')
    const names = file === 'one-server.test.ts' ? [file, 'copy.test.ts'] : [file]
    for (const name of names) await writeFile(`${folder}/${name}`, text)
  }
  const { stdout } = await run(process.execPath, [
    `${ROOT}node_modules/vitest/vitest.mjs`,
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

t.test('the Playwright example passes', { skip: skipReason() }, async (t) => {
  const folder = t.testdir({
    'materials-mock': `#!/bin/sh\nexec node "${COMMAND}" "$@"\n`,
    'here.config.ts': `
      import config from './playwright.config.js'
      const launchOptions = ${JSON.stringify({ executablePath: CHROMIUM, args: [...FLAGS] })}
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
      `${ROOT}node_modules/@playwright/test/cli.js`,
      'test',
      '--config=here.config.ts',
      `--output=${folder}/results`,
      '--reporter=json',
    ],
    { cwd: folder, env: { ...process.env, PATH: folder + delimiter + process.env.PATH } },
  )
  t.match(JSON.parse(stdout), { stats: { expected: 9, unexpected: 0, flaky: 0, skipped: 0 } })
})

t.test('the front end of the first page works from a file', { skip: skipReason() }, async (t) => {
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const text = readFileSync(`${EXAMPLES}/front-end/index.html`, 'utf8')
  const folder = t.testdir({ 'index.html': text.replace('http://127.0.0.1:4000', mock.url) })
  const { page, errors } = await visit(t)
  const status = page.getByRole('status')
  const rows = page.getByRole('listitem')
  const search = page.getByRole('button', { name: 'Search' })

  await page.goto(pathToFileURL(`${folder}/index.html`).href)
  await rows.nth(9).waitFor()
  await page.getByLabel('Formula').fill('GaAs')
  await search.click()
  await rows.nth(1).waitFor({ state: 'detached' })
  t.match(await rows.allTextContents(), [/^GaAs, /])
  await page.getByLabel('Formula').fill('Xx')
  await search.click()
  await status.filter({ hasText: 'No materials' }).waitFor()
  await page.getByRole('button', { name: 'New project' }).click()
  await status.filter({ hasText: 'Created Semiconductors (' }).waitFor()
  t.same(errors, [])

  mock.faults.add({ path: '/api/*/materials', status: 503, message: 'the platform is busy' })
  await search.click()
  await status.filter({ hasText: 'the platform is busy' }).waitFor()
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
