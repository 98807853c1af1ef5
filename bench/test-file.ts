import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import type { startMock as StartMock } from '../src/mock/start-mock.js'
import { median } from './figures/median.js'
import { formatNumber, formatTable } from './figures/table.js'

/**
 * Measures what a test file pays for a mock: `npx tsx bench/test-file.ts [rounds]`, after a build and
 * `npm ci --prefix bench`. Each figure is the median of fresh processes, which take turns. Node's own
 * start is not counted.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ROUNDS = Number(process.argv[2] ?? 15)

/** What each kind of test file imports, and what it does until its first answer. */
const KINDS: Readonly<Record<string, readonly [specifiers: readonly string[], code: string]>> = {
  'ours, `startMock`': [
    [`${ROOT}dist/index.js`],
    `const mock = await ours.startMock({ fixtures: { materials: [{ _id: 'm1' }] }, logLevel: 'silent' })
     await ask(mock.url + '/api/2018-10-01/materials', 401)
     await mock.close()`,
  ],
  'ours, shipped fixtures': [
    [`${ROOT}dist/index.js`],
    `const mock = await ours.startMock({ logLevel: 'silent' })
     await ask(mock.url + '/api/2018-10-01/materials', 401)
     await mock.close()`,
  ],
  'ours, `connectMock`': [
    [`${ROOT}dist/connect.js`],
    `const mock = await ours.connectMock(process.env.MOCK_URL)
     await ask(mock.url + '/api/2018-10-01/materials', 401)`,
  ],
  MSW: [
    ['msw/node', 'msw'],
    `const { http, HttpResponse } = msw
     const server = ours.setupServer(http.get('http://mock.test/materials', () => HttpResponse.json([])))
     server.listen()
     await ask('http://mock.test/materials', 200)
     server.close()`,
  ],
  'bare Fastify': [
    ['fastify'],
    `const app = ours.default()
     app.get('/materials', async () => [])
     await ask((await app.listen({ port: 0 })) + '/materials', 200)
     await app.close()`,
  ],
}

interface Figures {
  readonly imported: number
  readonly answered: number
}

/** The median times of a kind of test file, in ms from its first line. */
interface Figures {
  readonly imported: number
  readonly answered: number
}

/** Runs a test file in a process of its own. */
async function run(
  [[main = '', other = main], code]: readonly [specifiers: readonly string[], code: string],
  url: string,
): Promise<Figures> {
  const source = `
    const start = performance.now()
    const ours = await import(${JSON.stringify(main)})
    const msw = await import(${JSON.stringify(other)})
    const imported = performance.now() - start
    async function ask(url, status) {
      const response = await fetch(url)
      await response.text()
      if (response.status !== status) throw new Error(url + ' is a ' + response.status)
      console.log(JSON.stringify({ imported, answered: performance.now() - start }))
    }
    ${code}
    process.exit()`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', source],
    { cwd: `${ROOT}bench`, env: { ...process.env, MOCK_URL: url } },
  )
  return JSON.parse(stdout) as Figures
}

const { startMock } = (await import(`${ROOT}dist/index.js`)) as {
  startMock: typeof StartMock
}
const mock = await startMock({ logLevel: 'silent' })
const figures = new Map(Object.keys(KINDS).map((kind) => [kind, [] as Figures[]]))
for (let round = -1; round < ROUNDS; round += 1) {
  for (const [kind, file] of Object.entries(KINDS)) {
    const each = await run(file, mock.url)
    if (round >= 0) figures.get(kind)?.push(each) // the first round reads the files from the disk
  }
}
await mock.close()

const medians = new Map(
  Array.from(figures, ([kind, all]) => [
    kind,
    {
      imported: median(all.map(({ imported }) => imported)),
      answered: median(all.map(({ answered }) => answered)),
    },
  ]),
)
const msw = medians.get('MSW') as Figures
console.log(
  formatTable(
    ['', 'import, ms', 'of MSW', 'first answer, ms', 'of MSW'],
    Array.from(medians, ([kind, { imported, answered }]) => [
      kind,
      ...[imported, imported / msw.imported, answered, answered / msw.answered].map(formatNumber),
    ]),
  ),
)
