import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

import type { RunDescription } from '@materials-mock/api'
import { changeClock, readClock } from '../api/controls.js'
import { useLoad } from '../state/hooks.js'
import { versionOf } from '../state/versions.js'
import { targetName } from '../switches/sandboxes.js'
import { formatMilliseconds } from '../table/format-value.js'
import { useAction } from '../widgets/action-button.js'
import { showError } from '../widgets/toasts.js'

/** The part of a life that the slider goes beyond it, at both ends. */
const MARGIN = 0.05

interface JobTimeProps {
  readonly run: RunDescription
}

/**
 * A slider over the whole life of a job, one component for each job. It moves the clock of the sandbox, and all jobs
 * are as they are then.
 */
export function JobTime({ run: { submittedAt, activeAt, endsAt } }: JobTimeProps): VNode | null {
  const { data: clock } = useLoad(readClock, [], versionOf('clock'))
  const [moved, setMoved] = useState<number>()
  const wanted = useRef(0)
  const { isBusy, run } = useAction((error) => {
    setMoved(undefined)
    showError(error)
  })
  // The slider stays where it was moved until the clock is known to be there.
  useEffect(() => {
    if (!isBusy) setMoved(undefined)
  }, [clock])
  const start = submittedAt ?? activeAt ?? endsAt
  if (start === null || clock === undefined) return null

  /** Moves the clock, to where the slider is when an earlier move has ended. */
  const move = (time: number): void => {
    setMoved(time)
    wanted.current = time
    void run(async () => {
      if (!clock.frozen) await changeClock({ freeze: true })
      for (let at = NaN; at !== wanted.current;) {
        at = wanted.current
        await changeClock({ rewind: new Date(at).toISOString() })
      }
    })
  }

  const [first, last] = [Date.parse(start), Date.parse(endsAt ?? start)]
  const margin = Math.max(1000, Math.round((last - first) * MARGIN))
  const [from, to] = [first - margin, last + margin]
  const time = moved ?? (clock.frozen ? Date.parse(clock.now) : Date.now() + clock.offset)
  return (
    <section class="job-time">
      <label>
        Move the clock of {targetName()}
        <input
          type="range"
          min={from}
          max={to}
          step={Math.max(1, Math.round((to - from) / 200))}
          value={time}
          aria-describedby="job-time-effect"
          aria-valuetext={`${formatMilliseconds(time)} UTC`}
          onInput={({ currentTarget }) => move(Number(currentTarget.value))}
        />
      </label>
      <p class="muted" id="job-time-effect">
        {formatMilliseconds(time)} UTC{clock.frozen && ', frozen'}. A move freezes it there, for all
        who use {targetName()}.
      </p>
    </section>
  )
}
