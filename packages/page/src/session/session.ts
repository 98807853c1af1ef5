import { signal } from '@preact/signals'

import type { AnswerOf } from '@materials-mock/api'
import { ApiError } from '@materials-mock/client'
import { callControl } from '../http/call-control.js'
import { API, basePath, send } from '../http/send.js'
import type { SendOptions } from '../http/send.js'

/** The two credential headers of a session. */
export interface Credentials extends Readonly<Record<string, string>> {
  readonly 'X-Account-Id': string
  readonly 'X-Auth-Token': string
}

export interface Session {
  readonly username: string
  readonly headers: Credentials
}

/** The session of the page; undefined before one is open. */
export const session = signal<Session | undefined>(undefined)

/** Whether the server has ended the session, so that a login is needed. */
export const hasEnded = signal(false)

/** Whether the controls answer; undefined before it is known. */
export const hasControls = signal<boolean | undefined>(undefined)

/** Whether the lists of the server ignore `query` and `projection`, like the lists of a migrated platform. */
export const hasMigratedLists = signal(false)

/** Whether the API has no routes that write. */
export const isReadOnly = signal(false)

/** Whether the server accepts only what the platform documents. */
export const isStrict = signal(false)

/** Whether items of a resource can be created, changed and deleted. Those of a bank can only be copied. */
export const isWritable = (resource: string): boolean =>
  !isReadOnly.value && !resource.startsWith('bank-')

/** The accounts of the server; empty without controls. */
export const accounts = signal<AnswerOf<'GET /accounts'>>([])

/** Each sandbox has sessions of its own. */
const storageKey = (): string => `materials-mock.session${basePath()}`

/** Keeps a session over a reload. The explorer reads it under the same key. */
export function keepSession(next: Session | undefined): void {
  session.value = next
  hasEnded.value = false
  if (next === undefined) localStorage.removeItem(storageKey())
  else localStorage.setItem(storageKey(), JSON.stringify(next))
}

/** Returns the session of an earlier visit, or undefined. */
export function readKeptSession(): Session | undefined {
  try {
    const kept: Session | null = JSON.parse(localStorage.getItem(storageKey()) ?? 'null')
    return kept?.headers?.['X-Auth-Token'] === undefined ? undefined : kept
  } catch {
    return undefined
  }
}

/**
 * Of the named account, or the first. Without the controls, that of an earlier visit.
 * @returns whether the named account exists
 * @throws ApiError if the server does not answer
 */
export async function openFirstSession(username: string): Promise<boolean> {
  await findControls()
  const kept = readKeptSession()
  if (!hasControls.value) {
    if (kept !== undefined) session.value = kept
    return true
  }
  const isKnown = username === '' || accounts.value.some((each) => each.username === username)
  const wanted = username === '' || !isKnown ? accounts.value[0]?.username : username
  if (kept !== undefined && kept.username === wanted) session.value = kept
  else await openSession(wanted)
  return isKnown
}

/** @throws ApiError if the server does not answer */
export async function findControls(): Promise<void> {
  try {
    accounts.value = await callControl('GET /accounts', {})
    hasControls.value = true
  } catch (error) {
    const isMissing = error instanceof ApiError && [403, 404].includes(error.status)
    if (!isMissing || error.code === 'SANDBOX_NOT_FOUND') throw error
    hasControls.value = false
  }
}

let lastWish = 0

/**
 * Without a password. If another account was chosen meanwhile, the later choice counts.
 * @returns whether the page has this session now
 * @throws ApiError
 */
export async function openSession(username: string | undefined): Promise<boolean> {
  lastWish += 1
  const wish = lastWish
  const opened = await createSession(username)
  if (wish !== lastWish) return false
  keepSession(opened)
  return true
}

async function createSession(wanted: string | undefined): Promise<Session> {
  const body = wanted === undefined ? {} : { username: wanted }
  const { username, ...headers } = await callControl('POST /sessions', { body })
  return { username, headers }
}

/** Opens another session of an account, which the page does not keep; undefined for an unknown account. */
export async function openSessionOf(accountId: string): Promise<Credentials | undefined> {
  const username = accounts.value.find(({ _id }) => _id === accountId)?.username
  return username === undefined ? undefined : (await createSession(username)).headers
}

/** @throws ApiError if the password is wrong */
export async function logIn(values: FormData): Promise<void> {
  const username = String(values.get('username'))
  const body = new URLSearchParams({ username, password: String(values.get('password')) })
  const opened = await send<Credentials>(`${API}/login`, { method: 'POST', body })
  const { 'X-Account-Id': id, 'X-Auth-Token': token } = opened
  keepSession({ username, headers: { 'X-Account-Id': id, 'X-Auth-Token': token } })
}

/** Ends the session, at the server too. The login form appears. */
export async function logOut(): Promise<void> {
  const headers = session.value?.headers
  keepSession(undefined)
  await send(`${API}/logout`, { headers }).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 401)) throw error // it had ended before
  })
}

let renewal: Promise<boolean> | undefined

/** Replaces a session that has ended. Without the controls, the login form appears over the page. */
async function renewSession(): Promise<void> {
  if (!hasControls.value) {
    hasEnded.value = session.value !== undefined
    localStorage.removeItem(storageKey())
    return
  }
  renewal ??= openSession(session.value?.username).finally(() => {
    renewal = undefined
  })
  await renewal
}

/**
 * With the session's credentials. If it has ended, opens another, and sends again.
 * @throws ApiError
 */
export async function call<Data>(path: string, options: SendOptions = {}): Promise<Data> {
  const request = (): Promise<Data> =>
    send(API + path, {
      ...options,
      headers: { ...options.headers, ...session.value?.headers },
    })
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error
    await renewSession()
    if (session.value === undefined || hasEnded.value) throw error
    return request()
  }
}
