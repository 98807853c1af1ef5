import { readCredentials } from '../api-client.js'
import type { ApiResponse, CredentialHeaders } from '../api-client.js'
import { expectFailure, expectRefused, expectSame, expectSuccess } from '../expect.js'
import { Lack } from '../outcome.js'
import { itemPath } from '../probe.js'
import type { Probe } from '../probe.js'
import { assumed, documented } from '../statement.js'
import type { Statement } from '../statement.js'

/**
 * The statements on the logout. Each ends a session that it has opened. They come last, because a
 * server that ends other sessions too would end the session of the check.
 */
export const LOGOUT: readonly Statement[] = [
  documented('logout.success', 'A logout answers with the success envelope', async (probe) => {
    expectSuccess(await logOut(probe, await openSession(probe)))
  }),
  documented('logout.ends-credentials', 'A logout ends its credentials', async (probe) => {
    const session = await openSession(probe)
    await logOut(probe, session)
    expectRefused(await probe.requestList(session))
  }),
  documented(
    'logout.ends-items',
    'A logout ends its credentials for items by their _id too',
    async (probe) => {
      const session = await openSession(probe)
      const path = itemPath(probe, 0)
      await logOut(probe, session)
      expectRefused(await probe.send({ path, headers: { ...session } }))
    },
  ),
  documented('logout.ends-no-others', 'A logout ends no other session', async (probe) => {
    const [ended, other] = [await openSession(probe), await openSession(probe)]
    if (ended['X-Auth-Token'] === other['X-Auth-Token'])
      throw new Lack('two sessions', 'logins that give the same token')
    await logOut(probe, ended)
    expectSuccess(await probe.requestList(other))
  }),
  assumed('logout.message', 'A logout answers with a message in data', async (probe) => {
    const data = expectSuccess(await logOut(probe, await openSession(probe)))
    expectSame(data, { message: 'You are successfully logged out' })
  }),
  assumed('logout.twice', 'A second logout with the same credentials is 401', async (probe) => {
    const session = await openSession(probe)
    await logOut(probe, session)
    expectFailure(await logOut(probe, session), 401)
  }),
  assumed('logout.post', 'POST does the same as GET, with an empty JSON body', async (probe) => {
    const session = await openSession(probe)
    const headers = { ...session, 'content-type': 'application/json' }
    expectSuccess(await probe.send({ method: 'POST', path: '/logout', headers }))
    expectRefused(await probe.requestList(session))
  }),
]

async function openSession(probe: Probe): Promise<CredentialHeaders> {
  const credentials = readCredentials(await probe.logIn())
  if (credentials === undefined) throw new Lack('a session', 'a login that gave none')
  return credentials
}

const logOut = (probe: Probe, session: CredentialHeaders): Promise<ApiResponse> =>
  probe.send({ path: '/logout', headers: { ...session } })
