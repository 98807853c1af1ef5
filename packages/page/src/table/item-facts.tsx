import type { ComponentChildren, VNode } from 'preact'

import type { Json, JsonObject } from '@materials-mock/json'
import { listFields, nameOf } from '../api/item.js'
import type { Item } from '../api/item.js'
import { listServed } from '../api/items.js'
import { useLoad } from '../state/hooks.js'
import { toResource } from '../state/page-state.js'
import { versionOf } from '../state/versions.js'
import { Link } from '../widgets/link.js'
import { Table } from '../widgets/table.js'
import { Failure } from '../widgets/toasts.js'
import { formatValue } from './format-value.js'
import { loadNames, ReferenceLink } from './reference-names.js'
import { Status } from './status.js'

/** The fields of an item that have a plain value, by path. The `_id` of another item is a link to it. */
export const FieldTable = ({ item }: { readonly item: Item }): VNode => (
  <Table
    rows={listFields(item).map(({ keys, value, parent }) => {
      const resource = findResource(parent, keys.at(-1))
      const text = formatValue(value)
      const isLink = resource !== undefined && typeof value === 'string'
      return [keys.join('.'), isLink ? <Link to={toResource(resource, value)}>{text}</Link> : text]
    })}
  />
)

/** The fields of an item below what its panel shows of it. */
export const FieldSection = ({ item }: { readonly item: Item }): VNode => (
  <section>
    <h3>Fields</h3>
    <FieldTable item={item} />
  </section>
)

interface FactProps {
  readonly name: string
  readonly children: ComponentChildren
}

export const Fact = ({ name, children }: FactProps): VNode => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

interface ReferenceProps {
  readonly name: string
  readonly resource: string
  readonly items: readonly Item[]
}

/** A fact of a summary that leads to other items, if their `_id` is known. */
export function Reference({ name, resource, items }: ReferenceProps): VNode | null {
  const known = items.filter(({ _id }) => typeof _id === 'string')
  const ids = known.map(({ _id = '' }) => _id)
  useLoad(
    async (signal) =>
      loadNames(
        ids.map((id) => ({ resource, id })),
        signal,
      ),
    [resource, ids.join()],
    versionOf(resource),
  )
  if (known.length === 0) return null
  return (
    <Fact name={name}>
      {known.map((item) => (
        <>
          <ReferenceLink
            to={{ resource, id: item._id ?? '' }}
            fallback={formatValue(nameOf(item))}
          />{' '}
        </>
      ))}
    </Fact>
  )
}

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

const PROJECTION = JSON.stringify({
  fields: { name: 1, status: 1 },
  sort: { createdAt: -1 },
  limit: 100,
})

/** The jobs that match a query, such as the jobs of a material, a workflow or a project, if there are any. */
export function JobsOf({ query }: { readonly query: JsonObject }): VNode | null {
  const text = JSON.stringify(query)
  const { data: jobs = [], error } = useLoad(
    (signal) => listServed('jobs', { query: text, projection: PROJECTION }, signal),
    [text],
    versionOf('jobs'),
  )
  if (jobs.length === 0) return <Failure error={error} />
  return (
    <section>
      <h3>Jobs</h3>
      <Table
        rows={jobs.map((job) => [
          <Link to={toResource('jobs', job._id)}>{formatValue(nameOf(job))}</Link>,
          <Status status={formatValue(job.status)} />,
        ])}
      />
    </section>
  )
}
