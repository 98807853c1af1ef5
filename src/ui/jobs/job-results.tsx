import type { VNode } from 'preact'

import { listItems } from '../api/items.js'
import type { JsonObject } from '../api/item.js'
import { dataVersion } from '../state/data-version.js'
import { toResource } from '../state/page-state.js'
import { useLoad } from '../state/use-load.js'
import { formatValue } from '../table/format-value.js'
import { Link } from '../widgets/link.js'

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
    [id, status, dataVersion.value],
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
