import type { VNode } from 'preact'

import { isBlank, nameOf } from '../api/item.js'
import type { Item } from '../api/item.js'
import { getItem, explainItem } from '../api/items.js'
import { isRefused } from '../http/send.js'
import { composeList } from '../search/compose-list.js'
import { accounts, hasControls, isReadOnly } from '../session/session.js'
import { useLoad } from '../state/hooks.js'
import { adjust, dataState } from '../state/navigation.js'
import { versionOf } from '../state/versions.js'
import { formatValue } from '../table/format-value.js'
import { FieldTable } from '../table/item-facts.js'
import { isMaterial } from '../table/listed-material.js'
import { Formula, kindOf } from '../table/resource-columns.js'
import { CodeBlock, CopyButton } from '../widgets/code-block.js'
import { Pane } from '../widgets/pane.js'
import { Tabs } from '../widgets/tabs.js'
import { Failure, Notice } from '../widgets/toasts.js'
import { ItemActions } from '../write/item-actions.js'
import type { ShownItem } from '../write/item-actions.js'
import { JsonTree } from './json-tree.js'
import { MaterialTables } from './material-tables.js'

interface ItemPaneProps {
  readonly resource: string
  readonly id: string
  /** What else closing it does. */
  readonly onClose?: (() => void) | undefined
}

/** An item, beside the list. */
export function ItemPane({ resource, id, onClose }: ItemPaneProps): VNode {
  const { data, error } = useLoad(
    (signal) => getItem(resource, id, signal),
    [],
    versionOf(resource),
    `${resource}/${id}`,
  )
  // The item that was loaded before was deleted.
  const item = error === undefined ? data : undefined
  const why = useWhyNot(resource, id, isRefused(error))
  const name = item === undefined ? id : formatValue(nameOf(item))
  return (
    <Pane
      id={id}
      label="The open item"
      onClose={onClose}
      title={
        <h2 class="title" title={name}>
          {item === undefined ? id : <Title item={item} />}
        </h2>
      }
      actions={
        <div class="button-line item-actions">
          {!isReadOnly.value && <ItemActions resource={resource} item={item} />}
          {(item !== undefined || error !== undefined) && (
            <button type="button" class="small" aria-label="The _id" popovertarget="item-id">
              ⋯
            </button>
          )}
          <div id="item-id" class="popover" popover="auto">
            <code>{id}</code>{' '}
            <CopyButton text={id} class="small">
              Copy _id
            </CopyButton>
          </div>
        </div>
      }
    >
      <Failure error={error} />
      {isReadOnly.value && (
        <p class="muted">
          The server is read-only (<code>--read-only</code>).
        </p>
      )}
      {why.shown}
      {item !== undefined && why.isKnown && <Content resource={resource} item={item} />}
    </Pane>
  )
}

function Title({ item }: { readonly item: Item }): VNode {
  const { formula } = item
  const name = formatValue(nameOf(item))
  if (!isMaterial(item) || typeof formula !== 'string' || isBlank(formula)) return <>{name}</>
  return (
    <>
      <Formula text={formula} /> <small>{name}</small>
    </>
  )
}

/** The kinds of items that have a panel of their own, by the name of its tab. */
const PANELS: ReadonlyMap<string, 'Job' | 'Property' | 'Workflow' | 'Project'> = new Map([
  ['jobs', 'Job'],
  ['properties', 'Property'],
  ['workflows', 'Workflow'],
  ['projects', 'Project'],
])

interface PanelProps {
  readonly name: 'JobView' | 'PropertyView' | 'WorkflowView' | 'ProjectView'
  readonly item: Item
}

/** A panel of a kind of items. All of them are loaded with the first one. */
function Panel({ name, item }: PanelProps): VNode {
  const { data: panels, error } = useLoad(() => import('../jobs/item-panels.js'), [])
  if (error !== undefined)
    return <Notice kind="error">{`The panel could not be loaded: ${error.message}`}</Notice>
  const View = panels?.[name]
  return View === undefined ? <div aria-busy="true" /> : <View item={item} />
}

function Content({ resource, item }: ShownItem): VNode {
  const panel = PANELS.get(kindOf(resource))
  const first = isMaterial(item)
    ? { name: 'Structure', content: () => <MaterialTables item={item} /> }
    : panel !== undefined
      ? { name: panel, content: () => <Panel name={`${panel}View`} item={item} /> }
      : { name: 'Fields', content: () => <FieldTable item={item} /> }
  return (
    <Tabs
      label="The item"
      chosen={dataState.value.tab}
      onChoose={(tab) => adjust({ tab })}
      tabs={[
        first,
        { name: 'JSON', content: () => <JsonTree item={item} /> },
        {
          name: 'Text',
          content: () => (
            <CodeBlock code={JSON.stringify(item, null, 2)} label="the JSON of the item" />
          ),
        },
      ]}
    />
  )
}

/**
 * Explains why the open item is not in the list beside it; nothing if it is in the list.
 * @param isGone whether the API hides the item from the account
 * @returns what to show, and whether that is known, so that nothing moves when it comes
 */
function useWhyNot(
  resource: string,
  id: string,
  isGone: boolean,
): { readonly shown: VNode | null; readonly isKnown: boolean } {
  const query = composeList(dataState.value).query?.text
  const isAsked = hasControls.value === true && (query !== undefined || isGone)
  const { data, error } = useLoad(
    async (signal) => (isAsked ? explainItem(resource, id, query, signal) : undefined),
    [query, isAsked],
    versionOf(resource),
    `${resource}/${id}`,
  )
  const isKnown = !isAsked || data !== undefined || error !== undefined
  // A wrong query and a deleted item have messages elsewhere.
  if (error !== undefined)
    return { shown: isRefused(error) ? null : <Failure error={error} />, isKnown }
  if (data === undefined || data.matches === true) return { shown: null, isKnown }
  const shown = (
    <section class="why-not">
      <h3>Why it is not in the list</h3>
      <CodeBlock code={nameAccounts(data.text)} label="why it is not in the list" />
    </section>
  )
  return { shown, isKnown }
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
