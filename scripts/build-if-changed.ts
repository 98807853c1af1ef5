import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { isOutdated } from './is-outdated.mjs'

// Runs `npm run build`, unless it ran after the last change of what it reads.

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What a build writes last. */
const BUILT = 'dist/licenses.txt'

if (isOutdated(BUILT, ['fixtures', 'docs/client.md', 'LICENSE'])) {
  const { status } = spawnSync('npm run build', { shell: true, cwd: ROOT, stdio: 'inherit' })
  process.exitCode = status ?? 1
}
