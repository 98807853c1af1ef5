import type { VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

import type { RunDescription } from '@materials-mock/api'
import { changeClock, readClock, resetClock } from '../api/controls.js'
import { useLoad } from '../state/hooks.js'
import { versionOf } from '../state/versions.js'
import { targetName } from '../switches/sandboxes.js'
import { formatMilliseconds } from '../table/format-value.js'
import { useAction } from '../widgets/action-button.js'
import { Outcome, showError } from '../widgets/toasts.js'

/** The part of a life that the slider goes beyond it, at both ends. */
const MARGIN = 0.05

interface JobTimeProps {
  readonly run: RunDescription
}

/**
 * A slider over the whole life of a job, one component for each job. It moves the clock of the sandbox, and all jobs
 * are as they are then. It stays at the bottom of the pane, whatever the job shows above.
 */
export function JobTime({ run: { submittedAt, activeAt, endsAt } }: JobTimeProps): VNode | null {
  const loaded = useLoad(readClock, [], versionOf('clock'))
  const [moved, setMoved] = useState<number>()
  const wanted = useRef<number | 'now'>('now')
  const { isBusy, run } = useAction((error) => {
    setMoved(undefined)
    showError(error)
  })
  // The slider stays where it was moved until the clock is known to be there. A later effect would undo a move that
  // was made meanwhile.
  useLayoutEffect(() => {
    if (!isBusy) setMoved(undefined)
  }, [loaded.data])
  const start = submittedAt ?? activeAt ?? endsAt
  if (start === null) return null
  if (loaded.data === undefined) return <Outcome of={loaded} />
  const clock = loaded.data

  /** Moves the clock, to where the slider is when an earlier move has ended. */
  const move = (to: number | 'now'): void => {
    if (to !== 'now') setMoved(to)
    wanted.current = to
    void run(async () => {
      if (to !== 'now' && !clock.frozen) await changeClock({ freeze: true })
      for (let at: number | 'now' | undefined; at !== wanted.current;) {
        at = wanted.current
        if (at === 'now') await resetClock()
        else await changeClock({ rewind: new Date(at).toISOString() })
      }
    })
  }

  const [first, last] = [Date.parse(start), Date.parse(endsAt ?? start)]
  const margin = Math.max(1000, Math.round((last - first) * MARGIN))
  const [from, to] = [first - margin, last + margin]
  const time = moved ?? (clock.frozen ? Date.parse(clock.now) : Date.now() + clock.offset)
  const step = Math.max(1, Math.round((to - from) / 200))
  /** Whether the slider is where the time is now: a job that ended long ago has it at the end of the slider. */
  const isNow = (at: number): boolean => Math.abs(at - Math.min(Date.now(), to)) <= step
  const effect = clock.frozen ? ', frozen' : '. A move freezes it'
  return (
    <section class="job-time">
      <label>
        Move the clock of {targetName()}
        <input
          type="range"
          min={from}
          max={to}
          step={step}
          value={time}
          aria-describedby="job-time-effect"
          aria-valuetext={`${formatMilliseconds(time)} UTC`}
          onInput={({ currentTarget }) => move(Number(currentTarget.value))}
          onChange={({ currentTarget }) => isNow(Number(currentTarget.value)) && move('now')}
        />
      </label>
      <p class="muted" id="job-time-effect">
        {`${formatMilliseconds(time)} UTC${effect} for all who use ${targetName()}`}
      </p>
    </section>
  )
}
