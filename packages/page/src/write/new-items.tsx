import { signal } from '@preact/signals'
import type { VNode, ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { asError } from '@materials-mock/json'
import type { Item } from '../api/item.js'
import { createItem, importMaterial } from '../api/items.js'
import { describeNewItem } from '../api/resources.js'
import type { BodyDescription } from '../api/resources.js'
import { JsonDialog, SubmitAgain } from '../json/json-editor.js'
import { formatJson } from '../json/json-text.js'
import { isReadOnly } from '../session/session.js'
import { navigate } from '../state/navigation.js'
import { reload } from '../state/versions.js'
import { ActionButton } from '../widgets/action-button.js'
import { focusSoon, Notice, showError, showToast } from '../widgets/toasts.js'

/** Returns what one item of a resource is called: `material`, `property`. */
export const nameItem = (resource: string): string =>
  resource.replace(/ies$/, 'y').replace(/s$/, '')

/** Creates items from a text, or from files that are chosen. Files can be dropped on the table too. */
export function NewItemButton({ resource }: { readonly resource: string }): VNode {
  const [body, open] = useState<BodyDescription>()
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const isMaterial = resource === 'materials'
  const choose = async (input: HTMLInputElement): Promise<void> => {
    const refused = await createFromFiles(resource, input.files ?? [])
    input.value = '' // so that the same file can be chosen again
    setRefusals(refused)
    if (refused.length === 0) open(undefined)
  }
  return (
    <>
      <ActionButton id="new-item" onAct={async () => open(await describeNewItem(resource))}>
        New {nameItem(resource)}
      </ActionButton>
      {body !== undefined && (
        <JsonDialog
          title={`New ${nameItem(resource)}`}
          label={isMaterial ? 'POSCAR, CIF or JSON' : 'JSON'}
          text={formatJson(body.example ?? { name: 'New' })}
          focus="all"
          body={body}
          action="Create"
          onSubmit={(text) => createItems(resource, text, '')}
          onClose={() => {
            open(undefined)
            setRefusals([])
          }}
        >
          <p class="muted">
            {isMaterial
              ? 'The text of a POSCAR, a CIF or JSON'
              : 'The JSON of an item, or of a list'}
            , or a file, which can be dropped on the table too:
          </p>
          <input
            type="file"
            aria-label="File"
            multiple
            onChange={(event) => void choose(event.currentTarget)}
          />
          {refusals.length > 0 && <Notice kind="error">{refusals.join(' ')}</Notice>}
        </JsonDialog>
      )}
    </>
  )
}

interface DropAreaProps {
  readonly resource: string
  readonly children: ComponentChildren
}

const READ_ONLY = new Error('The server is read-only: a file creates nothing')

export function DropArea({ resource, children }: DropAreaProps): VNode {
  const [isOver, setOver] = useState(false)
  const drop = async (files: readonly File[]): Promise<void> => {
    for (const refusal of await createFromFiles(resource, files)) showError(refusal)
  }
  return (
    <section
      class={isOver ? 'list-pane drop-over' : 'list-pane'}
      aria-label={resource}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return
        event.preventDefault() // even if nothing is created, the browser must not open the file
        setOver(!isReadOnly.value)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (isReadOnly.value) showError(READ_ONLY)
        else void drop([...(event.dataTransfer?.files ?? [])])
      }}
    >
      {children}
    </section>
  )
}

/** The `_id`s of the items that this page has made. Lists show them, wherever they sort. */
export const madeIds = signal<ReadonlySet<string>>(new Set())

export function markMade(items: readonly Item[]): void {
  madeIds.value = new Set([...madeIds.value, ...items.map(({ _id = '' }) => _id)])
}

/**
 * Opens the first, and moves the focus to it.
 * @throws Error if it is malformed or refused
 */
async function createItems(resource: string, text: string, fileName: string): Promise<void> {
  const isMaterial = resource === 'materials'
  const { readNewItems } = await import('./item-text.js')
  const read = readNewItems(text, fileName, isMaterial)
  if (read.kind === 'structure' && !isMaterial)
    throw new Error(`only a material can be created from a structure; ${resource} takes JSON`)
  const created: Item[] = []
  const completed = new Set<string>()
  try {
    if (read.kind === 'structure') created.push(await importMaterial(read.name, text, read.format))
    else for (const item of read.items) created.push(await createItem(resource, item, completed))
  } catch (error) {
    if (read.kind === 'structure' || created.length === 0) throw error
    const { message } = asError(error)
    // Only the other items stay in the editor, so that none is sent twice.
    throw new SubmitAgain(
      `${created.length} of ${read.items.length} items are created; the next one is refused: ${message}`,
      read.items.slice(created.length),
      asError(error),
    )
  } finally {
    markMade(created)
    reload([resource])
  }
  const [first] = created
  const count = created.length === 1 ? '1 item' : `${created.length} items`
  const added = completed.size === 0 ? '' : `. The mock has completed ${[...completed].join(', ')}`
  showToast({ text: `Created ${count}${added}` })
  if (first?._id === undefined) return
  navigate({ resource, item: first._id })
  focusSoon('.item-pane')
}

/**
 * Others are still created if one is malformed.
 * @returns why files are refused
 */
async function createFromFiles(resource: string, files: Iterable<File>): Promise<string[]> {
  const refusals: string[] = []
  for (const file of files) {
    try {
      await createItems(resource, await file.text(), file.name)
    } catch (error) {
      refusals.push(`${file.name}: ${asError(error).message}`)
    }
  }
  return refusals
}
