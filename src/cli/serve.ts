import closeWithGrace from 'close-with-grace'

import { buildApp } from '../app.js'
import { listen } from '../listen.js'
import type { Options } from '../options.js'
import { readPackageVersion } from '../package-version.js'
import { startupBanner } from './startup-banner.js'

/**
 * The signals of a fault of the process itself. They end it at once: Node may never run a listener
 * for them, and the process would hang (https://nodejs.org/api/process.html#signal-events).
 */
const FAULT_SIGNALS = ['SIGILL', 'SIGBUS', 'SIGFPE', 'SIGSEGV'] as const

/**
 * Starts the server, prints the banner, and closes the server in order at SIGINT and SIGTERM.
 * @throws OptionsInvalid, FixturesInvalid
 */
export async function serve(options: Partial<Options>): Promise<void> {
  // The server goes on without its output on a full disk, or behind a pipe that nobody reads.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const app = await buildApp({ logLevel: process.stdout.isTTY ? 'info' : 'warn', ...options })
  const address = await listen(app)
  closeWithGrace({ delay: 5000, logger: false, skip: [...FAULT_SIGNALS] }, async ({ err }) => {
    if (err !== undefined) app.log.fatal(err)
    await app.close()
  })
  console.log(startupBanner(app, address, readPackageVersion()))
}
