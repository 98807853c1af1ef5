import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

import { Notice } from '../widgets/toasts.js'
import { logIn } from './open-session.js'

/** Asks for an account, where the controls do not answer. */
export function LoginForm(): VNode {
  const [error, setError] = useState<Error>()
  const username = useRef<HTMLInputElement>(null)
  useEffect(() => username.current?.focus(), [])
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    logIn(String(form.get('username')), String(form.get('password'))).catch(setError)
  }
  return (
    <form class="login card" onSubmit={submit}>
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
      <button type="submit" class="primary">
        Log in
      </button>
    </form>
  )
}
