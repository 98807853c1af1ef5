import type { VNode } from 'preact'

import { switchAccount } from '../session/account-switch.js'
import { accounts, session } from '../session/session-state.js'

/** The accounts; the data are seen as one of them. */
export const Accounts = (): VNode => (
  <ul class="button-line">
    {accounts.value.map(({ username }) => (
      <li key={username}>
        <button
          type="button"
          aria-pressed={username === session.value?.username}
          onClick={() => void switchAccount(username)}
        >
          {username}
        </button>
      </li>
    ))}
  </ul>
)
