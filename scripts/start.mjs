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
process.argv[1] = COMMAND
createRequire(import.meta.url)(COMMAND)
