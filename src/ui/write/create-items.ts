import { signal } from '@preact/signals'

import type { Item } from '../api/item.js'
import { createItem, importMaterial } from '../api/items.js'
import { navigate } from '../state/navigation.js'
import { reloadItems } from '../state/versions.js'
import { showError, showToast } from '../widgets/toasts.js'
import { readNewItems } from './read-new-items.js'

/** The `_id`s of the items that this page has made. Lists show them, wherever they sort. */
export const madeIds = signal<ReadonlySet<string>>(new Set())

/** Marks items as made by this page. */
export function markMade(items: readonly Item[]): void {
  madeIds.value = new Set([...madeIds.value, ...items.map(({ _id = '' }) => _id)])
}

/**
 * Creates the items of a text, and opens them.
 * @throws Error if the text is malformed, or the server refuses it
 */
export async function createItems(resource: string, text: string, fileName: string): Promise<void> {
  const read = readNewItems(text, fileName)
  if (read.kind === 'structure' && resource !== 'materials')
    throw new Error(`only a material can be created from a structure; ${resource} takes JSON`)
  const created: Item[] = []
  try {
    if (read.kind === 'structure') created.push(await importMaterial(read.name, text, read.format))
    else for (const item of read.items) created.push(await createItem(resource, item))
  } catch (error) {
    if (read.kind === 'structure' || created.length === 0) throw error
    throw new PartlyCreated(created.length, read.items.length, error as Error)
  } finally {
    markMade(created)
    reloadItems([resource])
  }
  const [first] = created
  showToast({ text: created.length === 1 ? 'Created 1 item' : `Created ${created.length} items` })
  if (first?._id !== undefined) navigate({ resource, item: first._id })
}

/** The refusal of an item of a list, after the earlier items were created. */
export class PartlyCreated extends Error {
  constructor(
    readonly count: number,
    total: number,
    override readonly cause: Error,
  ) {
    super(`${count} of ${total} items are created; the next one is refused: ${cause.message}`)
  }
}

/** Creates the items of files. A malformed file is reported, and the other files are still created. */
export async function createFromFiles(resource: string, files: Iterable<File>): Promise<void> {
  for (const file of files) {
    try {
      await createItems(resource, await file.text(), file.name)
    } catch (error) {
      showError(new Error(`${file.name}: ${(error as Error).message}`))
    }
  }
}
