import type { VNode } from 'preact'

import { applyScenario, resetServer } from '../api/controls.js'
import { ActionButton } from '../widgets/action-button.js'

/** What `materials-mock site` has written about the site: the scenario that it begins with, or nothing. */
const { site } = document.documentElement.dataset

/** Says, on a static site, that nothing leaves this browser, and brings its first state back. */
export function SiteLine(): VNode | null {
  if (site === undefined) return null
  return (
    <p class="sandbox-line">
      The server is in this browser, and so is all that you change.{' '}
      <ActionButton
        class="quiet"
        onAct={async () => {
          await resetServer()
          if (site !== '') await applyScenario(site)
          location.reload()
        }}
      >
        Start anew
      </ActionButton>
    </p>
  )
}
