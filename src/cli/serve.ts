import closeWithGrace from 'close-with-grace'

import { buildApp } from '../server/app.js'
import { listen } from '../server/listen.js'
import { readPackageVersion } from '../package.js'
import { openBrowser } from './open-browser.js'
import type { ServeOptions } from './serve-options.js'
import { startupBanner } from './startup-banner.js'

/**
 * The signals of a fault of the process itself. They end it at once: Node may never run a listener
 * for them, and the process would hang (https://nodejs.org/api/process.html#signal-events).
 */
const FAULT_SIGNALS = ['SIGILL', 'SIGBUS', 'SIGFPE', 'SIGSEGV'] as const

/**
 * Starts the server, prints the banner in the format of the log, opens the page if `open` is set, and
 * closes the server in order at SIGINT and SIGTERM.
 * @throws OptionsInvalid, FixturesInvalid
 */
export async function serve({ open, ...options }: Partial<ServeOptions>): Promise<void> {
  // The server goes on without its output on a full disk, or behind a pipe that nobody reads.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const logLevel = process.stdout.isTTY ? 'info' : 'warn'
  const app = await buildApp({ logLevel, ...options })
  const address = await listen(app)
  closeWithGrace({ delay: 5000, logger: false, skip: [...FAULT_SIGNALS] }, async ({ err }) => {
    if (err !== undefined) app.log.fatal(err)
    await app.close()
  })
  const banner = startupBanner(app, address, readPackageVersion())
  const line = JSON.stringify({ level: 30, time: Date.now(), address, msg: banner })
  console.log(app.settings.logFormat === 'json' ? line : banner)
  if (open === true) openBrowser(address, (message) => app.log.warn(message))
}
