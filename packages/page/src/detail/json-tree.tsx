import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

import { isJsonObject, toObject, tryParseJson } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'
import type { Item } from '../api/item.js'
import { adjust, navigate, dataState } from '../state/navigation.js'
import { CopyButton } from '../widgets/code-block.js'
import { showError } from '../widgets/toasts.js'
import { isNodeOpen, toggleNode, toQueryPath } from './open-nodes.js'
import type { TreePath } from './open-nodes.js'

/** The JSON of an item as a tree. The path of each value can be copied into a query. */
export const JsonTree = ({ item }: { readonly item: Item }): VNode => (
  <div class="json-tree">
    <ul>
      {Object.entries(item).map(([key, value]) => (
        <JsonNode key={key} name={key} value={value ?? null} path={[key]} />
      ))}
    </ul>
  </div>
)

/** The number of children that are shown at once. */
const MAX_CHILDREN = 100

interface JsonNodeProps {
  readonly name: string
  readonly value: Json
  readonly path: TreePath
}

function JsonNode({ name, value, path }: JsonNodeProps): VNode {
  const { open } = dataState.value
  const [limit, setLimit] = useState(MAX_CHILDREN)
  const isContainer = typeof value === 'object' && value !== null
  const queryPath = toQueryPath(path)
  const isOpen = isContainer && isNodeOpen(open, path)
  const children = isOpen ? Object.entries(value) : []
  const stepOf = (key: string): string | number => (Array.isArray(value) ? Number(key) : key)
  const lastOpen = children.findLastIndex(([key]) => isNodeOpen(open, [...path, stepOf(key)]))
  const shown = children.slice(0, Math.max(limit, lastOpen + 1))
  return (
    <li>
      <div class="json-line">
        {isContainer ? (
          <button
            type="button"
            class="json-key mono"
            aria-expanded={isOpen}
            onClick={() => adjust({ open: toggleNode(open, path) })}
          >
            {name} <small>{summarize(value)}</small>
          </button>
        ) : (
          <>
            <span class="json-key mono">{name}</span>
            <code class={`json-value ${typeof value}`}>{JSON.stringify(value)}</code>
          </>
        )}
        {queryPath !== undefined && (
          <span class="json-actions">
            <CopyButton text={queryPath} label={`Copy the path ${queryPath}`} class="quiet small">
              path
            </CopyButton>
            {!isContainer && (
              <button
                type="button"
                class="quiet small"
                aria-label={`Search for this value of ${queryPath}`}
                onClick={() => addToQuery(queryPath, value)}
              >
                + query
              </button>
            )}
          </span>
        )}
      </div>
      {isOpen && (
        <ul>
          {shown.map(([key, child]) => (
            <JsonNode key={key} name={key} value={child ?? null} path={[...path, stepOf(key)]} />
          ))}
          {children.length > shown.length && (
            <li>
              <button
                type="button"
                class="small"
                onClick={() => setLimit(shown.length + MAX_CHILDREN)}
              >
                {children.length - shown.length} more
              </button>
            </li>
          )}
        </ul>
      )}
    </li>
  )
}

const summarize = (value: object): string =>
  Array.isArray(value) ? `[${value.length}]` : `{${Object.keys(value).join(', ').slice(0, 200)}}`

/** Adds a condition to the query, or replaces the condition on the same path. A malformed query stays. */
function addToQuery(path: string, value: Json): void {
  const { query } = dataState.value
  const conditions = query.trim() === '' ? {} : tryParseJson(query)
  const all = JSON.stringify({ ...toObject(conditions), [path]: value })
  if (isJsonObject(conditions)) navigate({ query: all, panel: 'query', page: '' })
  else showError('the query has to be a JSON object before a condition is added')
}
