import { ParameterInvalid } from '../../errors.js'
import { quote } from '../../json/quote.js'
import type { Store } from '../../store/store.js'
import type { VisibilityFilter } from '../../store/visibility.js'

/**
 * Returns the visibility filter of an account. Without an `accountId`, every item is visible.
 * @throws ParameterInvalid for an unknown account
 */
export function findVisibility(store: Store, accountId: string | undefined): VisibilityFilter {
  if (accountId === undefined) return () => true
  if (store.accounts.some(({ _id }) => _id === accountId)) return store.visibleTo(accountId)
  throw new ParameterInvalid(
    `accountId must be the _id of an account, as GET /__admin/accounts lists them, not ${quote(accountId)}`,
  )
}
