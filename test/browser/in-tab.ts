import { ApiClient, checkDeployment, readLogin, toLoginRequest } from '@materials-mock/check'
import type { Report } from '@materials-mock/check'
import { startMock as start } from '../../src/browser/start-mock.js'
import type { BrowserMockOptions } from '../../src/browser/start-mock.js'
import type { Mock } from '../../src/mock/members.js'

declare const location: { readonly href: string }

// What the tests run in a tab: this module is bundled for a browser.

export * as timers from '../../packages/stand-ins/src/timers.js'

/** Starts a mock in this tab. The test answers for the file of spglib's library. */
export const startMock = (options: BrowserMockOptions): Promise<Mock> =>
  start(options, new URL('/moyo_wasm_bg.wasm', location.href))

/** Checks all statements of the contract, with writes, on a mock in this tab. */
export async function check(
  options: BrowserMockOptions,
  login: { readonly username: string; readonly password: string },
  resource: string,
): Promise<Report> {
  const mock = await startMock({ journal: 0, ...options })
  const { fetch } = mock
  const client = new ApiClient(`${mock.url}/api/2018-10-01`, { fetch })
  const credentials = readLogin(await client.send(toLoginRequest(login)))
  const report = await checkDeployment({ client, credentials, login, resource, write: true })
  await mock.close()
  return report
}
