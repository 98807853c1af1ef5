import type { VNode } from 'preact'

import { resetServer, restoreSnapshot, takeSnapshot } from '../api/snapshots.js'
import { reloadData } from '../state/data-version.js'
import { showError, showToast } from '../widgets/toasts.js'
import { loadRules } from './rules.js'

/** The snapshot that is taken before a reset. */
const BEFORE_RESET = 'before-the-reset'

/** Resets the server. A snapshot is taken first, so that it can be undone. */
export const ResetButton = (): VNode => (
  <button type="button" class="danger" onClick={() => void reset()}>
    Reset
  </button>
)

async function reset(): Promise<void> {
  try {
    await takeSnapshot(BEFORE_RESET)
    await resetServer()
    const undo = (): void => void restore()
    showToast({ text: 'The server is as it was loaded', action: { label: 'Undo', run: undo } })
  } catch (error) {
    showError(error)
  }
  reloadData()
  await loadRules()
}

async function restore(): Promise<void> {
  await restoreSnapshot(BEFORE_RESET).catch(showError)
  reloadData()
}
