import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

import { changeClock, readClock, resetClock } from '../api/controls.js'
import { listObjects } from '../api/item.js'
import type { Item } from '../api/item.js'
import { hasControls } from '../session/session.js'
import { useLoad } from '../state/hooks.js'
import { versionOf } from '../state/versions.js'
import { targetName } from '../switches/sandboxes.js'
import { formatMilliseconds } from '../table/format-value.js'
import { ActionButton, useAction } from '../widgets/action-button.js'
import { showError } from '../widgets/toasts.js'

/** The part of a life that the slider goes beyond it, at both ends. */
const MARGIN = 0.05

/** Returns the times of the changes of a job since its first submission, in ms since the epoch. */
const listTimes = (item: Item): number[] =>
  listObjects(item, 'statusTrack')
    .filter(({ status }) => status !== 'pre-submission')
    .flatMap(({ trackedAt }) => (typeof trackedAt === 'number' ? [trackedAt] : []))

/** A slider over the life of a job, one component for each job. It moves the clock of the sandbox, and all jobs are as they were then. */
export function JobTime({ item }: { readonly item: Item }): VNode | null {
  const { data: clock } = useLoad(readClock, [versionOf('clock')])
  /** A job that is shown as it was does not tell how it went on. */
  const known = useRef<readonly number[]>([])
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
  const times = listTimes(item)
  // Another time is of another life: the job was changed, restored or submitted again.
  if (times.some((time) => !known.current.includes(time))) known.current = times
  const [first, last = first] = [known.current[0], known.current.at(-1)]
  if (first === undefined || last === undefined || clock === undefined || !hasControls.value)
    return null

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

  const margin = Math.max(1000, Math.round((last - first) * MARGIN))
  const [from, to] = [first - margin, last + margin]
  const time = moved ?? (clock.frozen ? Date.parse(clock.now) : Date.now() + clock.offset)
  return (
    <section class="job-time">
      <input
        type="range"
        min={from}
        max={to}
        step={Math.max(1, Math.round((to - from) / 200))}
        value={time}
        aria-label={`The time of ${targetName()}`}
        aria-valuetext={`${formatMilliseconds(time)} UTC`}
        onInput={({ currentTarget }) => move(Number(currentTarget.value))}
      />
      <p class="muted">
        The clock of {targetName()}: {formatMilliseconds(time)} UTC
        {clock.frozen && ', frozen'}{' '}
        {(clock.frozen || clock.offset !== 0) && (
          <ActionButton class="small" onAct={resetClock}>
            Back to now
          </ActionButton>
        )}
      </p>
    </section>
  )
}
