import { send } from '../http/send.js'
import { hasControls } from '../session/session-state.js'
import { call } from './call.js'
import type { Item, JsonObject } from './item.js'

const pathOf = (resource: string, id: string): string => `/${resource}/${encodeURIComponent(id)}`

/** Creates an item; the server gives it an `_id`. */
export const createItem = (resource: string, item: JsonObject): Promise<Item> =>
  call(`/${resource}/create`, { method: 'PUT', body: item })

/** Creates a material from the text of a POSCAR or a CIF. */
export const importMaterial = (
  name: string,
  content: string,
  format: 'poscar' | 'cif',
): Promise<Item> => call('/materials/import', { method: 'POST', body: { name, content, format } })

/** Changes an item by MongoDB's update operators. */
export const updateItem = (resource: string, id: string, update: JsonObject): Promise<Item> =>
  call(pathOf(resource, id), { method: 'PATCH', body: update })

/** Copies an item; a copy from a bank belongs to another resource. */
export const copyItem = (resource: string, id: string): Promise<Item> =>
  call(`${pathOf(resource, id)}/copy`, { method: 'POST' })

/** Submits a job. */
export const submitJob = (id: string): Promise<Item> =>
  call(`${pathOf('jobs', id)}/submit`, { method: 'POST' })

/** Puts a deleted item back. */
export type Restore = () => Promise<unknown>

/**
 * Deletes an item.
 * @returns what puts it back: through the controls with its `_id` and in its place, else as a new item
 */
export async function deleteItem(resource: string, item: Item): Promise<Restore> {
  const id = item._id ?? ''
  const index = hasControls.value
    ? (await readAll(resource)).findIndex(({ _id }) => _id === id)
    : -1
  await call(pathOf(resource, id), { method: 'DELETE' })
  return index === -1
    ? () => createItem(resource, item)
    : async () => {
        const items = await readAll(resource)
        const body = [...items.slice(0, index), item, ...items.slice(index)]
        await send(`/__admin/fixtures/${resource}`, { method: 'PUT', body })
      }
}

const readAll = (resource: string): Promise<Item[]> => send(`/__admin/fixtures/${resource}`)
