import type { VNode } from 'preact'

import { navigate } from '../state/navigation.js'
import { showError } from '../widgets/toasts.js'
import { openSession } from './open-session.js'
import { accounts, hasControls, keepSession, session } from './session-state.js'

/** Chooses the account whose view of the data is shown. Without the controls, it logs out. */
export function AccountSwitch(): VNode | null {
  const current = session.value
  if (current === undefined) return null
  if (!hasControls.value) {
    return (
      <button type="button" class="quiet" onClick={() => keepSession(undefined)}>
        Log out {current.username}
      </button>
    )
  }
  return (
    <label class="account">
      <span class="wide-only">Seen as</span>
      <select
        value={current.username}
        aria-label="Account"
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

/** Opens a session of another account, and shows its data. */
export async function switchAccount(username: string): Promise<void> {
  try {
    const isOpen = await openSession(username)
    if (!isOpen) return
    navigate({ as: username === accounts.value[0]?.username ? '' : username, item: '', page: '' })
  } catch (error) {
    showError(error)
  }
}
