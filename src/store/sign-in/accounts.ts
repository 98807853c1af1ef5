import type { ACCOUNT_TYPES } from '@materials-mock/api'
import { createVisibilityFilter } from '../entry.js'
import type { VisibilityFilter } from '../entry.js'

export interface Account {
  readonly _id: string
  readonly username: string
  readonly password: string
  readonly slug?: string
  readonly name?: string
  readonly type?: (typeof ACCOUNT_TYPES)[number]
  /** Tokens from the account preferences. They are valid without a login. */
  readonly tokens?: readonly string[]
}

/** The accounts of the fixtures, with their visibility filters. A reload replaces this object. */
export class Accounts {
  readonly list: readonly Account[]
  readonly ids: ReadonlySet<string>
  readonly preferencesTokens: ReadonlyMap<string, string>
  readonly #filters: ReadonlyMap<string, VisibilityFilter>
  /** The filter for an owner that is not an account, who sees the items that no account owns. */
  readonly #visibleToOthers: VisibilityFilter

  constructor(list: readonly Account[]) {
    const ids = new Set(list.map(({ _id }) => _id))
    this.list = list
    this.ids = ids
    this.preferencesTokens = new Map(
      list.flatMap(({ _id, tokens = [] }) => tokens.map((token) => [token, _id] as const)),
    )
    this.#filters = new Map(list.map(({ _id }) => [_id, createVisibilityFilter(_id, ids)]))
    this.#visibleToOthers = createVisibilityFilter('', ids)
  }

  find(id: string): Account | undefined {
    return this.list.find(({ _id }) => _id === id)
  }

  findByPassword(username: string, password: string): Account | undefined {
    return this.list.find(
      (account) => account.username === username && account.password === password,
    )
  }

  /** Returns the filter for the items that an account sees. An unknown account sees no items. */
  visibleTo(accountId: string): VisibilityFilter {
    return this.#filters.get(accountId) ?? SEES_NOTHING
  }

  /** Returns the filter for the items that the owner of an item sees. The owner may not be an account. */
  visibleToOwner(ownerId: string | undefined): VisibilityFilter {
    return this.#filters.get(ownerId ?? '') ?? this.#visibleToOthers
  }
}

const SEES_NOTHING: VisibilityFilter = () => false
