import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import t from 'tap'

import { isOutdated } from '../../scripts/is-outdated.mjs'
import { waitFor } from '../helpers/build.js'
import { COMMAND } from '../helpers/command.js'

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

const skip = process.platform === 'win32' && 'no signals'

t.test('a signal to npm start ends the server', { skip }, async (t) => {
  const npm = spawn('npm', ['start', '--', '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  for await (const chunk of npm.stdout) {
    text += String(chunk)
    if (text.includes('Ctrl+C')) break
  }
  const [origin = ''] = /http:\/\/[\w.:]+/.exec(text) ?? []
  t.equal((await fetch(`${origin}/__admin/health`)).status, 200)
  npm.kill('SIGTERM')
  await once(npm, 'exit')
  // The shell that npm runs the script in ends with it; the server notices.
  await waitFor(() =>
    fetch(`${origin}/__admin/health`).then(
      () => false,
      () => true,
    ),
  )
})

t.test('what is not there, or older than a source, is outdated', (t) => {
  t.equal(isOutdated('dist/none'), true)
  t.equal(isOutdated('dist/cli.cjs'), false)
  t.end()
})
