import { randomBytes } from 'node:crypto'

import type { Account } from '../schemas/account.js'

/** The number of open sessions at most. The oldest one is ended first. */
export const MAX_SESSIONS = 10_000

interface Session {
  readonly accountId: string
  /** In ms since the epoch. */
  readonly openedAt: number
}

/** A saved state of the sessions, to be restored. */
export interface SavedSessions {
  /** The open sessions by their tokens. */
  readonly sessions: ReadonlyMap<string, Session>
  /** The valid preferences tokens, each with the `_id` of its account. */
  readonly preferencesTokens: ReadonlyMap<string, string>
}

/** The open sessions of one server, and the valid preferences tokens of its accounts. */
export class Sessions {
  /** The time to live of a session, in ms. */
  readonly #ttl: number
  #accountIds: ReadonlySet<string>
  /** The preferences tokens of all accounts, each with the `_id` of its account. */
  #allPreferencesTokens: ReadonlyMap<string, string>
  #sessions = new Map<string, Session>()
  /** The preferences tokens that no logout has ended. */
  #preferencesTokens: Map<string, string>

  /** @param ttl the time to live of a session, in seconds; undefined for sessions without end */
  constructor(accounts: readonly Account[], ttl: number | undefined) {
    this.#accountIds = collectIds(accounts)
    this.#allPreferencesTokens = collectTokens(accounts)
    this.#preferencesTokens = new Map(this.#allPreferencesTokens)
    this.#ttl = ttl === undefined ? Infinity : ttl * 1000
  }

  /** Opens a new session of an account. Returns its token: 32 random bytes in base64url. */
  open(accountId: string): string {
    const token = randomBytes(32).toString('base64url')
    this.#sessions.set(token, { accountId, openedAt: Date.now() })
    if (this.#sessions.size > MAX_SESSIONS) {
      const [oldest] = this.#sessions.keys()
      if (oldest !== undefined) this.#sessions.delete(oldest)
    }
    return token
  }

  /** Whether a token belongs to an open session of the account, or is a preferences token of it. */
  isValid(accountId: string, token: string): boolean {
    return this.findAccountId(token) === accountId
  }

  /** Returns the `_id` of the account of an open session, or of a preferences token. */
  findAccountId(token: string): string | undefined {
    const session = this.#sessions.get(token)
    if (session === undefined) return this.#preferencesTokens.get(token)
    if (Date.now() - session.openedAt < this.#ttl) return session.accountId
    this.#sessions.delete(token)
    return undefined
  }

  /** Ends the session of a token, or a preferences token. Other tokens of the account remain valid. */
  close(token: string): void {
    this.#sessions.delete(token)
    this.#preferencesTokens.delete(token)
  }

  /** Returns the current state, to be restored. */
  save(): SavedSessions {
    return {
      sessions: new Map(this.#sessions),
      preferencesTokens: new Map(this.#preferencesTokens),
    }
  }

  /**
   * Restores a saved state, except for accounts that have been removed since.
   * @param elapsed the time since it was saved, in ms; no session gets older by it
   */
  restore({ sessions, preferencesTokens }: SavedSessions, elapsed = 0): void {
    this.#sessions = new Map(
      [...sessions]
        .filter(([, { accountId }]) => this.#accountIds.has(accountId))
        .map(([token, { accountId, openedAt }]) => [
          token,
          { accountId, openedAt: openedAt + elapsed },
        ]),
    )
    this.#preferencesTokens = new Map(
      [...preferencesTokens].filter(
        ([token, accountId]) => this.#allPreferencesTokens.get(token) === accountId,
      ),
    )
  }

  /** Ends all sessions, and makes every preferences token valid again. */
  reset(): void {
    this.restore({ sessions: new Map(), preferencesTokens: this.#allPreferencesTokens })
  }

  /**
   * Replaces all accounts. The sessions of removed accounts end. A new preferences token is valid;
   * one that a logout has ended stays invalid.
   */
  reload(accounts: readonly Account[]): void {
    const ended = new Set(
      [...this.#allPreferencesTokens.keys()].filter((token) => !this.#preferencesTokens.has(token)),
    )
    this.#accountIds = collectIds(accounts)
    this.#allPreferencesTokens = collectTokens(accounts)
    const preferencesTokens = new Map(
      [...this.#allPreferencesTokens].filter(([token]) => !ended.has(token)),
    )
    this.restore({ sessions: this.#sessions, preferencesTokens })
  }
}

const collectIds = (accounts: readonly Account[]): ReadonlySet<string> =>
  new Set(accounts.map(({ _id }) => _id))

const collectTokens = (accounts: readonly Account[]): ReadonlyMap<string, string> =>
  new Map(accounts.flatMap(({ _id, tokens = [] }) => tokens.map((token) => [token, _id] as const)))
