import type { VNode } from 'preact'

import { API } from '../api/call.js'
import { session } from '../session/session-state.js'
import { adjust, pageState } from '../state/navigation.js'
import { CodeBlock } from '../widgets/code-block.js'
import { Tabs } from '../widgets/tabs.js'
import type { ComposedList } from './compose-list.js'
import { formatSnippets } from './request-snippets.js'

/** The properties of a shown request. */
export interface RequestShownProps {
  readonly resource: string
  readonly list: ComposedList
}

/** Shows the request of a list as curl, `fetch` and Python, to copy. */
export function RequestShown({ resource, list }: RequestShownProps): VNode {
  const snippets = formatSnippets({
    origin: location.origin,
    path: `${API}/${resource}`,
    method: 'GET',
    headers: { ...session.value?.headers },
    parameters: { query: list.query?.text, projection: list.projection.text },
  })
  return (
    <Tabs
      label="The request"
      chosen={pageState.value.code}
      onChoose={(code) => adjust({ code })}
      tabs={snippets.map(({ name, code }) => ({
        name,
        content: () => <CodeBlock code={code} label={`the request as ${name}`} />,
      }))}
    />
  )
}
