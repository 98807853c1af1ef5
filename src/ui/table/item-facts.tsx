import type { VNode } from 'preact'

import { isObject } from '../api/item.js'
import type { Item, Json, JsonObject } from '../api/item.js'
import { listItems } from '../api/items.js'
import { useLoad } from '../state/hooks.js'
import { toResource } from '../state/page-state.js'
import { versionOf } from '../state/versions.js'
import { Link } from '../widgets/link.js'
import { formatValue } from './format-value.js'

const MAX_DEPTH = 3

/** The fields of an item that have a plain value, by path. The `_id` of another item is a link to it. */
export const FieldTable = ({ item }: { readonly item: Item }): VNode => (
  <table class="facts">
    <tbody>
      {listFields(item, '', 1).map(({ path, value, resource }) => (
        <tr key={path}>
          <th scope="row">{path}</th>
          <td>
            {resource === undefined ? (
              formatValue(value)
            ) : (
              <Link to={toResource(resource, String(value))}>{formatValue(value)}</Link>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

interface Field {
  readonly path: string
  readonly value: Json
  /** The resource of the item that the value is the `_id` of. */
  readonly resource: string | undefined
}

function listFields(item: JsonObject, prefix: string, depth: number): Field[] {
  return Object.entries(item).flatMap(([key, value]): Field[] => {
    if (value === undefined) return []
    if (isObject(value))
      return depth < MAX_DEPTH ? listFields(value, `${prefix}${key}.`, depth + 1) : []
    const isPlain = !Array.isArray(value) || value.every((each) => typeof each !== 'object')
    const isEmpty = Array.isArray(value) && value.length === 0
    if (!isPlain || isEmpty) return []
    const resource = typeof value === 'string' ? findResource(item, key) : undefined
    return [{ path: prefix + key, value, resource }]
  })
}

/** The resources by the `cls` of a reference. */
const RESOURCES: ReadonlyMap<Json | undefined, string> = new Map([
  ['Material', 'materials'],
  ['Project', 'projects'],
  ['Workflow', 'workflows'],
  ['Job', 'jobs'],
])

function findResource(item: JsonObject, key: string): string | undefined {
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
