import { signal } from '@preact/signals'
import type { VNode } from 'preact'

import { nameOf } from '../api/item.js'
import type { Item } from '../api/item.js'
import { listServed } from '../api/items.js'
import { toResource } from '../state/page-state.js'
import { Link } from '../widgets/link.js'
import type { Reference } from './columns.js'
import { formatValue } from './format-value.js'

/** The names of items by resource and `_id`, as the last list of them had them. */
const names = signal<ReadonlyMap<string, string>>(new Map())

const toKey = ({ resource, id }: Reference): string => `${resource}/${id}`

/** Loads the names of referred items, one request for each resource, before they are shown. */
export async function loadNames(
  references: readonly Reference[],
  abort?: AbortSignal,
): Promise<void> {
  const ids = new Map<string, Set<string>>()
  for (const { resource, id } of references)
    ids.set(resource, (ids.get(resource) ?? new Set()).add(id))
  const lists = await Promise.all(
    [...ids].map(async ([resource, wanted]) => {
      const query = JSON.stringify({ _id: { $in: [...wanted] } })
      const projection = JSON.stringify({ limit: 500, fields: { name: 1, slug: 1 } })
      const items = await listServed(resource, { query, projection }, abort)
      return items.map((item) => ({ resource, item }))
    }),
  )
  const found = lists
    .flat()
    .map(
      ({ resource, item }) => [toKey({ resource, id: item._id ?? '' }), formatName(item)] as const,
    )
  if (found.length > 0) names.value = new Map([...names.value, ...found])
}

const formatName = (item: Item): string => formatValue(nameOf(item))

interface ReferenceLinkProps {
  readonly to: Reference
  /** The text until the name is known. */
  readonly fallback: string
}

/** A link to an item, with its name. */
export const ReferenceLink = ({ to, fallback }: ReferenceLinkProps): VNode => (
  <Link to={toResource(to.resource, to.id)}>{names.value.get(toKey(to)) ?? fallback}</Link>
)
