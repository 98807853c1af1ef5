import { OptionsInvalid } from '../../errors.js'
import { quote } from '../../json/quote.js'
import type { Account } from '../../store/sign-in/account.js'

/**
 * Checks the option `oidcAccount`.
 * @throws OptionsInvalid for a username that no account has
 */
export function checkOidcAccount(
  oidcAccount: string | undefined,
  accounts: readonly Account[],
): void {
  if (oidcAccount === undefined || accounts.some(({ username }) => username === oidcAccount)) return
  const usernames = accounts.map(({ username }) => quote(username)).join(', ')
  throw new OptionsInvalid(
    `oidcAccount must be the username of an account (${usernames}), not ${quote(oidcAccount)}`,
  )
}
