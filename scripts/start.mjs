import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { isOutdated } from './is-outdated.mjs'

// `npm start`: bundles what the command needs, unless it is there and no source is newer, and then runs
// the command in this process.

const COMMAND = fileURLToPath(new URL('../dist/cli.cjs', import.meta.url))

/** The bundles by their names, with the file of each that is written last. */
const BUNDLES = {
  command: 'dist/cli.cjs',
  ui: 'dist/ui/index.html',
  ...(process.argv[2] === 'site' && { browser: 'dist/browser/worker.js' }),
}

const outdated = Object.entries(BUNDLES).flatMap(([name, built]) =>
  isOutdated(built) ? [name] : [],
)
if (outdated.length > 0) {
  const bundle = fileURLToPath(new URL('bundle.ts', import.meta.url))
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', bundle, ...outdated], {
    stdio: 'inherit',
    cwd: fileURLToPath(new URL('..', import.meta.url)), // where tsx is
  })
  if (status !== 0) process.exit(status ?? 1)
}
endWithParent()
process.argv[1] = COMMAND
createRequire(import.meta.url)(COMMAND)

/**
 * Ends the server in order when what started it ends. A signal to npm reaches the shell that npm runs a script in, and
 * most shells do not pass it on. The shell of Windows has no way to.
 */
function endWithParent() {
  if (process.env.npm_lifecycle_event !== 'start') return
  const parent = process.ppid
  const end = () => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }
  setInterval(end, 200).unref()
}
