import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

import { ApiError } from '@materials-mock/client'
import { asError } from '@materials-mock/json'
import { Mark } from '../frame/header.js'
import { API, ROOT, send } from '../http/send.js'
import {
  logIn,
  openSession,
  accounts,
  hasControls,
  keepSession,
  session,
  logOut,
} from '../session/session.js'
import { ActionButton, ActionForm } from '../widgets/action-button.js'

/** The documents to show, by the value of the parameter `document` in the address. */
export const DOCUMENTS = {
  api: { title: 'API', url: `${ROOT}${API}/swagger.json` },
  controls: { title: 'Controls API', url: `${ROOT}/__admin/openapi.json` },
} as const

export const ExplorerHeader = ({
  current,
}: {
  readonly current: keyof typeof DOCUMENTS
}): VNode => (
  <header class="header">
    <a class="brand" href="./" aria-label="materials-mock">
      <Mark />
      <span>materials-mock</span>
    </a>
    <nav class="views" aria-label="Views">
      <a href="./">Data</a>
      {hasControls.value && (
        <>
          <a href="./?view=requests">Requests</a>
          <a href="./?view=controls">Controls</a>
        </>
      )}
      {Object.entries(DOCUMENTS).map(([name, { title }]) =>
        hasControls.value || name === current ? (
          <a
            key={name}
            href={`explorer?document=${name}`}
            aria-current={name === current ? 'page' : undefined}
          >
            {title}
          </a>
        ) : null,
      )}
    </nav>
    <div class="header-end" id="session">
      <Session />
    </div>
  </header>
)

/** Logs in with one click if the controls may be used, or else with a password. */
function Session(): VNode {
  const [message, setMessage] = useState('')
  if (session.value !== undefined) {
    return (
      <>
        <span>Logged in as {session.value.username}</span>
        <ActionButton onAct={() => logOut().catch((error: Error) => setMessage(error.message))}>
          Log out
        </ActionButton>
      </>
    )
  }
  const username = accounts.value[0]?.username
  const enter = async (values: FormData): Promise<void> => {
    setMessage('')
    if (hasControls.value === true) await openSession(username)
    else await logIn(values)
  }
  return (
    <>
      <ActionForm
        action={hasControls.value === true ? `Log in as ${username}` : 'Log in'}
        onAct={enter}
        onError={(error) => setMessage(asError(error).message)}
      >
        {hasControls.value !== true && (
          <>
            <input
              name="username"
              placeholder="e.g. demo"
              aria-label="username"
              autocomplete="username"
              required
            />
            <input
              name="password"
              type="password"
              placeholder="Password"
              aria-label="password"
              autocomplete="current-password"
              required
            />
          </>
        )}
      </ActionForm>
      {message !== '' && <span role="alert">{message}</span>}
    </>
  )
}

/** Drops the stored session if the server does not know it, for example after a restart. */
export async function checkSession(): Promise<void> {
  if (session.value === undefined) return
  try {
    await send('/api/v1/users/me', { headers: session.value.headers })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) keepSession(undefined)
  }
}
