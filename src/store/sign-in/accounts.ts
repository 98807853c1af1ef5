import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { StringEnum } from '../../json/string-enum.js'
import { createVisibilityFilter } from '../entry.js'
import type { VisibilityFilter } from '../entry.js'

/**
 * The value of a header: characters up to U+00FF, no control characters except tabs, and no white space
 * at the ends (RFC 9110, section 5.5). A client can't send any other value. Most servers and proxies
 * limit the length.
 */
const HeaderValue = Type.String({
  maxLength: 4096,
  pattern: '^[\\x21-\\x7e\\x80-\\xff](?:[\\t\\x20-\\x7e\\x80-\\xff]*[\\x21-\\x7e\\x80-\\xff])?$',
  expected:
    'text that a header can have: at most 4096 characters of ASCII or Latin-1 without control characters, and without white space at the ends',
})

/** The kind of an account. */
export const AccountType = StringEnum(['personal', 'organization', 'enterprise'], {
  examples: ['personal'],
})

/** An account that can log in: one entry of `accounts.json`. No route sends it. */
export const Account = Type.Object(
  {
    _id: HeaderValue,
    username: Type.String({ minLength: 1 }),
    password: Type.String({ minLength: 1 }),
    slug: Type.Optional(Type.String()),
    name: Type.Optional(Type.String({ minLength: 1 })),
    type: Type.Optional(AccountType),
    tokens: Type.Optional(
      Type.Array(HeaderValue, {
        description: 'Tokens from the account preferences. They are valid without a login.',
      }),
    ),
  },
  { $id: 'Account' },
)
export type Account = Static<typeof Account>

/** The accounts of the fixtures, with their visibility filters. A reload replaces this object. */
export class Accounts {
  readonly list: readonly Account[]
  /** The `_id` of every account. */
  readonly ids: ReadonlySet<string>
  /** The preferences tokens of all accounts, each with the `_id` of its account. */
  readonly preferencesTokens: ReadonlyMap<string, string>
  /** The visibility filter of each account by its `_id`. */
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

  /** Returns the account with this `_id`. */
  find(id: string): Account | undefined {
    return this.list.find(({ _id }) => _id === id)
  }

  /** Returns the account with this username and password. */
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
