import { signal } from '@preact/signals'

import { basePath } from '../http/send.js'

/** The two credential headers of a session. */
export interface Credentials extends Readonly<Record<string, string>> {
  readonly 'X-Account-Id': string
  readonly 'X-Auth-Token': string
}

/** A session of an account. */
export interface Session {
  readonly username: string
  readonly headers: Credentials
}

/** An account that can be chosen. */
export interface AccountSummary {
  readonly _id: string
  readonly username: string
  readonly name: string
}

/** The session of the page; undefined before one is open. */
export const session = signal<Session | undefined>(undefined)

/** Whether the controls answer; undefined before it is known. */
export const hasControls = signal<boolean | undefined>(undefined)

/** Whether the lists of the server ignore `query` and `projection`, like the lists of a migrated platform. */
export const hasMigratedLists = signal(false)

/** The accounts of the server; empty without controls. */
export const accounts = signal<readonly AccountSummary[]>([])

/** Each sandbox has sessions of its own. */
const storageKey = (): string => `materials-mock.session${basePath()}`

/** Keeps a session over a reload. The explorer reads it under the same key. */
export function keepSession(next: Session | undefined): void {
  session.value = next
  if (next === undefined) localStorage.removeItem(storageKey())
  else localStorage.setItem(storageKey(), JSON.stringify(next))
}

/** Returns the session of an earlier visit, or undefined. */
export function readKeptSession(): Session | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey()) ?? 'null') as Session | null
    return kept?.headers?.['X-Auth-Token'] === undefined ? undefined : kept
  } catch {
    return undefined
  }
}
