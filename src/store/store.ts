import type { Account } from '../schemas/account.js'
import type { JsonObject } from '../schemas/json.js'
import { Answers } from './answers.js'
import { accessibleTo } from './access.js'
import type { Accepts } from './access.js'
import { Collection } from './collection.js'
import type { Fixtures } from './fixtures.js'
import { Sessions } from './sessions.js'

/** How many bytes the answers that are kept may have together. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** All that one server holds: its accounts, their sessions and the collections. */
export class Store {
  readonly accounts: readonly Account[]
  readonly sessions: Sessions
  readonly collections: ReadonlyMap<string, Collection>
  /** What was answered to reads, for when the same is asked again. */
  readonly answers = new Answers(MAX_ANSWER_BYTES)
  readonly #accepts: ReadonlyMap<string, Accepts>

  /** @param ttl how long a session is good for, in seconds; undefined is for ever */
  constructor({ accounts, resources }: Fixtures, ttl?: number) {
    this.accounts = accounts
    this.sessions = new Sessions(accounts, ttl)
    this.collections = new Map(
      [...resources].map(([name, items]: [string, readonly JsonObject[]]) => [
        name,
        new Collection(name, items),
      ]),
    )
    const ids = new Set(accounts.map(({ _id }) => _id))
    this.#accepts = new Map(accounts.map(({ _id }) => [_id, accessibleTo(_id, ids)]))
  }

  /** The account with this name and password. */
  findAccount(username: string, password: string): Account | undefined {
    return this.accounts.find(
      (account) => account.username === username && account.password === password,
    )
  }

  /** Which items an account of the fixtures sees. */
  accepts(accountId: string): Accepts {
    return this.#accepts.get(accountId) ?? (() => false)
  }
}
