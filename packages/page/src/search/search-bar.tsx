import type { ComponentChildren, VNode } from 'preact'

import { isJsonObject } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'
import { listItems, toUrlParameters } from '../api/items.js'
import { API, basePath, listDetails } from '../http/send.js'
import { completeParameter } from '../json/completions.js'
import type { JsonParameter } from '../json/completions.js'
import { JsonInput } from '../json/json-editor.js'
import { hasControls, session } from '../session/session.js'
import { useTyped, useLoad } from '../state/hooks.js'
import { adjust, navigate, dataState } from '../state/navigation.js'
import { hasSingleKeys } from '../state/preferences.js'
import { ActionForm } from '../widgets/action-button.js'
import { CodeBlock } from '../widgets/code-block.js'
import { Tabs } from '../widgets/tabs.js'
import { Failure } from '../widgets/toasts.js'
import { locateErrors } from './compose-list.js'
import type { ComposedList, LocatedError } from './compose-list.js'
import { formatSnippets } from './request-snippets.js'

interface SearchBarProps {
  readonly resource: string
  readonly list: ComposedList
  readonly error: Error | undefined
  readonly children: ComponentChildren
}

/** The field for a word or a formula, and behind a button the inputs for JSON. */
export function SearchBar({ resource, list, error, children }: SearchBarProps): VNode {
  const { search, panel } = dataState.value
  const { text, type, commit } = useTyped(search, (next) => adjust({ search: next, page: '' }))
  const isOpen = panel === 'query'
  const errors = error === undefined ? [] : locateErrors(listDetails(error), list)
  const elsewhere = errors.filter(({ input }) => input === undefined || !isOpen)
  return (
    <search class="search">
      <div class="search-line">
        <input
          type="search"
          aria-keyshortcuts={hasSingleKeys.value ? '/' : undefined}
          placeholder={
            resource.endsWith('materials') ? 'A formula or a word, e.g. SiO2' : 'A word of the name'
          }
          aria-label={`Search ${resource}`}
          value={text}
          onInput={(event) => type(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit()}
        />
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => navigate({ panel: isOpen ? '' : 'query' })}
        >
          Query
        </button>
        {children}
      </div>
      {isOpen && <QueryPanel resource={resource} list={list} errors={errors} />}
      {elsewhere.map(({ message }) => (
        <Failure key={message} error={error}>
          {message}
        </Failure>
      ))}
    </search>
  )
}

interface QueryPanelProps {
  readonly resource: string
  readonly list: ComposedList
  readonly errors: readonly LocatedError[]
}

const SAMPLE = { query: undefined, projection: JSON.stringify({ limit: 50 }) }

const INPUTS: readonly (readonly [name: JsonParameter, example: string])[] = [
  ['query', '{"lattice.type": "FCC", "basis.elements.value": {"$in": ["Si", "Ge"]}}'],
  ['sort', '{"lattice.a": -1}'],
  ['fields', '{"name": 1, "lattice.a": 1}'],
]

/** Takes `query`, `sort` and `fields` as JSON, and shows the request that they make. */
function QueryPanel({ resource, list, errors }: QueryPanelProps): VNode {
  const { data: fields = [] } = useLoad(
    async (signal) => {
      const items = await listItems(resource, SAMPLE, signal)
      return [...new Set(items.flatMap((item) => listPaths(item)))]
    },
    [resource],
  )
  return (
    <div class="query-panel">
      <div class="stack">
        {INPUTS.map(([name, example]) => (
          <JsonInput
            key={name}
            label={name}
            example={example}
            value={dataState.value[name]}
            complete={completeParameter(name, fields)}
            error={errors.find(({ input }) => input === name)}
            onChange={(text) =>
              adjust({ [name]: text, page: '', ...(name === 'sort' ? { order: '' } : {}) })
            }
          />
        ))}
        <MissingItem />
      </div>
      <RequestShown resource={resource} list={list} />
    </div>
  )
}

/** Shows the request of a list as curl, `fetch` and Python, to copy. */
function RequestShown({ resource, list }: Omit<QueryPanelProps, 'errors'>): VNode {
  const snippets = formatSnippets({
    origin: location.origin + basePath(),
    path: `${API}/${resource}`,
    headers: { ...session.value?.headers },
    parameters: toUrlParameters({ query: list.query?.text, projection: list.projection.text }),
  })
  return (
    <Tabs
      label="The request"
      chosen={dataState.value.code}
      onChoose={(code) => adjust({ code })}
      tabs={snippets.map(({ name, code }) => ({
        name,
        content: () => <CodeBlock code={code} label={`the request as ${name}`} />,
      }))}
    />
  )
}

/** Takes the `_id` of an item that is missing in the list, and opens the item, whose pane says why. */
export function MissingItem(): VNode | null {
  if (hasControls.value !== true) return null
  return (
    <ActionForm
      class="missing-item button-line muted"
      action="Explain"
      onAct={async (values) => navigate({ item: String(values.get('id')).trim() })}
    >
      <label>
        An item is missing?{' '}
        <input
          name="id"
          class="mono"
          placeholder="e.g. TpjPTBupQjav8TqH8"
          required
          spellcheck={false}
        />
      </label>
    </ActionForm>
  )
}

/** The depth to which fields are offered. */
const MAX_DEPTH = 5

/** The number of elements of an array whose fields are offered. */
const MAX_ELEMENTS = 20

/** Lists the paths of all fields in a value, without the indexes of arrays, as a query names them. */
function listPaths(value: Json, depth = 0): string[] {
  if (Array.isArray(value))
    return value.slice(0, MAX_ELEMENTS).flatMap((each: Json) => listPaths(each, depth))
  if (!isJsonObject(value) || depth === MAX_DEPTH) return []
  return Object.entries(value).flatMap(([key, child]) => [
    key,
    ...listPaths(child, depth + 1).map((path) => `${key}.${path}`),
  ])
}
