import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

import { useAction } from '../widgets/action-button.js'
import { Notice } from '../widgets/toasts.js'
import { logIn } from './open-session.js'

/** Asks for a login if the controls do not answer. */
export function LoginForm(): VNode {
  const [error, setError] = useState<Error>()
  const { isBusy, run } = useAction((reason) => setError(reason as Error))
  const username = useRef<HTMLInputElement>(null)
  useEffect(() => username.current?.focus(), [])
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    void run(async () => {
      await logIn(String(form.get('username')), String(form.get('password')))
      document.querySelector('main')?.focus() // the form goes away
    })
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
      <button type="submit" class="primary" aria-disabled={isBusy}>
        Log in
      </button>
    </form>
  )
}
