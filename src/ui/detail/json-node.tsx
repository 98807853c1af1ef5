import { useState } from 'preact/hooks'
import type { VNode } from 'preact'

import type { Json } from '../api/item.js'
import { adjust, pageState } from '../state/navigation.js'
import { CopyButton } from '../widgets/copy-button.js'
import { addToQuery } from './add-to-query.js'
import { isNodeOpen, toggleNode } from './open-nodes.js'
import { toQueryPath } from './query-path.js'

/** The number of children that are shown at once. */
const MAX_CHILDREN = 100

/** The properties of a value in the tree. */
export interface JsonNodeProps {
  readonly name: string
  readonly value: Json
  readonly path: readonly string[]
}

/** A value of the tree. An object or array opens with a click; the address has those that are open. */
export function JsonNode({ name, value, path }: JsonNodeProps): VNode {
  const { open } = pageState.value
  const [limit, setLimit] = useState(MAX_CHILDREN)
  const isContainer = typeof value === 'object' && value !== null
  const queryPath = toQueryPath(path)
  const isOpen = isContainer && isNodeOpen(open, path)
  const children = isOpen ? Object.entries(value) : []
  const lastOpen = children.findLastIndex(([key]) => isNodeOpen(open, [...path, key]))
  const shown = children.slice(0, Math.max(limit, lastOpen + 1))
  return (
    <li>
      <div class="json-line">
        {isContainer ? (
          <button
            type="button"
            class="json-key"
            aria-expanded={isOpen}
            onClick={() => adjust({ open: toggleNode(open, path) })}
          >
            {name} <small>{summarize(value)}</small>
          </button>
        ) : (
          <>
            <span class="json-key">{name}</span>
            <code class={`json-value ${typeof value}`}>{JSON.stringify(value)}</code>
          </>
        )}
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
      </div>
      {isOpen && (
        <ul>
          {shown.map(([key, child]) => (
            <JsonNode key={key} name={key} value={child ?? null} path={[...path, key]} />
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
