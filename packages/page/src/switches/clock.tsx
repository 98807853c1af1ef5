import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import { changeClock, readClock, resetClock } from '../api/controls.js'
import { useLoad } from '../state/hooks.js'
import { versionOf } from '../state/versions.js'
import { formatMilliseconds } from '../table/format-value.js'
import { ActionButton, ActionForm } from '../widgets/action-button.js'
import { Outcome } from '../widgets/toasts.js'
import { targetName } from './sandboxes.js'

const STEPS = { '1 minute': 60_000, '1 hour': 3_600_000, '1 day': 86_400_000 }

/** Shows the clock of the sandbox that the page looks at, and changes it. The event of a change shows it. */
export function ClockSwitch(): VNode | null {
  const loaded = useLoad(readClock, [], versionOf('clock'))
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  if (loaded.data === undefined) return <Outcome of={loaded} />
  const { frozen, offset, now } = loaded.data
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
        <ActionButton onAct={resetClock}>Back to now</ActionButton>
      </div>
      <ActionForm action="Set" onAct={(values) => changeClock({ set: String(values.get('time')) })}>
        <label>
          Time
          <input
            name="time"
            class="mono"
            aria-label="Time, with its zone"
            required
            spellcheck={false}
            autocomplete="off"
            defaultValue="2026-01-01T00:00:00Z"
          />
        </label>
      </ActionForm>
    </>
  )
}
