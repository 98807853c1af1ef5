import closeWithGrace from 'close-with-grace'

import { buildApp } from '../app.js'
import { listen } from '../listen.js'
import type { Options } from '../options.js'
import { readPackageVersion } from '../package-version.js'
import { startupBanner } from './startup-banner.js'

/**
 * Starts the server, prints the banner, and closes the server in order at SIGINT and SIGTERM.
 * @throws OptionsInvalid, FixturesInvalid
 */
export async function serve(options: Partial<Options>): Promise<void> {
  const app = await buildApp({ logLevel: process.stdout.isTTY ? 'info' : 'warn', ...options })
  const address = await listen(app)
  closeWithGrace({ delay: 5000, logger: false }, async ({ err }) => {
    if (err !== undefined) app.log.fatal(err)
    await app.close()
  })
  console.log(startupBanner(app, address, readPackageVersion()))
}
