import { readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { DIST, SCHEMA_COMPILERS, bundleServer } from './bundle-server.js'
import { fewerBuiltins, lazyBuiltins } from './plugins/fewer-builtins.js'

/** Packages that a start does not need. */
const LAZY_PACKAGES = [...SCHEMA_COMPILERS, 'light-my-request']

/**
 * Bundles the command. `dist/command.cjs` is one file with all modules that a start needs, because
 * most of the time of a start went into finding and reading some 600 modules. `dist/cli.cjs`, the
 * bin, runs it. The code caches of a previous bundle are deleted. It needs no other build.
 */
export async function bundleCommand(): Promise<void> {
  const entryPoints = { command: 'cli/main.ts', cli: 'cli/bin.ts' }
  await bundleServer(entryPoints, LAZY_PACKAGES, {
    minifyWhitespace: true,
    plugins: [fewerBuiltins, lazyBuiltins],
  })
  const caches = readdirSync(DIST).filter((name) => name.endsWith('.cache'))
  for (const name of caches) rmSync(DIST + name, { force: true })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleCommand()
