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
  readonly #initial: ReadonlyMap<string, string>
  readonly #lifetime: number
  #opened = new Map<string, Session>()
  #preferences: Map<string, string>

  /** @param ttl how long a session is good for, in seconds; undefined is for ever */
  constructor(accounts: readonly Account[], ttl: number | undefined) {
    this.#initial = new Map(
      accounts.flatMap(({ _id, tokens = [] }) => tokens.map((token) => [token, _id] as const)),
    )
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

  /** Goes back to what was saved. */
  restore(saved: SavedSessions): void {
    this.#opened = new Map(saved.opened)
    this.#preferences = new Map(saved.preferences)
  }

  /** As at the start: no session is open, every preferences token works. */
  reset(): void {
    this.restore({ opened: new Map(), preferences: this.#initial })
  }
}
