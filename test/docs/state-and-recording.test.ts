import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import t from 'tap'

import { RecordOptions } from '../../src/cli/record/record-options.js'
import { REMOTE_OPTIONS } from '../../src/cli/remote/remote-options.js'
import { startMock } from '../../src/mock/start-mock.js'
import { COMMAND } from '../command.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGE = readFileSync(`${ROOT}docs/state-and-recording.md`, 'utf8')

t.test('the commands of the page print what the page shows', async (t) => {
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const steps = [...PAGE.matchAll(/^```sh\n([^`]*)^```\n\n```text\n([^`]*)^```/gm)]
  t.equal(steps.length, 2)
  const command = `${process.execPath} ${COMMAND}`
  const script = steps
    .map(([, text = '']) => `${text}printf '\\0'\n`)
    .join('')
    .replaceAll('npx materials-mock', command)
    .replaceAll('http://127.0.0.1:4000', mock.url)
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: t.testdir() })
  t.same(
    stdout.split('\0').slice(0, -1),
    steps.map(([, , shown]) => shown),
  )
})

t.test('the page lists the flags of record', async (t) => {
  for (const [name, { title, description }] of Object.entries(RecordOptions.properties)) {
    if (name in REMOTE_OPTIONS) continue
    const [text] = String(description).split(' (default')
    const row = PAGE.split('\n').find((line) => line.startsWith(`| \`--${name} ${title}\``))
    t.ok(row?.includes(String(text)), name)
  }
})
