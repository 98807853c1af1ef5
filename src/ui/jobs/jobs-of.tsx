import type { VNode } from 'preact'

import type { JsonObject } from '../api/item.js'
import { listItems } from '../api/items.js'
import { useLoad } from '../state/hooks.js'
import { toResource } from '../state/page-state.js'
import { versionOf } from '../state/versions.js'
import { formatValue } from '../table/format-value.js'
import { Link } from '../widgets/link.js'

const PROJECTION = JSON.stringify({ fields: { name: 1, status: 1 }, limit: 100 })

/** The jobs that match a query, such as the jobs of a material, a workflow or a project, if there are any. */
export function JobsOf({ query }: { readonly query: JsonObject }): VNode | null {
  const text = JSON.stringify(query)
  const { data: jobs = [] } = useLoad(
    (signal) => listItems('jobs', { query: text, projection: PROJECTION }, signal).catch(() => []),
    [text, versionOf('jobs')],
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
