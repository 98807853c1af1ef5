import type { VNode } from 'preact'

import { API, basePath } from '../http/send.js'
import { accounts } from '../session/session.js'
import { createClosable } from '../state/preferences.js'
import { CopyButton } from '../widgets/code-block.js'

const { isClosed, close } = createClosable('welcome')

/** What the server is, its base URL and a login, each with a button that copies it. */
export function About(): VNode {
  const url = `${location.origin}${basePath()}${API}`
  const [account] = accounts.value
  const { username = 'demo', password = '' } = account ?? {}
  return (
    <>
      <strong>A mock of the materials platform’s REST API</strong>
      <span class="copied-fact">
        Base URL <code>{url}</code>
        <CopyButton text={url} label="Copy the base URL" />
      </span>
      <span
        class="copied-fact"
        style={{ visibility: account === undefined ? 'hidden' : undefined }}
      >
        Login <code>{password === '' ? username : `${username} / ${password}`}</code>
        <CopyButton
          text={`username=${encodeURIComponent(username)}&password=${encodeURIComponent(password)}`}
          label="Copy the login"
        />
        <small>
          for POST /login <span class="wide-only">or your front end</span>
        </small>
      </span>
    </>
  )
}

function closeAndGoOn(): void {
  close()
  document.querySelector('main')?.focus()
}

/** A line above the data for who opens the page for the first time. */
export const Welcome = (): VNode | null =>
  isClosed.value ? null : (
    <aside class="welcome" aria-label="About this page">
      <About />
      <button type="button" class="quiet close" aria-label="Close for good" onClick={closeAndGoOn}>
        ×
      </button>
    </aside>
  )
