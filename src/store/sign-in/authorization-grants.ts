import { randomBytes } from 'node:crypto'

import { checkHeap } from '@materials-mock/work'
import type { Clock } from '../clock.js'

/** The largest number of grants. The oldest grant is dropped first. */
export const MAX_GRANTS = 10_000

/** The kinds of grants: the code of a device that signs in, and what a client renews its session with. */
export type GrantKind = 'device_code' | 'refresh_token'

interface Grant {
  readonly kind: GrantKind
  readonly accountId: string
  readonly clientId: string
  /** The time in ms since the epoch. */
  readonly expiresAt: number
}

export class AuthorizationGrants {
  readonly #grants = new Map<string, Grant>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Issues a grant to a client. Returns its code: 32 random bytes in base64url.
   * @param lifetime the time to live in ms
   * @throws BoundExceeded if the memory is full
   */
  issue(kind: GrantKind, accountId: string, clientId: string, lifetime = Infinity): string {
    checkHeap()
    const code = randomBytes(32).toString('base64url')
    this.#grants.set(code, { kind, accountId, clientId, expiresAt: this.#clock.now() + lifetime })
    if (this.#grants.size > MAX_GRANTS) {
      const [oldest] = this.#grants.keys()
      if (oldest !== undefined) this.#grants.delete(oldest)
    }
    return code
  }

  /**
   * The grant is invalid afterwards. Undefined for a code that is unknown, used, of another kind or
   * of another client.
   */
  redeem(
    kind: GrantKind,
    code: string,
    clientId: string,
  ): { readonly accountId: string; readonly isExpired: boolean } | undefined {
    const grant = this.#grants.get(code)
    if (grant === undefined || grant.kind !== kind || grant.clientId !== clientId) return undefined
    this.#grants.delete(code)
    return { accountId: grant.accountId, isExpired: this.#clock.now() >= grant.expiresAt }
  }

  /** Ends all grants that have expired, so that none is valid again when the clock is set back. */
  expire(): void {
    const now = this.#clock.now()
    for (const [code, grant] of this.#grants)
      if (now >= grant.expiresAt) this.#grants.set(code, { ...grant, expiresAt: 0 })
  }

  clear(): void {
    this.#grants.clear()
  }
}
