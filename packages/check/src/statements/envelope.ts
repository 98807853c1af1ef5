import { isJsonObject } from '@materials-mock/json'
import type { ApiResponse } from '../api-client.js'
import {
  expectErrorStructure,
  expectJsonType,
  expectSame,
  expectSuccess,
  expectTrue,
} from '../expect.js'
import { Mismatch, words } from '../outcome.js'
import { itemPath } from '../probe.js'
import type { Probe } from '../probe.js'
import { assumed, documented } from '../statement.js'
import type { Statement } from '../statement.js'

/** The statements on the shape of every answer. */
export const ENVELOPE: readonly Statement[] = [
  documented('envelope.list', 'A list is {"status": "success", "data": […]}', async (probe) => {
    const data = expectSuccess(await getList(probe))
    expectTrue(Array.isArray(data), 'a list in data', data)
  }),
  documented('envelope.item', 'An item is {"status": "success", "data": {…}}', async (probe) => {
    const data = expectSuccess(await getItem(probe))
    expectTrue(isJsonObject(data), 'an object in data', data)
  }),
  documented('envelope.status', 'A success has status 200', async (probe) => {
    expectSame((await getList(probe)).status, 200)
    expectSame((await getItem(probe)).status, 200)
  }),
  documented('envelope.content-type', 'A success is JSON, in UTF-8', async (probe) => {
    expectJsonType(await getList(probe))
    expectJsonType(await getItem(probe))
  }),
  documented('envelope.error', 'An error is {"status": "error", "message": …}', async (probe) => {
    for (const response of await getErrors(probe)) expectErrorStructure(response)
  }),
  documented('envelope.error-content-type', 'An error is JSON, in UTF-8', async (probe) => {
    for (const response of await getErrors(probe)) expectJsonType(response)
  }),
  assumed('envelope.nothing-else', 'A success has status and data, nothing else', async (probe) => {
    const { json } = await getList(probe)
    expectSame(isJsonObject(json) ? Object.keys(json).toSorted() : [], ['data', 'status'])
  }),
  assumed('envelope.error-data', 'An error has status, message and data alone', async (probe) => {
    for (const { json, request } of await getErrors(probe)) {
      const keys = isJsonObject(json) ? Object.keys(json).toSorted() : []
      expectSame(keys, ['data', 'message', 'status'], request)
    }
  }),
  assumed('envelope.error-message', 'data.message of an error repeats message', async (probe) => {
    for (const { json, request } of await getErrors(probe)) {
      const { message, data } = isJsonObject(json) ? json : {}
      expectSame(isJsonObject(data) ? data.message : undefined, message, request)
    }
  }),
  assumed(
    'envelope.error-code',
    'data.code of an error is a name: ITEM_NOT_FOUND',
    async (probe) => {
      for (const { json, request } of await getErrors(probe)) {
        const data = isJsonObject(json) && isJsonObject(json.data) ? json.data : {}
        if (/^[A-Z]+(_[A-Z]+)*$/.test(String(data.code))) continue
        throw new Mismatch(words('a name in capital letters'), data.code, request)
      }
    },
  ),
  assumed('envelope.error-details', 'Several errors are listed in data.details', async (probe) => {
    probe.needProjection()
    const { json } = await probe.get(probe.listPath({}, { limit: 0, skip: -1 }))
    const data = isJsonObject(json) && isJsonObject(json.data) ? json.data : {}
    const details = Array.isArray(data.details) ? data.details : []
    const paths = details.map((detail) => (isJsonObject(detail) ? detail.path : detail))
    expectSame(paths.toSorted(), ['/limit', '/skip'])
  }),
  assumed('envelope.error-internals', 'An error shows no stack and no file', async (probe) => {
    for (const { text, request } of await getErrors(probe)) {
      if (!/\.[jt]s:\d+|node_modules/.test(text) && !text.split('\n').some(hasFrame)) continue
      throw new Mismatch(words('no stack and no file'), words(text), request)
    }
  }),
]

/** Whether a line has the place of a frame of a stack: `at run (file:10:20)`. */
const hasFrame = (line: string): boolean => /:\d+:\d/.test(line.split(/\bat /).slice(1).join('at '))

const getList = (probe: Probe): Promise<ApiResponse> =>
  probe.sendOnce('list', () => probe.requestList(probe.credentials))

const getItem = (probe: Probe): Promise<ApiResponse> =>
  probe.sendOnce('item', () => probe.get(itemPath(probe, 0)))

/** Sends three requests that must fail: without headers, for no item, with too large a limit. */
async function getErrors(probe: Probe): Promise<ApiResponse[]> {
  const paths = [itemPath(probe, 'nothing'), probe.listPath({}, { limit: 501 })]
  const unauthorized = { path: probe.listPath() }
  return [
    await probe.sendOnce('error 0', () => probe.send(unauthorized)),
    await probe.sendOnce('error 1', () => probe.get(paths[0] ?? '')),
    await probe.sendOnce('error 2', () => probe.get(paths[1] ?? '')),
  ]
}
