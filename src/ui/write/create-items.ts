import type { Item } from '../api/item.js'
import { createItem, importMaterial } from '../api/writes.js'
import { reloadData } from '../state/data-version.js'
import { navigate } from '../state/navigation.js'
import { showToast } from '../widgets/toasts.js'
import { readNewItems } from './read-new-items.js'

/**
 * Creates what a text describes, and opens it.
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
  } finally {
    reloadData()
  }
  const [first] = created
  showToast({ text: created.length === 1 ? 'Created 1 item' : `Created ${created.length} items` })
  if (first?._id !== undefined) navigate({ resource, item: first._id })
}
