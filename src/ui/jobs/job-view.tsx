import type { VNode } from 'preact'

import { call } from '../api/call.js'
import type { Item, JsonObject } from '../api/item.js'
import { listItems } from '../api/items.js'
import { useLoad } from '../state/hooks.js'
import { toResource } from '../state/page-state.js'
import { versionOf } from '../state/versions.js'
import { FieldTable } from '../table/field-table.js'
import { formatMilliseconds, formatValue } from '../table/format-value.js'
import { Link } from '../widgets/link.js'

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

/** The properties of what a job has left. */
export interface JobPartProps {
  readonly id: string
  readonly status: string
}

/** The properties that a job has computed. */
export function JobResults({ id, status }: JobPartProps): VNode | null {
  const query = JSON.stringify({ 'source.info.jobId': id })
  const { data: results = [] } = useLoad(
    (signal) => listItems('properties', { query, projection: undefined }, signal).catch(() => []),
    [id, status, versionOf('properties')],
  )
  if (results.length === 0) return null
  return (
    <section>
      <h3>Results</h3>
      <table class="facts">
        <tbody>
          {results.map((result) => {
            const { name, value, units } = (result.data ?? {}) as JsonObject
            return (
              <tr key={result._id}>
                <th scope="row">
                  <Link to={toResource('properties', result._id)}>{formatValue(name)}</Link>
                </th>
                <td>
                  {typeof value === 'number' ? formatValue(value) : 'several values'}{' '}
                  <small>{typeof units === 'string' && units}</small>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

interface JobFile {
  readonly key: string
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly signedUrl: string
}

/** The files that a job has written, to open. */
export function JobFiles({ id, status }: JobPartProps): VNode | null {
  const { data: files = [] } = useLoad(
    (signal) =>
      call<JobFile[]>(`/jobs/${encodeURIComponent(id)}/files`, { signal }).catch(() => []),
    [id, status],
  )
  if (files.length === 0) return null
  return (
    <section>
      <h3>Files</h3>
      <ul>
        {files.map(({ key, name, size, signedUrl }) => (
          <li key={key}>
            <a href={signedUrl} target="_blank" rel="noreferrer">
              {name}
            </a>{' '}
            <small>{size} bytes</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
