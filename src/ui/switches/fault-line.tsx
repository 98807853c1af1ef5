import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'

import { clearFaults } from '../api/controls.js'
import { faultsVersion, serverVersion } from '../state/versions.js'
import { Link } from '../widgets/link.js'
import { showError } from '../widgets/toasts.js'
import { loadRules, rules } from './fault-switches.js'
import { targetName } from './sandboxes.js'

/** A red line at the top while any fault is on. */
export function FaultLine(): VNode | null {
  useEffect(() => void loadRules(), [faultsVersion.value, serverVersion.value])
  if (rules.value.length === 0) return null
  const names = rules.value.map(({ name, _id }) => name ?? `rule ${_id}`)
  return (
    <div class="fault-line" role="status">
      <span>
        {names.length === 1 ? 'A fault is' : 'Faults are'} on in {targetName()}:{' '}
        <Link to={{ view: 'switches' }}>{names.join(', ')}</Link>
      </span>
      <button
        type="button"
        class="small"
        onClick={() => void clearFaults().catch(showError).then(loadRules)}
      >
        Turn off
      </button>
    </div>
  )
}
