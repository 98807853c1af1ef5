import { isJsonObject } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import type { ApiResponse } from '../api-client.js'
import {
  expectErrorStructure,
  expectJsonType,
  expectSame,
  expectSuccess,
  expectTrue,
} from '../expect.js'
import { words } from '../outcome.js'
import { itemPath } from '../probe.js'
import type { Probe } from '../probe.js'
import { defineGroup } from '../statement.js'
import type { Statement } from '../statement.js'

const { documented, assumed } = defineGroup('envelope')

/** The statements on the shape of every answer. */
export const ENVELOPE: readonly Statement[] = [
  documented('list', 'A list is {"status": "success", "data": […]}', async (probe) => {
    const data = expectSuccess(await getList(probe))
    expectTrue(Array.isArray(data), 'a list in data', data)
  }),
  documented('item', 'An item is {"status": "success", "data": {…}}', async (probe) => {
    const data = expectSuccess(await getItem(probe))
    expectTrue(isJsonObject(data), 'an object in data', data)
  }),
  documented('status', 'A success has status 200', async (probe) => {
    expectSame((await getList(probe)).status, 200)
    expectSame((await getItem(probe)).status, 200)
  }),
  documented('content-type', 'A success is JSON, in UTF-8', async (probe) => {
    expectJsonType(await getList(probe))
    expectJsonType(await getItem(probe))
  }),
  documented('error', 'An error is {"status": "error", "message": …}', (probe) =>
    checkErrors(probe, expectErrorStructure),
  ),
  documented('error-content-type', 'An error is JSON, in UTF-8', (probe) =>
    checkErrors(probe, expectJsonType),
  ),
  assumed('nothing-else', 'A success has status and data, nothing else', async (probe) =>
    expectSame(listKeys(await getList(probe)), ['data', 'status']),
  ),
  assumed('error-data', 'An error has status, message and data alone', (probe) =>
    checkErrors(probe, (response) =>
      expectSame(listKeys(response), ['data', 'message', 'status'], response.request),
    ),
  ),
  assumed('error-message', 'data.message of an error repeats message', (probe) =>
    checkErrors(probe, ({ json, request }) => {
      const { message } = isJsonObject(json) ? json : {}
      expectSame(getData(json).message, message, request)
    }),
  ),
  assumed('error-code', 'data.code of an error is a name: ITEM_NOT_FOUND', (probe) =>
    checkErrors(probe, ({ json, request }) => {
      const { code } = getData(json)
      const isName = /^[A-Z]+(_[A-Z]+)*$/.test(String(code))
      expectTrue(isName, 'a name in capital letters', code, request)
    }),
  ),
  assumed('error-details', 'Several errors are listed in data.details', async (probe) => {
    probe.needProjection()
    const { json } = await probe.get(probe.listPath({}, { limit: 0, skip: -1 }))
    const { details } = getData(json)
    const paths = (Array.isArray(details) ? details : []).map((detail) =>
      isJsonObject(detail) ? detail.path : detail,
    )
    expectSame(paths.toSorted(), ['/limit', '/skip'])
  }),
  assumed('error-internals', 'An error shows no stack and no file', (probe) =>
    checkErrors(probe, ({ text, request }) => {
      const isClean = !/\.[jt]s:\d+|node_modules/.test(text) && !text.split('\n').some(hasFrame)
      expectTrue(isClean, 'no stack and no file', words(text), request)
    }),
  ),
]

/** Whether a line has the place of a frame of a stack: `at run (file:10:20)`. */
const hasFrame = (line: string): boolean => /:\d+:\d/.test(line.split(/\bat /).slice(1).join('at '))

const listKeys = ({ json }: ApiResponse): string[] =>
  isJsonObject(json) ? Object.keys(json).toSorted() : []

const getData = (json: unknown): JsonObject =>
  isJsonObject(json) && isJsonObject(json.data) ? json.data : {}

const getList = (probe: Probe): Promise<ApiResponse> =>
  probe.sendOnce('list', () => probe.requestList(probe.credentials))

const getItem = (probe: Probe): Promise<ApiResponse> =>
  probe.sendOnce('item', () => probe.get(itemPath(probe, 0)))

/** Checks the answers to three requests that must fail: without headers, for no item, with too large a limit. */
async function checkErrors(probe: Probe, check: (response: ApiResponse) => void): Promise<void> {
  const unauthorized = { path: probe.listPath() }
  const paths = [itemPath(probe, 'nothing'), probe.listPath({}, { limit: 501 })]
  const responses = [await probe.sendOnce('error', () => probe.send(unauthorized))]
  for (const path of paths) responses.push(await probe.sendOnce(path, () => probe.get(path)))
  for (const response of responses) check(response)
}
