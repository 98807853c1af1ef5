import { ApiError, send } from '../http/send.js'
import { logIn, openSession } from '../session/open-session.js'
import { accounts, hasControls, keepSession, session } from '../session/session-state.js'

/**
 * Shows who is signed in, and how to sign in or out: with one click where the controls may be used,
 * else with a password.
 * @param onChange called after each change of the session
 */
export function showSession(bar: Element, onChange: () => void): void {
  const update = (): void => {
    showSession(bar, onChange)
    onChange()
  }
  if (session.value !== undefined) {
    const signOut = createButton('Sign out', async () => keepSession(undefined))
    bar.replaceChildren(`Signed in as ${session.value.username} `, signOut)
    signOut.addEventListener('done', update)
  } else if (hasControls.value === true) {
    const username = accounts.value[0]?.username ?? ''
    const signIn = createButton(`Sign in as ${username}`, () => openSession(username))
    signIn.addEventListener('done', update)
    bar.replaceChildren(signIn)
  } else {
    bar.replaceChildren(createForm(update))
  }
}

/** Drops the kept session if the server does not know it, as after a restart. */
export async function checkSession(): Promise<void> {
  if (session.value === undefined) return
  try {
    await send('/api/v1/users/me', { headers: session.value.headers })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) keepSession(undefined)
  }
}

/** Creates a button that acts, and then sends itself the event `done`. A failure is its text. */
function createButton(text: string, act: () => Promise<unknown>): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('click', () => {
    act().then(
      () => button.dispatchEvent(new Event('done')),
      (error: Error) => (button.textContent = `${text}: ${error.message}`),
    )
  })
  return button
}

function createForm(onDone: () => void): HTMLFormElement {
  const form = document.createElement('form')
  const [username, password] = ['username', 'password'].map((name) => {
    const input = document.createElement('input')
    Object.assign(input, { name, placeholder: name, ariaLabel: name, required: true })
    input.autocomplete = name === 'username' ? 'username' : 'current-password'
    return input
  }) as [HTMLInputElement, HTMLInputElement]
  password.type = 'password'
  const submit = document.createElement('button')
  submit.textContent = 'Log in'
  const message = document.createElement('span')
  message.setAttribute('role', 'alert')
  form.append(username, password, submit, message)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    logIn(username.value, password.value).then(onDone, (error: Error) => {
      message.textContent = error.message
    })
  })
  return form
}
