import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

import type { Item } from '../api/item.js'
import { copyItem, deleteItem, submitJob, updateItem } from '../api/items.js'
import { navigate, reloadData } from '../state/navigation.js'
import { showError, showToast } from '../widgets/toasts.js'
import { diffItem } from './diff-item.js'
import { JsonDialog } from './json-dialog.js'

/** The properties of the actions on an item. */
export interface ItemActionsProps {
  readonly resource: string
  readonly item: Item
}

/** What can be done with an item: edit, copy, delete, and submit a job. */
export function ItemActions({ resource, item }: ItemActionsProps): VNode {
  const [isEditing, setEditing] = useState(false)
  const isBank = resource.startsWith('bank-')
  const id = item._id ?? ''
  return (
    <div class="button-line">
      {resource === 'jobs' && item.status === 'pre-submission' && (
        <button type="button" class="primary" onClick={() => void attempt(submitJob(id))}>
          Submit
        </button>
      )}
      {!isBank && (
        <button type="button" onClick={() => setEditing(true)}>
          Edit
        </button>
      )}
      <button type="button" onClick={() => void attempt(copyAndOpen(resource, id))}>
        Copy
      </button>
      {!isBank && (
        <button type="button" class="danger" onClick={() => void attempt(remove(resource, item))}>
          Delete
        </button>
      )}
      {isEditing && (
        <JsonDialog
          title="Edit as JSON"
          label="JSON of the item"
          text={JSON.stringify(item, null, 2)}
          action="Save"
          onSubmit={async (text) => {
            const update = diffItem(item, text)
            if (update !== undefined) await updateItem(resource, id, update)
            reloadData()
          }}
          onClose={() => setEditing(false)}
        />
      )}
    </div>
  )
}

/** Waits for a write, shows its error, and lets lists load again. */
async function attempt(write: Promise<unknown>): Promise<void> {
  await write.catch(showError)
  reloadData()
}

async function copyAndOpen(resource: string, id: string): Promise<void> {
  const copy = await copyItem(resource, id)
  navigate({ resource: resource.replace(/^bank-/, ''), item: copy._id ?? '' })
  showToast({ text: 'Copied' })
}

async function remove(resource: string, item: Item): Promise<void> {
  const open = (): void => navigate({ resource, item: item._id ?? '' })
  navigate({ item: '' }) // before the request, so that nothing loads an item that is gone
  const restore = await deleteItem(resource, item).catch((error: unknown) => {
    open()
    throw error
  })
  const undo = async (): Promise<void> => {
    await restore()
    open()
    focusSoon('.item-pane')
  }
  showToast({ text: 'Deleted', action: { label: 'Undo', run: () => void attempt(undo()) } })
  focusSoon('.toast:last-child button')
}

/** Moves the focus to an element that the next drawing makes. */
const focusSoon = (selector: string): void =>
  void requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())
