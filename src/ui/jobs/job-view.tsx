import type { VNode } from 'preact'

import type { Item, JsonObject } from '../api/item.js'
import { JobFiles } from './job-files.js'
import { JobResults } from './job-results.js'
import { FieldTable } from '../table/field-table.js'
import { formatMilliseconds } from '../table/format-value.js'

/** The states that a job goes through, as the page shows them. */
const STEPS = ['pre-submission', 'submitted', 'active', 'finished']

/** A job: its states, its results and its files. They change while the job goes on. */
export function JobView({ item }: { readonly item: Item }): VNode {
  const { workflow: _workflow, statusTrack: _track, ...rest } = item
  const track = Array.isArray(item.statusTrack) ? (item.statusTrack as JsonObject[]) : []
  const status = String(item.status)
  const steps = STEPS.includes(status) ? STEPS : [...STEPS.slice(0, -1), status]
  return (
    <div class="material-tables">
      <ol class="steps" aria-label="States">
        {steps.map((step) => {
          const at = track.findLast((each) => each.status === step)?.trackedAt
          const isReached = steps.indexOf(step) <= steps.indexOf(status)
          return (
            <li
              key={step}
              class={`${isReached ? 'reached' : ''} ${step === 'error' ? 'failed' : ''}`}
              aria-current={step === status ? 'step' : undefined}
            >
              {step}
              {typeof at === 'number' && <small>{formatMilliseconds(at)}</small>}
            </li>
          )
        })}
      </ol>
      <JobResults id={item._id ?? ''} status={status} />
      <JobFiles id={item._id ?? ''} status={status} />
      <FieldTable item={rest} />
    </div>
  )
}
