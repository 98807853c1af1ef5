import { checkIsOptions } from '../options.js'
import { buildApp } from '../server/app.js'
import type { BuildOptions } from '../server/app.js'
import { listen } from '../server/listen.js'
import { createMock } from './create-mock.js'
import type { Mock } from './members.js'
import { respond } from './respond.js'

/**
 * Starts a mock on a free port of this machine, or on the `port` option.
 * @throws OptionsInvalid, FixturesInvalid
 */
export async function startMock(options: BuildOptions = {}): Promise<Mock> {
  checkIsOptions(options)
  const { port = 0 } = options
  const app = await buildApp({ ...options, port })
  return createMock(app, await listen(app), respond)
}
