import type { VNode } from 'preact'

import { listItems } from '../api/items.js'
import { useLoad } from '../state/hooks.js'
import { toResource } from '../state/page-state.js'
import { versionOf } from '../state/versions.js'
import { formatValue } from '../table/format-value.js'
import { Link } from '../widgets/link.js'

const FIELDS = JSON.stringify({ fields: { name: 1, status: 1 } })

/** The jobs that compute with a material, if there are any. */
export function JobsOfMaterial({ id }: { readonly id: string }): VNode | null {
  const query = JSON.stringify({ '_material._id': id })
  const { data: jobs = [] } = useLoad(
    (signal) => listItems('jobs', { query, projection: FIELDS }, signal).catch(() => []),
    [id, versionOf('jobs')],
  )
  if (jobs.length === 0) return null
  return (
    <section>
      <h3>Jobs</h3>
      <table class="facts">
        <tbody>
          {jobs.map(({ _id, name, status }) => (
            <tr key={_id}>
              <th scope="row">
                <Link to={toResource('jobs', _id)}>{formatValue(name ?? _id)}</Link>
              </th>
              <td>{formatValue(status)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
