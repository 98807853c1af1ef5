import type { VNode } from 'preact'

import { explainItem } from '../api/items.js'
import { composeList } from '../search/compose-list.js'
import { accounts, hasControls } from '../session/session-state.js'
import { useLoad } from '../state/hooks.js'
import { dataState } from '../state/navigation.js'
import { versionOf } from '../state/versions.js'
import { CodeBlock } from '../widgets/code-block.js'

/** The properties of an explanation. */
export interface WhyNotProps {
  readonly resource: string
  readonly id: string
  /** Whether the API hides the item from the account. */
  readonly isRefused: boolean
}

/** Explains why the open item is not in the list beside it; empty if it is in the list. */
export function WhyNot({ resource, id, isRefused }: WhyNotProps): VNode | null {
  const query = composeList(dataState.value).query?.text
  const isAsked = hasControls.value === true && (query !== undefined || isRefused)
  const { data, error } = useLoad(
    async (signal) => (isAsked ? explainItem(resource, id, query, signal) : undefined),
    [resource, id, query, isAsked, versionOf(resource)],
  )
  // A wrong query and a deleted item have messages elsewhere.
  if (data === undefined || error !== undefined || data.matches === true) return null
  return (
    <section class="why-not">
      <h3>Why it is not in the list</h3>
      <CodeBlock code={nameAccounts(data.text)} label="why it is not in the list" />
    </section>
  )
}

/** Names accounts in the first line, which has the verdict; the other lines quote values. */
function nameAccounts(text: string): string {
  const [verdict = '', ...conditions] = text.split('\n')
  const named = accounts.value.reduce(
    (line, { _id, username }) => line.replace(` ${_id}`, ` ${username}`),
    verdict,
  )
  return [named, ...conditions].join('\n')
}
