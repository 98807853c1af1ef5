import type { VNode } from 'preact'

import type { Item } from '../api/item.js'
import { formatDuration, readUnits } from './read-units.js'
import type { UnitRun } from './read-units.js'

/** The runs of a job's units, one line for each unit. */
export function UnitTimeline({ item }: { readonly item: Item }): VNode | null {
  const groups = readUnits(item)
  const runs = groups.flatMap(({ units }) => units.flatMap((unit) => unit.runs))
  if (groups.every(({ units }) => units.length === 0)) return null
  const times = runs.flatMap(({ from, to = from }) => [from, to])
  const start = times.reduce((least, time) => Math.min(least, time), Infinity)
  const last = times.reduce((most, time) => Math.max(most, time), -Infinity)
  // The duration of a running unit is unknown. Only the server's clock tells how long it has run.
  const isRunning = runs.some(({ to }) => to === undefined)
  const end = isRunning ? last + ((last - start) * 0.2 || 1) : last
  const toPercent = (time: number): number => ((time - start) / (end - start || 1)) * 100
  return (
    <section>
      <h3>
        Units{' '}
        {runs.length > 0 && (
          <small>
            {formatDuration(last - start)}
            {isRunning && ' so far'}
          </small>
        )}
      </h3>
      {groups.map(({ name, units }) => (
        <table class="timeline">
          <caption class={groups.length > 1 ? undefined : 'visually-hidden'}>{name}</caption>
          <thead class="visually-hidden">
            <tr>
              <th scope="col">Unit</th>
              <th scope="col">Status</th>
              <th scope="col">Runs</th>
              <th scope="col">Duration</th>
            </tr>
          </thead>
          <tbody>
            {units.slice(0, MAX_UNITS).map((unit) => (
              <tr>
                <th scope="row">{unit.name}</th>
                <td class={`unit-status ${unit.status}`}>{unit.status}</td>
                <td class="unit-runs">
                  <span class="visually-hidden">
                    {unit.runs
                      .map(({ from }) => `after ${formatDuration(from - start)}`)
                      .join(', ')}
                  </span>
                  <div class="track" aria-hidden="true">
                    {unit.runs.map(({ from, to = end, status }) => (
                      <span
                        class={`run ${status}`}
                        style={{
                          left: `${toPercent(from)}%`,
                          width: `${toPercent(to) - toPercent(from)}%`,
                        }}
                      />
                    ))}
                  </div>
                </td>
                <td class="numeric">{formatRuns(unit.runs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </section>
  )
}

/** The largest number of units of a subworkflow that have a line. */
const MAX_UNITS = 200

function formatRuns(runs: readonly UnitRun[]): string {
  const ended = runs.filter(({ to }) => to !== undefined)
  if (ended.length === 0) return ''
  const total = ended.reduce((sum, { from, to = from }) => sum + to - from, 0)
  return ended.length === 1
    ? formatDuration(total)
    : `${ended.length} × ${formatDuration(total / ended.length)}`
}
