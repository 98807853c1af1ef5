import type { VNode } from 'preact'

import { clearFaults, listFaults, readClock, resetClock } from '../api/controls.js'
import { useLoad } from '../state/hooks.js'
import { reload, versionOf } from '../state/versions.js'
import { formatDuration, formatMilliseconds } from '../table/format-value.js'
import { ActionButton } from '../widgets/action-button.js'
import { Link } from '../widgets/link.js'
import { targetName } from './sandboxes.js'

/** What is on, in red, while any fault is. */
export function FaultLine(): VNode | null {
  const { data = [] } = useLoad(listFaults, [], versionOf('faults'))
  if (data.length === 0) return null
  const names = data.map(({ name, _id }) => name ?? `rule ${_id}`).join(', ')
  return (
    <div class="top-line fault-line" role="status">
      <Link to={{ view: 'controls' }} label={`Faults of ${targetName()}: ${names}`}>
        <b aria-hidden="true">▲</b> <span>{names}</span>
      </Link>
      <ActionButton class="small" onAct={() => clearFaults().finally(() => reload(['faults']))}>
        Turn off
      </ActionButton>
    </div>
  )
}

/** Says that the clock is frozen or moved, while it is. */
export function ClockLine(): VNode | null {
  const { data: clock } = useLoad(readClock, [], versionOf('clock'))
  if (clock === undefined || (!clock.frozen && clock.offset === 0)) return null
  const { frozen, offset, now } = clock
  const distance = formatDuration(Math.abs(offset) / 1000)
  const text = frozen ? 'Clock frozen' : `Clock ${offset > 0 ? '+' : '−'}${distance}`
  const time = `${text}, ${formatMilliseconds(Date.parse(now))} UTC`
  return (
    <div class="top-line clock-line" role="status">
      <Link to={{ view: 'controls' }} label={`${time}, of ${targetName()}`}>
        <b aria-hidden="true">◷</b> <span>{text}</span>
      </Link>
      <ActionButton class="small" onAct={resetClock}>
        Back to now
      </ActionButton>
    </div>
  )
}
