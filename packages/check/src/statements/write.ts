import { isJsonObject } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import type { ApiResponse } from '../api-client.js'
import { expectRefused, expectSame, expectSuccess, expectTrue } from '../expect.js'
import { Lack, Mismatch, words } from '../outcome.js'
import type { Probe } from '../probe.js'
import { isItem } from '../sample.js'
import type { Item } from '../sample.js'
import { defineGroup } from '../statement.js'
import type { Statement } from '../statement.js'

const { documented, assumed, fails } = defineGroup('write')

/**
 * The statements on writes. They write only items that they have created. Each creates an item first,
 * so it is skipped if the resource has no creation.
 */
export const WRITE: readonly Statement[] = [
  documented('create', 'PUT /<resource>/create answers with the new item', async (probe) => {
    const item = await createItem(probe)
    expectSame([item.name, item.tags], [toNewItem(probe).name, ['check']])
  }),
  documented('create-stores', 'A new item is found by its id, and in lists', async (probe) => {
    const item = await createItem(probe)
    expectSame(await getItem(probe, item), item)
    expectSame(await probe.list({ _id: item._id }), [item])
  }),
  documented('create-ids', 'Each new item has another id', async (probe) => {
    const [one, two] = [await createItem(probe), await createItem(probe)]
    expectTrue(one._id !== two._id, 'two ids', one._id)
  }),
  documented('create-none', 'A new item without the two headers is refused', async (probe) => {
    const name = `${String(toNewItem(probe).name)} without headers`
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(toNewItem(probe, { name }))
    const path = `/${probe.resource}/create`
    expectRefused(await probe.send({ method: 'PUT', path, headers, body }))
    expectSame(await probe.list({ name }), [])
  }),
  documented('patch', 'PATCH /<resource>/{id} changes the named fields', async (probe) => {
    const item = await createItem(probe)
    const name = `${String(item.name)} changed`
    const patched = await patch(probe, item, { name })
    expectSame(patched.name, name)
    expectSame(await getItem(probe, item), patched)
  }),
  documented('patch-keeps', 'PATCH keeps all other fields', async (probe) => {
    const item = await createItem(probe, { metadata: { check: 1 } })
    const name = `${String(item.name)} changed`
    expectSame(withoutTimes(await patch(probe, item, { name })), withoutTimes({ ...item, name }))
  }),
  documented('delete', 'DELETE /<resource>/{id} deletes the item', async (probe) => {
    const item = await createItem(probe)
    expectSuccess(await sendWrite(probe, 'DELETE', `/${item._id}`))
    expectRefused(await probe.get(`/${probe.resource}/${item._id}`))
    expectSame(await probe.list({ _id: item._id }), [])
  }),
  documented('delete-no-others', 'DELETE deletes no other item', async (probe) => {
    const [kept, deleted] = [await createItem(probe), await createItem(probe)]
    expectSuccess(await sendWrite(probe, 'DELETE', `/${deleted._id}`))
    expectSame(await getItem(probe, kept), kept)
  }),
  documented('copy', 'POST /<resource>/{id}/copy makes another item', async (probe) => {
    const item = await createItem(probe)
    const copy = toItem(await sendWrite(probe, 'POST', `/${item._id}/copy`))
    expectTrue(copy._id !== item._id, 'another id', copy._id)
    expectSame(copy.name, item.name)
    expectSame(await getItem(probe, copy), copy)
    expectSame(await getItem(probe, item), item)
  }),
  assumed('keeps-values', 'A value is stored as it is sent', async (probe) => {
    const { metadata } = await getItem(probe, await createItem(probe, { metadata: VALUES }))
    expectSame(metadata, VALUES)
  }),
  assumed('create-owner', 'A new item belongs to the account', async (probe) => {
    const { owner } = await createItem(probe)
    expectSame(isJsonObject(owner) ? owner._id : owner, probe.credentials['X-Account-Id'])
  }),
  assumed('create-defaults', 'A new item has isDefault false and two times', async (probe) => {
    const item = await createItem(probe)
    expectSame(item.isDefault, false)
    for (const time of [item.createdAt, item.updatedAt])
      expectTrue(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(time)), 'a time', time)
  }),
  assumed('patch-dotted', 'PATCH changes a field by its dotted path', async (probe) => {
    const item = await createItem(probe, { metadata: { a: 1, b: { c: 2 } } })
    const { metadata } = await patch(probe, item, { 'metadata.b.c': 3 })
    expectSame(metadata, { a: 1, b: { c: 3 } })
  }),
  assumed('patch-operators', 'PATCH takes $set, $unset, $inc, $push and $pull', async (probe) => {
    const item = await createItem(probe, { metadata: { a: 1, b: 2 } })
    const patched = await patch(probe, item, {
      $set: { 'metadata.c': 3 },
      $unset: { 'metadata.b': '' },
      $inc: { 'metadata.a': 4 },
      $push: { tags: 'pushed' },
    })
    expectSame([patched.metadata, patched.tags], [{ a: 5, c: 3 }, ['check', 'pushed']])
    expectSame((await patch(probe, item, { $pull: { tags: 'check' } })).tags, ['pushed'])
  }),
  fails('patch-missing', 'PATCH of no item is 404 ITEM_NOT_FOUND', async (probe) => {
    await createItem(probe)
    return sendWrite(probe, 'PATCH', '/nothing', {})
  }),
  fails('patch-id', 'PATCH of _id to another value is 400 BODY_INVALID', async (probe) => {
    const item = await createItem(probe)
    return sendWrite(probe, 'PATCH', `/${item._id}`, { _id: 'x' })
  }),
  fails('delete-missing', 'DELETE of no item is 404 ITEM_NOT_FOUND', async (probe) => {
    const { _id } = await createItem(probe)
    await sendWrite(probe, 'DELETE', `/${_id}`)
    return sendWrite(probe, 'DELETE', `/${_id}`)
  }),
  assumed('set', 'An item can be moved into a set, and out of it', async (probe) => {
    const { _id } = await createItem(probe)
    const body = { name: `${String(toNewItem(probe).name)} set` }
    const set = toItem(await sendWrite(probe, 'PUT', '/create-set', body))
    expectSame(set.isEntitySet, true)
    const move = async (parameters: string): Promise<unknown> =>
      toItem(await sendWrite(probe, 'POST', `/${_id}/move-to-set?${parameters}`)).inSet
    const [entry] = (await move(`oldSetId=&newSetId=${set._id}`)) as JsonObject[]
    expectSame(entry?._id, set._id)
    expectSame(await move(`oldSetId=${set._id}&newSetId=`), [])
  }),
  ...(
    [
      ['field-dot', 'A field name with a dot', { metadata: { 'a.b': 1 } }],
      ['field-dollar', 'A field name that starts with $', { metadata: { $a: 1 } }],
      ['not-json', 'A body that is not JSON', '{"name":'],
      ['not-object', 'A body that is a list', []],
    ] as const
  ).map(([name, mistake, wrong]) =>
    fails(name, `${mistake} is 400 BODY_INVALID`, async (probe) => {
      await createItem(probe)
      const body = isJsonObject(wrong) ? toNewItem(probe, wrong) : wrong
      return sendWrite(probe, 'PUT', '/create', body)
    }),
  ),
]

/** Values that a store with other types, or another encoding, would change. */
const VALUES: JsonObject = {
  text: 'Ångström µ Ω 硅 🙂 " \\ \n',
  numbers: [0.1, -1e-7, 1.5e300, 9_007_199_254_740_991, 0],
  nothing: null,
  empty: [{}, [], ''],
  truth: [true, false],
}

const patch = async (probe: Probe, { _id }: Item, body: JsonObject): Promise<Item> =>
  toItem(await sendWrite(probe, 'PATCH', `/${_id}`, body))

/** Leaves out the fields that every write changes. */
const withoutTimes = (item: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(item).filter(([key]) => !/^updated(At|By)$/.test(key)))

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
async function sendWrite(
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
function toNewItem(probe: Probe, fields: JsonObject = {}): JsonObject {
  const { written } = probe.deployment
  if (written === undefined) throw new Lack('--write', 'a check that only reads')
  const own = probe.resource === 'materials' ? SILICON : {}
  return { name: `${written.mark} new`, ...own, tags: ['check'], ...fields }
}

/**
 * Creates an item.
 * @throws Lack if the resource needs more fields than a name; only the fields of materials are known
 */
async function createItem(probe: Probe, fields?: JsonObject): Promise<Item> {
  const response = await sendWrite(probe, 'PUT', '/create', toNewItem(probe, fields))
  if (response.status >= 400 && response.status < 500 && probe.resource !== 'materials')
    throw new Lack('an item that can be made of a name', `status ${response.status}`)
  return toItem(response)
}

/**
 * Returns the item of a successful response.
 * @throws Mismatch for any other response
 */
function toItem(response: ApiResponse): Item {
  const data = expectSuccess(response)
  if (isItem(data)) return data
  throw new Mismatch(words('an item with a string _id'), data, response.request)
}

const getItem = async (probe: Probe, { _id }: Item): Promise<Item> =>
  toItem(await probe.get(`/${probe.resource}/${encodeURIComponent(_id)}`))
