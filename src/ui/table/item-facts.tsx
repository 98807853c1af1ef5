import type { ComponentChildren, VNode } from 'preact'

import { listFields } from '../api/item.js'
import type { Item, Json, JsonObject } from '../api/item.js'
import { listItems } from '../api/items.js'
import { useLoad } from '../state/hooks.js'
import { toResource } from '../state/page-state.js'
import { versionOf } from '../state/versions.js'
import { Link } from '../widgets/link.js'
import { formatValue } from './format-value.js'

/** The fields of an item that have a plain value, by path. The `_id` of another item is a link to it. */
export const FieldTable = ({ item }: { readonly item: Item }): VNode => (
  <table class="facts">
    <tbody>
      {listFields(item).map(({ keys, value, parent }) => {
        const resource = findResource(parent, keys.at(-1))
        return (
          <tr key={keys.join('.')}>
            <th scope="row">{keys.join('.')}</th>
            <td>
              {resource === undefined || typeof value !== 'string' ? (
                formatValue(value)
              ) : (
                <Link to={toResource(resource, value)}>{formatValue(value)}</Link>
              )}
            </td>
          </tr>
        )
      })}
    </tbody>
  </table>
)

/** The fields of an item below what its panel shows of it. */
export const FieldSection = ({ item }: { readonly item: Item }): VNode => (
  <section>
    <h3>Fields</h3>
    <FieldTable item={item} />
  </section>
)

/** The properties of a fact. */
interface FactProps {
  readonly name: string
  readonly children: ComponentChildren
}

/** A fact of a summary. */
export const Fact = ({ name, children }: FactProps): VNode => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** The resources by the `cls` of a reference. */
const RESOURCES: ReadonlyMap<Json | undefined, string> = new Map([
  ['Material', 'materials'],
  ['Project', 'projects'],
  ['Workflow', 'workflows'],
  ['Job', 'jobs'],
])

/** Returns the resource of the item that the value of a key is the `_id` of. */
function findResource(item: JsonObject, key: string | undefined): string | undefined {
  if (key === 'jobId') return 'jobs'
  return key === '_id' ? RESOURCES.get(item.cls) : undefined
}

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
