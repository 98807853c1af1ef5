import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

import { copyItem, deleteItem, getItem, restoreItem } from '../api/items.js'
import { formatJson } from '../json/json-text.js'
import { navigate } from '../state/navigation.js'
import { reloadItems } from '../state/versions.js'
import type { Selection } from '../table/item-table.js'
import { ActionButton } from '../widgets/action-button.js'
import { showError, showToast } from '../widgets/toasts.js'
import { markMade } from '../write/create-items.js'

/** Returns the selection of the list of a resource. */
export function useSelection(resource: string): Selection {
  const [{ of, ids }, set] = useState<{ of: string; ids: ReadonlySet<string> }>({
    of: resource,
    ids: new Set(),
  })
  return {
    ids: of === resource ? ids : new Set(),
    select: (next) => set({ of: resource, ids: new Set(next) }),
  }
}

/** The properties of the bar of a selection. */
export interface SelectionBarProps {
  readonly resource: string
  readonly selection: Selection
  readonly isReadOnly: boolean
}

/** The actions for the selected items: copy, delete and export. */
export function SelectionBar({ resource, selection, isReadOnly }: SelectionBarProps): VNode {
  const ids = [...selection.ids]
  const isBank = resource.startsWith('bank-')
  return (
    <div class="selection-bar button-line" role="region" aria-label="The selected items">
      <span role="status">{ids.length} selected</span>
      <ActionButton onAct={() => exportItems(resource, ids)}>Export as JSON</ActionButton>
      {!isReadOnly && (
        <ActionButton onAct={() => copyItems(resource, ids)}>Copy selected</ActionButton>
      )}
      {!isReadOnly && !isBank && (
        <ActionButton
          class="danger"
          onAct={async () => {
            await deleteItems(resource, ids)
            selection.select([])
          }}
        >
          Delete selected
        </ActionButton>
      )}
      <button type="button" class="quiet" onClick={() => selection.select([])}>
        Select none
      </button>
    </div>
  )
}

async function exportItems(resource: string, ids: readonly string[]): Promise<void> {
  const items = await Promise.all(ids.map((id) => getItem(resource, id)))
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([formatJson(items)], { type: 'application/json' }))
  link.download = `${resource}.json`
  link.click()
  URL.revokeObjectURL(link.href)
}

async function copyItems(resource: string, ids: readonly string[]): Promise<void> {
  const target = resource.replace(/^bank-/, '')
  try {
    for (const id of ids) markMade([await copyItem(resource, id)])
  } finally {
    reloadItems([target])
  }
  showToast({ text: `Copied ${ids.length} to ${target}` })
}

/** Deletes items one after the other. _Undo_ restores the deleted items. */
async function deleteItems(resource: string, ids: readonly string[]): Promise<void> {
  navigate({ item: '' })
  const items = await Promise.all(ids.map((id) => getItem(resource, id)))
  let count = 0
  try {
    for (const id of ids) {
      await deleteItem(resource, id)
      count += 1
    }
  } finally {
    reloadItems([resource])
    if (count > 0) {
      const restore = async (): Promise<void> => {
        for (const item of items.slice(0, count)) await restoreItem(resource, item)
        reloadItems([resource])
      }
      const run = (): void => void restore().catch(showError)
      showToast({ text: `Deleted ${count}`, action: { label: 'Undo', run } })
    }
  }
}
