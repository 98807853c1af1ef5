import { isDeepStrictEqual } from 'node:util'

import { isJsonObject } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'
import type { ApiRequest, ApiResponse } from './api-client.js'
import { Mismatch, words } from './outcome.js'
import { isItem } from './sample.js'
import type { Item } from './sample.js'

/** @throws Mismatch for any other response */
export function expectSuccess(response: ApiResponse): Json {
  const { status, json } = response
  if (status === 200 && isJsonObject(json) && json.status === 'success' && 'data' in json)
    return json.data as Json
  throw createMismatch('status 200 and {"status": "success", "data": …}', response)
}

/** @throws Mismatch if it is not a list of items */
export function expectItems(data: Json): Item[] {
  if (!Array.isArray(data)) throw new Mismatch(words('a list of items in data'), data)
  const wrong = data.find((item) => !isItem(item))
  if (wrong !== undefined) throw new Mismatch(words('items with a string _id'), wrong)
  return data
}

export function expectRefused(response: ApiResponse): void {
  const { status, json } = response
  const isFailure = !isJsonObject(json) || json.status !== 'success'
  if (status < 400 || status >= 500 || !isFailure)
    throw createMismatch('a refusal, with a status of 4xx', response)
}

export function expectFailure(response: ApiResponse, expected: number, code?: string): void {
  const { status, json } = response
  const data = isJsonObject(json) && isJsonObject(json.data) ? json.data : {}
  if (status === expected && (code === undefined || data.code === code)) return
  const described = code === undefined ? '' : ` and data.code "${code}"`
  throw createMismatch(`status ${expected}${described}`, response)
}

export function expectMessage({ json }: ApiResponse, expected: string): void {
  expectSame(isJsonObject(json) ? json.message : json, expected)
}

const createMismatch = (expected: string, { status, text, request }: ApiResponse): Mismatch =>
  new Mismatch(words(expected), words(`status ${status} and ${text}`), request)

export function expectJsonType({ headers, json, request }: ApiResponse): void {
  const type = headers.get('content-type') ?? ''
  const isType = /^application\/json *(; *charset="?utf-8"?)?$/i.test(type)
  if (!isType) throw new Mismatch('application/json; charset=utf-8', type, request)
  if (json === undefined) throw new Mismatch(words('JSON in UTF-8'), words('other bytes'), request)
}

/** Expects that a response has the structure of every error: status "error", and a message. */
export function expectErrorStructure({ json, text, request }: ApiResponse): void {
  const { status, message, data } = isJsonObject(json) ? json : {}
  const hasMessage = [message, isJsonObject(data) ? data.message : undefined].some(
    (each) => typeof each === 'string' && each !== '',
  )
  if (status !== 'error' || !hasMessage)
    throw new Mismatch(words('{"status": "error", "message": "…"}'), words(text), request)
}

/** Expects that two values are the same. The order of keys makes no difference. */
export function expectSame(actual: unknown, expected: unknown, request?: ApiRequest): void {
  if (!isDeepStrictEqual(actual, expected)) throw new Mismatch(expected, actual, request)
}

export function expectTrue(
  condition: boolean,
  expected: string,
  actual: unknown,
  request?: ApiRequest,
): void {
  if (!condition) throw new Mismatch(words(expected), actual, request)
}
