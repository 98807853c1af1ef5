import type { VNode } from 'preact'

import type { Item } from '../api/item.js'
import { JsonNode } from './json-node.js'

/** The JSON of an item as a tree; each value has its path, to copy into a query. */
export const JsonTree = ({ item }: { readonly item: Item }): VNode => (
  <div class="json-tree">
    <ul>
      {Object.entries(item).map(([key, value]) => (
        <JsonNode key={key} name={key} value={value ?? null} path={[key]} />
      ))}
    </ul>
  </div>
)
