import type { JsonObject } from '../../json/json.js'
import type { ApiResponse } from '../api-client.js'
import { expectSuccess } from '../expect.js'
import { Lack, Mismatch, words } from '../outcome.js'
import type { Probe } from '../probe.js'
import { isItem } from '../sample.js'
import type { Item } from '../sample.js'

/** Silicon: the least that a material needs. */
const SILICON: JsonObject = {
  basis: {
    elements: [
      { id: 0, value: 'Si' },
      { id: 1, value: 'Si' },
    ],
    coordinates: [
      { id: 0, value: [0, 0, 0] },
      { id: 1, value: [0.25, 0.25, 0.25] },
    ],
    units: 'crystal',
  },
  lattice: {
    type: 'FCC',
    a: 3.867,
    b: 3.867,
    c: 3.867,
    alpha: 60,
    beta: 60,
    gamma: 60,
    units: { length: 'angstrom', angle: 'degree' },
  },
}

/**
 * Sends a write with the credentials of the check, and records the created item.
 * @throws Lack if the check must not write
 */
export async function sendWrite(
  probe: Probe,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse> {
  const { written } = probe.deployment
  if (written === undefined) throw new Lack('--write', 'a check that only reads')
  const response = await probe.request({
    method,
    path: `/${probe.resource}${path}`,
    isKept: true,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  written.record(response.json)
  return response
}

/** Returns the body of a new item, with a name that marks it, and other fields. */
export function toNewItem(probe: Probe, fields: JsonObject = {}): JsonObject {
  const { written } = probe.deployment
  if (written === undefined) throw new Lack('--write', 'a check that only reads')
  const own = probe.resource === 'materials' ? SILICON : {}
  return { name: `${written.mark} new`, ...own, tags: ['check'], ...fields }
}

/**
 * Creates an item.
 * @throws Lack if the resource needs more fields than a name; only the fields of materials are known
 */
export async function createItem(probe: Probe, fields?: JsonObject): Promise<Item> {
  const response = await sendWrite(probe, 'PUT', '/create', toNewItem(probe, fields))
  if (response.status >= 400 && response.status < 500 && probe.resource !== 'materials')
    throw new Lack('an item that can be made of a name', `status ${response.status}`)
  return toItem(response)
}

/**
 * Returns the item of a successful response.
 * @throws Mismatch for any other response
 */
export function toItem(response: ApiResponse): Item {
  const data = expectSuccess(response)
  if (isItem(data)) return data
  throw new Mismatch(words('an item with a string _id'), data, response.request)
}

/** Gets a created item. */
export const getItem = async (probe: Probe, { _id }: Item): Promise<Item> =>
  toItem(await probe.get(`/${probe.resource}/${encodeURIComponent(_id)}`))
