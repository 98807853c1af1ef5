import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'

import { DataView } from '../browse/data-view.js'
import { followEvents } from '../events/event-stream.js'
import { RequestsView } from '../requests/requests-view.js'
import { followAccount } from '../session/account-switch.js'
import { LoginForm } from '../session/login-form.js'
import { openFirstSession } from '../session/open-session.js'
import { hasControls, session } from '../session/session-state.js'
import { useLoad } from '../state/hooks.js'
import { pageState } from '../state/navigation.js'
import { FaultLine } from '../switches/fault-line.js'
import { SwitchesView } from '../switches/switches-view.js'
import { Notice, Toasts } from '../widgets/toasts.js'
import { Header } from './header.js'

/** The page: the header, and the view that the address names. */
export function App(): VNode {
  const { error } = useLoad(start, [])
  useEffect(() => {
    document.title = `${titleOf(pageState.value.view, pageState.value.resource)} – materials-mock`
  }, [pageState.value])
  const { as } = pageState.value
  useEffect(() => void followAccount(as), [as])
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to the content
      </a>
      {hasControls.value === true && <FaultLine />}
      <Header />
      <main id="main" tabIndex={-1}>
        {error !== undefined ? (
          <Notice kind="error">{error.message}</Notice>
        ) : session.value !== undefined ? (
          <CurrentView key={session.value.username} />
        ) : hasControls.value === false ? (
          <LoginForm />
        ) : null}
      </main>
      <Toasts />
    </>
  )
}

async function start(): Promise<void> {
  await openFirstSession(pageState.value.as)
  if (hasControls.value) followEvents()
}

const titleOf = (view: string, resource: string): string =>
  view === 'data' ? resource || 'Data' : view === 'requests' ? 'Requests' : 'Switches'

function CurrentView(): VNode {
  const { view } = pageState.value
  if (!hasControls.value || view === 'data') return <DataView />
  return view === 'requests' ? <RequestsView /> : <SwitchesView />
}
