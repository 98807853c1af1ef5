import { useState } from 'preact/hooks'
import type { VNode } from 'preact'

import type { Json } from '../api/item.js'
import { CopyButton } from '../widgets/copy-button.js'
import { addToQuery } from './add-to-query.js'
import { toQueryPath } from './query-path.js'

/** The number of children that are shown at once. */
const MAX_CHILDREN = 100

/** The properties of a value in the tree. */
export interface JsonNodeProps {
  readonly name: string
  readonly value: Json
  readonly path: readonly string[]
}

/** A value of the tree. An object or array opens with a click. */
export function JsonNode({ name, value, path }: JsonNodeProps): VNode {
  const [isOpen, setOpen] = useState(false)
  const [limit, setLimit] = useState(MAX_CHILDREN)
  const isContainer = typeof value === 'object' && value !== null
  const queryPath = toQueryPath(path)
  const children = isContainer && isOpen ? Object.entries(value) : []
  return (
    <li>
      <div class="json-line">
        {isContainer ? (
          <button
            type="button"
            class="json-key"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
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
          {children.slice(0, limit).map(([key, child]) => (
            <JsonNode key={key} name={key} value={child ?? null} path={[...path, key]} />
          ))}
          {children.length > limit && (
            <li>
              <button type="button" class="small" onClick={() => setLimit(limit + MAX_CHILDREN)}>
                {children.length - limit} more
              </button>
            </li>
          )}
        </ul>
      )}
    </li>
  )
}

const summarize = (value: object): string =>
  Array.isArray(value) ? `[${value.length}]` : `{${Object.keys(value).join(', ').slice(0, 60)}}`
