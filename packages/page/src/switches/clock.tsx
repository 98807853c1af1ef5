import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import { changeClock, readClock, resetClock } from '../api/controls.js'
import { useLoad } from '../state/hooks.js'
import { dataState, frameState } from '../state/navigation.js'
import { versionOf } from '../state/versions.js'
import { formatDuration, formatMilliseconds } from '../table/format-value.js'
import { ActionButton, ActionForm } from '../widgets/action-button.js'
import { Failure } from '../widgets/toasts.js'
import { targetName } from './sandboxes.js'

/**
 * A line at the top while the clock is frozen or moved. Over what moves it, a line is always there, so that it stays
 * under the pointer.
 */
export function ClockLine(): VNode | null {
  const { data: clock } = useLoad(readClock, [], versionOf('clock'))
  if (clock === undefined) return null
  const { frozen, offset, now } = clock
  if (!frozen && offset === 0) {
    const { resource, item } = dataState.value
    const isJob = frameState.value.view === 'data' && resource === 'jobs' && item !== ''
    return isJob || frameState.value.view === 'switches' ? (
      <p class="top-line muted" role="status">
        The clock of {targetName()} has the time of the system
      </p>
    ) : null
  }
  const distance = formatDuration(Math.abs(offset) / 1000)
  return (
    <p class="top-line clock-line" role="status">
      <span>
        The clock of {targetName()}{' '}
        {frozen
          ? `stands at ${formatMilliseconds(Date.parse(now))} UTC`
          : `is ${distance} ${offset > 0 ? 'ahead' : 'behind'}`}
      </span>
      <ActionButton class="small" onAct={resetClock}>
        Back to now
      </ActionButton>
    </p>
  )
}

const STEPS = { '1 minute': 60_000, '1 hour': 3_600_000, '1 day': 86_400_000 }

/** Shows the clock of the sandbox that the page looks at, and changes it. The event of a change shows it. */
export function ClockSwitch(): VNode | null {
  const { data: clock, error } = useLoad(readClock, [], versionOf('clock'))
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  if (clock === undefined) return <Failure error={error} />
  const { frozen, offset, now } = clock
  return (
    <>
      <p class="muted">The time of {targetName()}, which items, jobs and sessions follow.</p>
      <p role="timer">
        <strong class="mono">
          {formatMilliseconds(frozen ? Date.parse(now) : Date.now() + offset)}
        </strong>{' '}
        UTC, {frozen ? 'frozen' : offset === 0 ? "the system's" : 'running'}
      </p>
      <div class="button-line">
        <ActionButton pressed={frozen} onAct={() => changeClock({ freeze: !frozen })}>
          Freeze
        </ActionButton>
        {Object.entries(STEPS).map(([title, advance]) => (
          <ActionButton key={title} onAct={() => changeClock({ advance })}>
            + {title}
          </ActionButton>
        ))}
        <ActionButton onAct={resetClock}>Back to the system's</ActionButton>
      </div>
      <ActionForm action="Set" onAct={(values) => changeClock({ set: String(values.get('time')) })}>
        <input
          name="time"
          class="mono"
          aria-label="Time, with its zone"
          required
          spellcheck={false}
          autocomplete="off"
          defaultValue="2026-01-01T00:00:00Z"
        />
      </ActionForm>
    </>
  )
}
