import { randomBytes } from 'node:crypto'

import type { Account } from '../schemas/account.js'

/** How many sessions are held at most; the oldest goes first. */
export const MAX_SESSIONS = 10_000

interface Session {
  readonly accountId: string
  /** When it was opened, in ms since the epoch. */
  readonly openedAt: number
}

/** What `Sessions.save` gives and `Sessions.restore` takes. */
export interface SavedSessions {
  readonly opened: ReadonlyMap<string, Session>
  readonly preferences: ReadonlyMap<string, string>
}

/** The open sessions of one server, and the preferences tokens of its accounts. */
export class Sessions {
  readonly #lifetime: number
  #accountIds: ReadonlySet<string>
  #initial: ReadonlyMap<string, string>
  #opened = new Map<string, Session>()
  #preferences: Map<string, string>

  /** @param ttl how long a session is good for, in seconds; undefined is for ever */
  constructor(accounts: readonly Account[], ttl: number | undefined) {
    this.#accountIds = idsOf(accounts)
    this.#initial = tokensOf(accounts)
    this.#preferences = new Map(this.#initial)
    this.#lifetime = ttl === undefined ? Infinity : ttl * 1000
  }

  /** Opens a session of its own for an account and gives its token: 32 random bytes, base64url. */
  open(accountId: string): string {
    const token = randomBytes(32).toString('base64url')
    this.#opened.set(token, { accountId, openedAt: Date.now() })
    if (this.#opened.size > MAX_SESSIONS) {
      const [oldest] = this.#opened.keys()
      if (oldest !== undefined) this.#opened.delete(oldest)
    }
    return token
  }

  /** Whether a token is one of an open session, or a preferences token, of this account. */
  isOpen(accountId: string, token: string): boolean {
    const session = this.#opened.get(token)
    if (session === undefined) return this.#preferences.get(token) === accountId
    if (Date.now() - session.openedAt < this.#lifetime) return session.accountId === accountId
    this.#opened.delete(token)
    return false
  }

  /** Ends one token, a preferences token too; others of the account stay. */
  close(token: string): void {
    this.#opened.delete(token)
    this.#preferences.delete(token)
  }

  /** All as it is now, to go back to. */
  save(): SavedSessions {
    return { opened: new Map(this.#opened), preferences: new Map(this.#preferences) }
  }

  /**
   * Goes back to what was saved, but for accounts that are gone since.
   * @param elapsed how long ago that was, in ms: a session is good for as long as it was then
   */
  restore({ opened, preferences }: SavedSessions, elapsed = 0): void {
    this.#opened = new Map(
      [...opened]
        .filter(([, { accountId }]) => this.#accountIds.has(accountId))
        .map(([token, { accountId, openedAt }]) => [
          token,
          { accountId, openedAt: openedAt + elapsed },
        ]),
    )
    this.#preferences = new Map(
      [...preferences].filter(([token, accountId]) => this.#initial.get(token) === accountId),
    )
  }

  /** As at the start: no session is open, every preferences token works. */
  reset(): void {
    this.restore({ opened: new Map(), preferences: this.#initial })
  }

  /**
   * Puts other accounts in the place of all. Sessions of those that are gone end; a preferences
   * token that is new works, and one that a logout ended stays ended.
   */
  reload(accounts: readonly Account[]): void {
    const ended = new Set(
      [...this.#initial.keys()].filter((token) => !this.#preferences.has(token)),
    )
    this.#accountIds = idsOf(accounts)
    this.#initial = tokensOf(accounts)
    const preferences = new Map([...this.#initial].filter(([token]) => !ended.has(token)))
    this.restore({ opened: this.#opened, preferences })
  }
}

const idsOf = (accounts: readonly Account[]): ReadonlySet<string> =>
  new Set(accounts.map(({ _id }) => _id))

const tokensOf = (accounts: readonly Account[]): ReadonlyMap<string, string> =>
  new Map(accounts.flatMap(({ _id, tokens = [] }) => tokens.map((token) => [token, _id] as const)))
