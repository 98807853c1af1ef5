import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import t from 'tap'

import { isOutdated } from '../../scripts/is-outdated.mjs'
import { COMMAND } from '../command.js'

const START = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))

const start = async (): Promise<string> =>
  (await promisify(execFile)(process.execPath, [START, '--version'])).stdout

t.test('npm start bundles what there is not, and nothing when nothing has changed', async (t) => {
  t.match(await start(), /^\d+\.\d+\.\d+\n$/, 'a first one also bundles the page')
  const files = [COMMAND, COMMAND.replace('cli.cjs', 'ui/index.html')]
  const before = files.map((file) => statSync(file).mtimeMs)
  await start()
  t.same(
    files.map((file) => statSync(file).mtimeMs),
    before,
  )
})

t.test('what is not there, or older than a source, is outdated', (t) => {
  t.equal(isOutdated('dist/none'), true)
  t.equal(isOutdated('dist/cli.cjs'), false)
  t.end()
})
