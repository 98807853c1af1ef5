import type { VNode } from 'preact'

import { listItems } from '../api/items.js'
import { adjust, pageState } from '../state/navigation.js'
import { useLoad } from '../state/use-load.js'
import type { ComposedList, JsonInput as InputName } from './compose-list.js'
import { collectFieldPaths } from './field-paths.js'
import { JsonInput } from './json-input.js'
import type { LocatedError } from './locate-error.js'
import { MissingItem } from './missing-item.js'
import { RequestShown } from './request-shown.js'

/** The properties of the inputs for JSON. */
export interface QueryPanelProps {
  readonly resource: string
  readonly list: ComposedList
  readonly errors: readonly LocatedError[]
}

/** The items whose fields are offered. */
const SAMPLE = { query: undefined, projection: JSON.stringify({ limit: 50 }) }

/** The inputs, with an example of what each takes. */
const INPUTS: readonly (readonly [name: InputName, example: string])[] = [
  ['query', '{"lattice.type": "FCC", "basis.elements.value": {"$in": ["Si", "Ge"]}}'],
  ['sort', '{"lattice.a": -1}'],
  ['fields', '{"name": 1, "lattice.a": 1}'],
]

/** Takes `query`, `sort` and `fields` as JSON, and shows the request that they make. */
export function QueryPanel({ resource, list, errors }: QueryPanelProps): VNode {
  const { data: fields = [] } = useLoad(
    async (signal) => collectFieldPaths(await listItems(resource, SAMPLE, signal)),
    [resource],
  )
  return (
    <div class="query-panel">
      <div class="query-inputs">
        {INPUTS.map(([name, example]) => (
          <JsonInput
            key={name}
            name={name}
            example={example}
            value={pageState.value[name]}
            fields={fields}
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
