import type { CredentialHeaders } from '../api-client.js'
import { expectFailure, expectRefused, expectSuccess } from '../expect.js'
import { itemPath } from '../probe.js'
import type { Probe } from '../probe.js'
import { assumed, documented } from '../statement.js'
import type { Statement } from '../statement.js'

/** The statements on the two headers of every protected endpoint. */
export const AUTH: readonly Statement[] = [
  documented('auth.list-both', 'A list with both headers is answered', async (probe) => {
    expectSuccess(await probe.requestList(probe.credentials))
  }),
  documented('auth.list-none', 'A list without the two headers is refused', async (probe) => {
    expectRefused(await probe.requestList({}))
  }),
  documented(
    'auth.list-account-id-alone',
    'X-Account-Id alone is refused, for a list and an item',
    (probe) => expectAllRefused(probe, ({ 'X-Account-Id': id }) => ({ 'X-Account-Id': id })),
  ),
  documented(
    'auth.list-token-alone',
    'X-Auth-Token alone is refused, for a list and an item',
    (probe) => expectAllRefused(probe, ({ 'X-Auth-Token': token }) => ({ 'X-Auth-Token': token })),
  ),
  documented('auth.wrong-token', 'A token that nobody was given is refused', (probe) =>
    expectAllRefused(probe, (both) => ({ ...both, 'X-Auth-Token': 'not-a-token' })),
  ),
  documented(
    'auth.wrong-account-id',
    'A token with the id of another account is refused',
    (probe) => expectAllRefused(probe, (both) => ({ ...both, 'X-Account-Id': 'not-an-account' })),
  ),
  documented('auth.item-none', 'An item without the two headers is refused', async (probe) => {
    expectRefused(await probe.send({ path: itemPath(probe, 0) }))
  }),
  documented('auth.logout-none', 'A logout without the two headers is refused', async (probe) => {
    expectRefused(await probe.send({ path: '/logout' }))
  }),
  assumed('auth.empty-token', 'An empty token is refused', (probe) =>
    expectAllRefused(probe, (both) => ({ ...both, 'X-Auth-Token': '' })),
  ),
  assumed(
    'auth.before-missing',
    'An item that does not exist is 401 without headers',
    async (probe) => {
      expectFailure(await probe.send({ path: `/${probe.resource}/nothing` }), 401)
    },
  ),
  assumed('auth.code', 'Missing headers are 401 CREDENTIALS_REJECTED', async (probe) => {
    expectFailure(await probe.requestList({}), 401, 'CREDENTIALS_REJECTED')
  }),
  assumed('auth.wrong-token-code', 'A wrong token is 401 CREDENTIALS_REJECTED', async (probe) => {
    const headers = { ...probe.credentials, 'X-Auth-Token': 'not-a-token' }
    expectFailure(await probe.requestList(headers), 401, 'CREDENTIALS_REJECTED')
  }),
]

/** Expects that a list, and an item if there is one, are refused with headers made from the credentials. */
async function expectAllRefused(
  probe: Probe,
  toHeaders: (credentials: CredentialHeaders) => Partial<CredentialHeaders>,
): Promise<void> {
  const headers = { ...toHeaders(probe.credentials) }
  expectRefused(await probe.requestList(headers))
  if (probe.sample.length > 0)
    expectRefused(await probe.send({ path: itemPath(probe, 0), headers }))
}
