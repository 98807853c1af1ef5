import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { chmod, cp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import t from 'tap'

import { CHROMIUM } from '../../scripts/chromium.js'
import { FLAGS, skipReason } from '../../test/browser.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const EXAMPLES = `${ROOT}docs/examples`
/** The packages that a reader of the examples installs. */
const MODULES = `${ROOT}tools/package/node_modules`
const run = promisify(execFile)

t.test('the examples have no errors of types', async (t) => {
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
      include: ['vitest', 'playwright'],
    }),
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
