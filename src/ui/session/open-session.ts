import { ApiError, send } from '../http/send.js'
import { accounts, hasControls, keepSession, readKeptSession, session } from './session-state.js'
import type { AccountSummary, Credentials } from './session-state.js'

/**
 * Opens the first session of a visit: as the named account, or else as the first one. Without the
 * controls, the session of an earlier visit is taken up, if there is one.
 * @throws ApiError if the server does not answer
 */
export async function openFirstSession(username: string): Promise<void> {
  try {
    accounts.value = await send<AccountSummary[]>('/__admin/accounts')
    hasControls.value = true
  } catch (error) {
    if (!isRefusal(error)) throw error
    hasControls.value = false
  }
  const kept = readKeptSession()
  if (hasControls.value) {
    const wanted = username === '' ? accounts.value[0]?.username : username
    if (kept !== undefined && kept.username === wanted) session.value = kept
    else await openSession(wanted)
  } else if (kept !== undefined) {
    session.value = kept
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 403)

/**
 * Opens a session of an account through the controls, without its password.
 * @throws ApiError if there is no such account
 */
export async function openSession(username: string | undefined): Promise<void> {
  const opened = await send<Credentials & { readonly username: string }>('/__admin/sessions', {
    method: 'POST',
    body: username === undefined ? {} : { username },
  })
  keepOpened(opened.username, opened)
}

/** Opens another session of an account, which the page does not keep; undefined if it is unknown. */
export async function openSessionOf(accountId: string): Promise<Credentials | undefined> {
  const username = accounts.value.find(({ _id }) => _id === accountId)?.username
  if (username === undefined) return undefined
  return toCredentials(
    await send<Credentials>('/__admin/sessions', { method: 'POST', body: { username } }),
  )
}

/**
 * Logs in with a password.
 * @throws ApiError if it is wrong
 */
export async function logIn(username: string, password: string): Promise<void> {
  const body = new URLSearchParams({ username, password })
  keepOpened(username, await send<Credentials>('/api/2018-10-01/login', { method: 'POST', body }))
}

const keepOpened = (username: string, opened: Credentials): void =>
  keepSession({ username, headers: toCredentials(opened) })

const toCredentials = (opened: Credentials): Credentials => ({
  'X-Account-Id': opened['X-Account-Id'],
  'X-Auth-Token': opened['X-Auth-Token'],
})

let renewal: Promise<void> | undefined

/** Replaces a session that has ended. Without the controls, the login form appears. */
export function renewSession(): Promise<void> {
  if (!hasControls.value) {
    keepSession(undefined)
    return Promise.resolve()
  }
  renewal ??= openSession(session.value?.username).finally(() => {
    renewal = undefined
  })
  return renewal
}
