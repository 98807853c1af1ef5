import type { VNode } from 'preact'
import { useCallback, useState } from 'preact/hooks'

import { ApiError } from '@materials-mock/client'
import { nameOf } from '../api/item.js'
import type { Item } from '../api/item.js'
import { copyItem, deleteItem, getItem, restoreItem, submitJob, updateItem } from '../api/items.js'
import { describeNewItem } from '../api/resources.js'
import { JsonDialog, SubmitAgain } from '../json/json-editor.js'
import { formatJson } from '../json/json-text.js'
import { isReadOnly, isWritable } from '../session/session.js'
import { useLoad } from '../state/hooks.js'
import { navigate } from '../state/navigation.js'
import { reload } from '../state/versions.js'
import { ActionButton } from '../widgets/action-button.js'
import { saveFile } from '../widgets/code-block.js'
import { focusSoon, showToast } from '../widgets/toasts.js'
import type { Conflict } from './item-text.js'
import { markMade } from './new-items.js'
import { RunButton } from './run-button.js'

export interface ShownItem {
  readonly resource: string
  readonly item: Item
}

interface ItemActionsProps {
  readonly resource: string
  /** The item; undefined while it loads, and after somebody has deleted it. */
  readonly item: Item | undefined
}

/** The actions on an item. An edit stays open whatever happens to the item, so that no text is lost. */
export function ItemActions({ resource, item }: ItemActionsProps): VNode {
  const [edited, edit] = useState<ShownItem>()
  return (
    <>
      {item !== undefined && (
        <ActionButtons resource={resource} item={item} onEdit={() => edit({ resource, item })} />
      )}
      {edited !== undefined && <EditDialog {...edited} onClose={() => edit(undefined)} />}
    </>
  )
}

interface ActionButtonsProps extends ShownItem {
  readonly onEdit: () => void
}

function ActionButtons({ resource, item, onEdit }: ActionButtonsProps): VNode {
  const id = item._id ?? ''
  return (
    <>
      {(resource === 'materials' || resource === 'workflows') && (
        <RunButton
          class="small primary"
          {...(resource === 'materials' ? { materials: [item] } : { workflow: item })}
        />
      )}
      {resource === 'jobs' && item.status === 'pre-submission' && (
        <ActionButton
          class="small primary"
          onAct={() => submitJob(id).finally(() => reload([resource]))}
        >
          Submit
        </ActionButton>
      )}
      {isWritable(resource) && (
        <button type="button" class="small" onClick={onEdit}>
          Edit
        </button>
      )}
      <ActionButton class="small" onAct={() => copyAndOpen(resource, id)}>
        Copy
      </ActionButton>
      {isWritable(resource) && (
        <ActionButton class="small bad" onAct={() => remove(resource, item)}>
          Delete
        </ActionButton>
      )}
    </>
  )
}

interface EditDialogProps extends ShownItem {
  readonly onClose: () => void
}

/**
 * Edits the item as it was when the dialog opened. Only the edited fields are sent. If somebody else
 * has changed the same field meanwhile, the dialog says so, and shows the edit of the current item.
 */
function EditDialog({ resource, item, onClose }: EditDialogProps): VNode {
  const [base, setBase] = useState(item)
  const { data: body } = useLoad((signal) => describeNewItem(resource, signal), [resource])
  const id = item._id ?? ''
  return (
    <JsonDialog
      title="Edit as JSON"
      label="JSON of the item"
      text={formatJson(item)}
      action="Save"
      focus="start"
      body={body}
      onSubmit={async (text) => {
        const { applyEdit, diffItem, findConflicts, toUpdate } = await import('./item-text.js')
        const edit = diffItem(base, text)
        const update = toUpdate(edit)
        if (update === undefined) return
        const current = await getItem(resource, id)
        const conflicts = findConflicts(base, current, edit)
        if (conflicts.length > 0) {
          setBase(current)
          throw new SubmitAgain(describe(conflicts), applyEdit(current, edit))
        }
        await updateItem(resource, id, update)
        reload([resource])
      }}
      onClose={onClose}
    />
  )
}

const describe = (conflicts: readonly Conflict[]): string => {
  const changes = conflicts.map(({ path, theirs }) =>
    theirs === undefined ? `removed ${path}` : `set ${path} to ${JSON.stringify(theirs)}`,
  )
  return `Meanwhile, somebody else has ${changes.join(', and ')}. Save again to write your values.`
}

async function copyAndOpen(resource: string, id: string): Promise<void> {
  const [copy] = await copyItems(resource, [id])
  navigate({ resource: findTarget(resource), item: copy?._id ?? '' })
  showToast({ text: 'Copied' })
}

async function remove(resource: string, item: Item): Promise<void> {
  const { _id = '' } = item
  navigate({ item: '' }) // before the request, so that nothing loads an item that is gone
  await deleteItem(resource, _id).catch((error: unknown) => {
    navigate({ resource, item: _id })
    throw error
  })
  reload([resource])
  offerUndo(`Deleted ${String(nameOf(item))}`, resource, [item], (restored) => {
    navigate({ resource, item: restored._id ?? '' })
    focusSoon('.item-pane')
  })
}

export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly select: (ids: Iterable<string>) => void
  /** Selects an item, or no longer. The same function for each render. */
  readonly toggle: (id: string) => void
}

export function useSelection(): Selection {
  const [ids, set] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback(
    (id: string) =>
      set(
        (last) => new Set(last.has(id) ? [...last].filter((each) => each !== id) : [...last, id]),
      ),
    [],
  )
  return { ids, select: (next) => set(new Set(next)), toggle }
}

interface SelectionBarProps {
  readonly resource: string
  readonly selection: Selection
}

export function SelectionBar({ resource, selection }: SelectionBarProps): VNode {
  return (
    <div class="selection-bar button-line" role="region" aria-label="The selected items">
      <span role="status">{selection.ids.size} selected</span>
      <ActionButton onAct={() => exportSelected(resource, selection)}>Export as JSON</ActionButton>
      {resource === 'materials' && !isReadOnly.value && (
        <RunButton load={() => getSelected(resource, selection)} />
      )}
      {!isReadOnly.value && (
        <ActionButton onAct={() => copySelected(resource, selection)}>Copy selected</ActionButton>
      )}
      {isWritable(resource) && (
        <ActionButton class="bad" onAct={() => deleteSelected(resource, selection)}>
          Delete selected
        </ActionButton>
      )}
      <button type="button" class="quiet" onClick={() => selection.select([])}>
        Select none
      </button>
    </div>
  )
}

/** Gets the selected items. An item that was deleted meanwhile is no longer selected. */
async function getSelected(resource: string, { ids, select }: Selection): Promise<Item[]> {
  const found = await Promise.all(
    [...ids].map((id) =>
      getItem(resource, id).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return undefined
        throw error
      }),
    ),
  )
  const items = found.filter((item) => item !== undefined)
  if (items.length < ids.size) select(listIds(items))
  return items
}

const listIds = (items: readonly Item[]): string[] => items.map(({ _id = '' }) => _id)

async function exportSelected(resource: string, selection: Selection): Promise<void> {
  const text = formatJson(await getSelected(resource, selection))
  saveFile(new Blob([text], { type: 'application/json' }), `${resource}.json`)
}

async function copySelected(resource: string, selection: Selection): Promise<void> {
  const copies = await copyItems(resource, listIds(await getSelected(resource, selection)))
  showToast({ text: `Copied ${copies.length} to ${findTarget(resource)}` })
}

/** Deletes items one after the other. Those that are not deleted stay selected. */
async function deleteSelected(resource: string, selection: Selection): Promise<void> {
  navigate({ item: '' })
  const items = await getSelected(resource, selection)
  let count = 0
  try {
    for (const id of listIds(items)) {
      await deleteItem(resource, id)
      count += 1
    }
  } finally {
    reload([resource])
    selection.select(listIds(items.slice(count)))
    if (count > 0) offerUndo(`Deleted ${count}`, resource, items.slice(0, count))
  }
}

/** Returns the resource of the copies of a resource's items. */
const findTarget = (resource: string): string => resource.replace(/^bank-/, '')

/** Copies items one after the other, and marks the copies. */
async function copyItems(resource: string, ids: readonly string[]): Promise<Item[]> {
  const copies: Item[] = []
  try {
    for (const id of ids) copies.push(await copyItem(resource, id))
  } finally {
    markMade(copies)
    reload([findTarget(resource)])
  }
  return copies
}

/** Moves the focus to it. After a failure, it restores those that are left. */
function offerUndo(
  text: string,
  resource: string,
  deleted: readonly Item[],
  onRestored?: (item: Item) => void,
): void {
  let left = deleted
  const restore = async (): Promise<void> => {
    const reasons = new Map<Item, unknown>()
    for (const item of left)
      await restoreItem(resource, item).then(onRestored, (reason) => reasons.set(item, reason))
    left = [...reasons.keys()]
    reload([resource])
    if (reasons.size > 0) throw [...reasons.values()][0]
  }
  showToast({ text, action: { label: 'Undo', run: restore } })
  focusSoon('.toast button')
}
