import { randomBytes } from 'node:crypto'

import { checkHeap } from '@materials-mock/work'
import { Clock } from '../clock.js'
import type { Accounts } from './accounts.js'

/** The largest number of open sessions. The oldest session is ended first. */
export const MAX_SESSIONS = 10_000

interface Session {
  readonly accountId: string
  /** The time in ms since the epoch. */
  readonly openedAt: number
}

export interface SavedSessions {
  readonly sessions: ReadonlyMap<string, Session>
  /** The preferences tokens that a logout has ended. */
  readonly endedTokens: ReadonlySet<string>
}

export class Sessions {
  /** The time to live of a session, in ms. */
  readonly #ttl: number
  readonly #clock: Clock
  #accounts: Accounts
  #sessions = new Map<string, Session>()
  #endedTokens: ReadonlySet<string> = new Set()

  /** @param ttl the time to live of a session, in seconds; undefined for sessions without end */
  constructor(accounts: Accounts, ttl: number | undefined, clock = new Clock()) {
    this.#accounts = accounts
    this.#clock = clock
    this.#ttl = ttl === undefined ? Infinity : ttl * 1000
  }

  /**
   * Returns a token: 32 random bytes in base64url.
   * @throws BoundExceeded if the memory is full
   */
  open(accountId: string): string {
    checkHeap()
    const token = randomBytes(32).toString('base64url')
    this.#sessions.set(token, { accountId, openedAt: this.#clock.now() })
    if (this.#sessions.size > MAX_SESSIONS) {
      const [oldest] = this.#sessions.keys()
      if (oldest !== undefined) this.#sessions.delete(oldest)
    }
    return token
  }

  isValid(accountId: string, token: string): boolean {
    return this.findAccountId(token) === accountId
  }

  findAccountId(token: string): string | undefined {
    const session = this.#sessions.get(token)
    if (session === undefined)
      return this.#endedTokens.has(token) ? undefined : this.#accounts.preferencesTokens.get(token)
    if (!this.#isExpired(session)) return session.accountId
    this.#sessions.delete(token)
    return undefined
  }

  /** Ends all sessions that have expired, so that none is open again when the clock is set back. */
  expire(): void {
    if (this.#ttl === Infinity) return
    for (const [token, session] of this.#sessions)
      if (this.#isExpired(session)) this.#sessions.delete(token)
  }

  #isExpired({ openedAt }: Session): boolean {
    return this.#clock.now() - openedAt >= this.#ttl
  }

  /** Ends the session of a token, or a preferences token. Other tokens of the account remain valid. */
  close(token: string): void {
    this.#sessions.delete(token)
    if (this.#accounts.preferencesTokens.has(token))
      this.#endedTokens = new Set([...this.#endedTokens, token])
  }

  /** Returns the current state, for `restore`. */
  save(): SavedSessions {
    return {
      sessions: new Map(this.#sessions),
      endedTokens: this.#endedTokens,
    }
  }

  /**
   * Except for removed accounts.
   * @param elapsed ms since it was saved, which do not age a session
   */
  restore({ sessions, endedTokens }: SavedSessions, elapsed = 0): void {
    this.#sessions = new Map(
      [...sessions]
        .filter(([, { accountId }]) => this.#accounts.ids.has(accountId))
        .map(([token, { accountId, openedAt }]) => [
          token,
          { accountId, openedAt: openedAt + elapsed },
        ]),
    )
    this.#endedTokens = endedTokens
  }

  /** Ends all sessions, replaces all accounts, and makes all their preferences tokens valid. */
  reset(accounts: Accounts): void {
    this.#accounts = accounts
    this.restore({ sessions: new Map(), endedTokens: new Set() })
  }

  /**
   * Sessions of removed accounts end. A preferences token that a logout has ended stays invalid.
   */
  reload(accounts: Accounts): void {
    const isToken = (token: string): boolean => accounts.preferencesTokens.has(token)
    const endedTokens = new Set([...this.#endedTokens].filter(isToken))
    this.#accounts = accounts
    this.restore({ sessions: this.#sessions, endedTokens })
  }
}
