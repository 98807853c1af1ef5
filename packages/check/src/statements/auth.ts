import type { Credentials } from '@materials-mock/client'
import { expectFailure, expectRefused, expectSuccess } from '../expect.js'
import { itemPath } from '../probe.js'
import type { Probe } from '../probe.js'
import { defineGroup } from '../statement.js'
import type { Statement } from '../statement.js'

const { documented, assumed, fails } = defineGroup('auth')

/** Wrong headers, by what makes them of the credentials. */
const WRONG = {
  accountIdAlone: ({ 'X-Account-Id': id }) => ({ 'X-Account-Id': id }),
  tokenAlone: ({ 'X-Auth-Token': token }) => ({ 'X-Auth-Token': token }),
  token: (both) => ({ ...both, 'X-Auth-Token': 'not-a-token' }),
  accountId: (both) => ({ ...both, 'X-Account-Id': 'not-an-account' }),
  emptyToken: (both) => ({ ...both, 'X-Auth-Token': '' }),
} satisfies Record<string, (credentials: Credentials) => Partial<Credentials>>

/** The statements on the two headers of every protected endpoint. */
export const AUTH: readonly Statement[] = [
  documented('list-both', 'A list with both headers is answered', async (probe) =>
    expectSuccess(await probe.requestList(probe.credentials)),
  ),
  documented('list-none', 'A list without the two headers is refused', async (probe) =>
    expectRefused(await probe.requestList({})),
  ),
  ...(
    [
      [
        'list-account-id-alone',
        'X-Account-Id alone is refused, for a list and an item',
        'accountIdAlone',
      ],
      ['list-token-alone', 'X-Auth-Token alone is refused, for a list and an item', 'tokenAlone'],
      ['wrong-token', 'A token that nobody was given is refused', 'token'],
      ['wrong-account-id', 'A token with the id of another account is refused', 'accountId'],
    ] as const
  ).map(([name, title, wrong]) =>
    documented(name, title, (probe) => expectAllRefused(probe, wrong)),
  ),
  documented('item-none', 'An item without the two headers is refused', async (probe) =>
    expectRefused(await probe.send({ path: itemPath(probe, 0) })),
  ),
  documented('logout-none', 'A logout without the two headers is refused', async (probe) =>
    expectRefused(await probe.send({ path: '/logout' })),
  ),
  assumed('empty-token', 'An empty token is refused', (probe) =>
    expectAllRefused(probe, 'emptyToken'),
  ),
  assumed('before-missing', 'An item that does not exist is 401 without headers', async (probe) =>
    expectFailure(await probe.send({ path: itemPath(probe, 'nothing') }), 401),
  ),
  fails('code', 'Missing headers are 401 CREDENTIALS_REJECTED', (probe) => probe.requestList({})),
  fails('wrong-token-code', 'A wrong token is 401 CREDENTIALS_REJECTED', (probe) =>
    probe.requestList(WRONG.token(probe.credentials)),
  ),
]

/** Expects that a list, and an item if there is one, are refused with wrong headers. */
async function expectAllRefused(probe: Probe, wrong: keyof typeof WRONG): Promise<void> {
  const headers = WRONG[wrong](probe.credentials)
  expectRefused(await probe.requestList(headers))
  if (probe.sample.length > 0)
    expectRefused(await probe.send({ path: itemPath(probe, 0), headers }))
}
