import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import { beginAnew } from '../api/controls.js'
import { DataView } from '../browse/data-view.js'
import { followEvents, isConnected, watchFailures } from '../events/connection.js'
import { handleEvent } from '../events/handle-event.js'
import { chooseSandbox } from '../http/send.js'
import { followAccount, LoginForm } from '../session/account.js'
import { openFirstSession, hasControls, hasEnded, session } from '../session/session.js'
import { useLoad } from '../state/hooks.js'
import { adjust, dataState, frameState } from '../state/navigation.js'
import { VIEW_TITLES } from '../state/page-state.js'
import { reload } from '../state/versions.js'
import { isSandboxGone, SandboxLine, enterScenario } from '../switches/sandboxes.js'
import { ClockLine, FaultLine } from '../switches/state-lines.js'
import { ActionButton } from '../widgets/action-button.js'
import { Dialog } from '../widgets/dialog.js'
import { Link } from '../widgets/link.js'
import { Boundary, Failure, Loading, showError, Toasts } from '../widgets/toasts.js'
import { Header } from './header.js'
import { Keys } from './keys.js'
import type { KeysProps } from './keys.js'

export function App(): VNode {
  const { as, view, sandbox, scenario } = frameState.value
  chooseSandbox(sandbox) // before anything below loads
  const { data: isStarted = false, error } = useLoad(start, [scenario], '', sandbox)
  useEffect(() => {
    const title = (view === 'data' && dataState.value.resource) || VIEW_TITLES[view]
    document.title = `${title} – materials-mock`
  }, [view, dataState.value.resource])
  const [opened, open] = useState<KeysProps['opened']>()
  useEffect(() => void followAccount(as), [as])
  useEffect(() => {
    if (error !== undefined || hasControls.value === false) return watchFailures()
    return isStarted ? followEvents(handleEvent) : undefined
  }, [sandbox, isStarted, error !== undefined, hasControls.value])
  // What loads before the stream of events begins could miss a change.
  const isKnown = hasControls.value === false || isConnected.value !== undefined
  return (
    <>
      <a class="visually-hidden" href="#main">
        Skip to the content
      </a>
      <Header open={open}>
        <SiteLine />
        <SandboxLine />
        {isConnected.value === false && !isSandboxGone() && (
          <p class="top-line fault-line" role="alert">
            <span>The server does not answer. What is shown is what it has sent before.</span>
          </p>
        )}
        {hasControls.value === true && <FaultLine key={sandbox} />}
        {hasControls.value === true && <ClockLine key={sandbox} />}
      </Header>
      <main id="main" tabIndex={-1}>
        {session.value !== undefined && isKnown && isStarted ? (
          <Boundary key={sandbox}>
            <CurrentView />
          </Boundary>
        ) : hasControls.value === false ? (
          <LoginForm />
        ) : error !== undefined ? (
          <>
            <h1 class="visually-hidden">No data</h1>
            <Failure error={error} />
            {scenario !== '' && sandbox === '' && (
              <Link class="button" to={{ scenario: '' }}>
                Back to the server
              </Link>
            )}
          </>
        ) : (
          <Loading />
        )}
      </main>
      {hasEnded.value && (
        // Over the view, which keeps what was typed.
        <Dialog title="The session has ended" onClose={() => (hasEnded.value = false)}>
          {() => <LoginForm />}
        </Dialog>
      )}
      <Toasts />
      {session.value !== undefined && <Keys opened={opened} open={open} />}
    </>
  )
}

/** Opens a session at the server, or at the sandbox that the address names. */
async function start(): Promise<true> {
  const { as, sandbox, scenario } = frameState.value
  if (scenario !== '') await enterScenario(scenario, sandbox)
  const isKnown = await openFirstSession(as)
  reload(['faults', 'clock']) // another sandbox has others
  if (!isKnown) {
    showError(
      new Error(`There is no account ${as}. The page shows the data of ${session.value?.username}`),
    )
    adjust({ as: '' })
  }
  return true
}

function CurrentView(): VNode {
  const { view } = frameState.value
  if (!hasControls.value || view === 'data') return <DataView key={session.value?.username} />
  return <LaterView key={view} view={view} />
}

/** The views that load when they are opened first. */
const LATER_VIEWS = {
  requests: async () => (await import('../requests/requests-view.js')).RequestsView,
  controls: async () => (await import('../switches/switches-view.js')).SwitchesView,
}

function LaterView({ view }: { readonly view: keyof typeof LATER_VIEWS }): VNode {
  const { data: loaded, error } = useLoad(async () => ({ View: await LATER_VIEWS[view]() }), [])
  if (loaded !== undefined) return <loaded.View />
  return error === undefined ? <Loading /> : <Failure error={error} />
}

/** What `materials-mock site` has written about the site: the scenario that it begins with, or nothing. */
const { site } = document.documentElement.dataset

/** Says, on a static site, that nothing leaves this browser, and brings its first state back. */
function SiteLine(): VNode | null {
  if (site === undefined) return null
  return (
    <div class="top-line sandbox-line">
      <span title="The server is in this browser, and so is all that you change">
        The server is in this browser
      </span>
      <ActionButton
        class="small"
        onAct={async () => {
          await beginAnew(site)
          location.replace('./')
        }}
      >
        Reset
      </ActionButton>
    </div>
  )
}
