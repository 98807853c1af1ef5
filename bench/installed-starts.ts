import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { OURS_SHIPPED } from './servers/servers.js'
import { MAX_START } from './throughput/report.js'
import { measureColdStarts } from './throughput/starts.js'

/**
 * Measures the start of the packed and installed command beside json-server's: the median times to the
 * first list. Needs a build (`npm run build`).
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const STARTS = 11

const folder = await mkdtemp(join(tmpdir(), 'materials-mock-installed-'))
const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
try {
  const tarball = run('npm', 'pack', '--silent', '--ignore-scripts', ROOT).trim()
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  run('npm', 'install', '--no-audit', '--no-fund', `./${tarball}`)
  const command = join(folder, 'node_modules/.bin/materials-mock')
  const { ours, other } = await measureColdStarts(folder, STARTS, {
    ...OURS_SHIPPED,
    createArguments: (port) => [command, ...OURS_SHIPPED.createArguments(port).slice(1)],
  })
  const ratio = ours / other
  console.log(
    `installed ${ours.toFixed(0)} ms, json-server ${other.toFixed(0)} ms: ${ratio.toFixed(2)} of it, ${ratio <= MAX_START ? 'ok' : `more than ${MAX_START}`}`,
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}
