import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

import { asError } from '@materials-mock/json'
import { navigate } from '../state/navigation.js'
import { reloadAll } from '../state/versions.js'
import { ActionForm } from '../widgets/action-button.js'
import { showError, Notice } from '../widgets/toasts.js'
import { openSession, accounts, hasControls, hasEnded, session, logIn, logOut } from './session.js'

/** Chooses the account whose view of the data is shown. Without the controls, it logs out. */
export function AccountSwitch(): VNode | null {
  const current = session.value
  if (current === undefined) return null
  if (!hasControls.value) {
    return (
      <button type="button" class="quiet" onClick={() => void logOut().catch(showError)}>
        Log out {current.username}
      </button>
    )
  }
  return (
    <label class="account button-line muted">
      <span class="wide-only">Seen as</span>
      <select
        value={current.username}
        aria-label="Seen as account"
        onChange={(event) => void switchAccount(event.currentTarget.value)}
      >
        {accounts.value.map(({ username }) => (
          <option key={username} value={username}>
            {username}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Shows the data as the account that the address names, after the browser has gone back or forth. */
export async function followAccount(username: string): Promise<void> {
  const wanted = username === '' ? accounts.value[0]?.username : username
  const current = session.value?.username
  if (!hasControls.value || current === undefined || current === wanted) return
  await openSession(wanted).catch(showError)
}

export async function switchAccount(username: string): Promise<void> {
  try {
    const isOpen = await openSession(username)
    if (!isOpen) return
    navigate({ as: username === accounts.value[0]?.username ? '' : username, item: '', page: '' })
  } catch (error) {
    showError(error)
    if (session.value !== undefined) session.value = { ...session.value } // the choice shows it again
  }
}

/** Asks for a login if the controls do not answer. */
export function LoginForm(): VNode {
  const [error, setError] = useState<Error>()
  const username = useRef<HTMLInputElement>(null)
  useEffect(() => username.current?.focus(), [])
  return (
    <ActionForm
      class="login card stack"
      action="Log in"
      onAct={async (values) => {
        const isAgain = hasEnded.value
        await logIn(values)
        if (isAgain) reloadAll() // what has failed meanwhile
        document.querySelector('main')?.focus() // the form goes away
      }}
      onError={(reason) => setError(asError(reason))}
    >
      <h1>Log in</h1>
      <label>
        Username
        <input name="username" autocomplete="username" required ref={username} />
      </label>
      <label>
        Password
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      {error !== undefined && <Notice kind="error">{error.message}</Notice>}
    </ActionForm>
  )
}
