import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

import type { Item } from '../api/item.js'
import { describeNewItem } from '../api/resources.js'
import { copyItem, deleteItem, getItem, restoreItem, submitJob, updateItem } from '../api/items.js'
import { formatJson } from '../json/json-text.js'
import { useLoad } from '../state/hooks.js'
import { navigate } from '../state/navigation.js'
import { reloadItems } from '../state/versions.js'
import { ActionButton } from '../widgets/action-button.js'
import { focusSoon, showError, showToast } from '../widgets/toasts.js'
import { markMade } from './create-items.js'
import { applyEdit, diffItem, findConflicts, toUpdate } from './diff-item.js'
import type { Conflict } from './diff-item.js'
import { JsonDialog } from './json-dialog.js'

/** The properties of the actions on an item. */
export interface ItemActionsProps {
  readonly resource: string
  readonly item: Item
}

/** The actions on an item: edit, copy, delete, and submit a job. */
export function ItemActions({ resource, item }: ItemActionsProps): VNode {
  const [edited, edit] = useState<Item>()
  const isBank = resource.startsWith('bank-')
  const id = item._id ?? ''
  return (
    <div class="button-line">
      {resource === 'jobs' && item.status === 'pre-submission' && (
        <ActionButton
          class="primary"
          onAct={() => submitJob(id).finally(() => reloadItems([resource]))}
        >
          Submit
        </ActionButton>
      )}
      {!isBank && (
        <button type="button" onClick={() => edit(item)}>
          Edit
        </button>
      )}
      <ActionButton onAct={() => copyAndOpen(resource, id)}>Copy</ActionButton>
      {!isBank && (
        <ActionButton class="danger" onAct={() => remove(resource, item)}>
          Delete
        </ActionButton>
      )}
      {edited !== undefined && (
        <EditDialog resource={resource} item={edited} onClose={() => edit(undefined)} />
      )}
    </div>
  )
}

interface EditDialogProps extends ItemActionsProps {
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
        const edit = diffItem(base, text)
        const update = toUpdate(edit)
        if (update === undefined) return undefined
        const current = await getItem(resource, id)
        const conflicts = findConflicts(base, current, edit)
        if (conflicts.length > 0) {
          setBase(current)
          return { text: formatJson(applyEdit(current, edit)), reason: describe(conflicts) }
        }
        await updateItem(resource, id, update)
        reloadItems([resource])
        return undefined
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
  const copy = await copyItem(resource, id)
  const target = resource.replace(/^bank-/, '')
  markMade([copy])
  reloadItems([target])
  navigate({ resource: target, item: copy._id ?? '' })
  showToast({ text: 'Copied' })
}

async function remove(resource: string, item: Item): Promise<void> {
  const open = (): void => navigate({ resource, item: item._id ?? '' })
  navigate({ item: '' }) // before the request, so that nothing loads an item that is gone
  await deleteItem(resource, item._id ?? '').catch((error: unknown) => {
    open()
    throw error
  })
  reloadItems([resource])
  const undo = async (): Promise<void> => {
    const restored = await restoreItem(resource, item)
    reloadItems([resource])
    navigate({ resource, item: restored._id ?? '' })
    focusSoon('.item-pane')
  }
  showToast({
    text: 'Deleted',
    action: { label: 'Undo', run: () => void undo().catch(showError) },
  })
  focusSoon('.toast:last-child button')
}
