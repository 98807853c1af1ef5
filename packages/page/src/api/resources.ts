import type { AnswerOf } from '@materials-mock/api'
import { ApiError } from '@materials-mock/client'
import type { Json } from '@materials-mock/json'
import { callControl } from '../http/call-control.js'
import { API, send } from '../http/send.js'
import type { JsonSchema, NamedSchemas } from '../json/completions.js'
import { hasControls, hasMigratedLists, isReadOnly, isStrict, session } from '../session/session.js'

interface Served {
  readonly resources: readonly string[]
  /** The number of items of each resource that the account sees; empty without the controls. */
  readonly counts: Readonly<Record<string, number>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
  readonly components: { readonly schemas: NamedSchemas }
}

interface DocumentOperation {
  readonly requestBody?: { readonly content: { readonly 'application/json': DocumentBody } }
}

interface DocumentBody {
  readonly schema: JsonSchema
  readonly example?: Json
}

export interface BodyDescription extends DocumentBody {
  /** The schemas to which the schema of the body refers. */
  readonly named: NamedSchemas
}

/** Describes the body that creates an item; undefined for a resource that can't be written, such as a bank. */
export const describeNewItem = (
  resource: string,
  signal?: AbortSignal,
): Promise<BodyDescription | undefined> =>
  describeBody(`${API}/swagger.json`, 'put', `/${resource}/create`, signal)

export const describeNewFault = (signal?: AbortSignal): Promise<BodyDescription | undefined> =>
  describeBody('/__admin/openapi.json', 'post', '/faults', signal)

async function describeBody(
  document: string,
  method: string,
  path: string,
  signal: AbortSignal | undefined,
): Promise<BodyDescription | undefined> {
  const { paths, components } = await send<Document>(document, { signal })
  const body = paths[path]?.[method]?.requestBody?.content['application/json']
  return body && { ...body, named: components.schemas }
}

/** Of all items if the account is gone: the list that is shown then opens another session. */
async function readHealth(
  accountId: string | undefined,
  signal: AbortSignal | undefined,
): Promise<AnswerOf<'GET /health'>> {
  try {
    return await callControl('GET /health', { query: { accountId }, signal })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'PARAMETER_INVALID')) throw error
    return callControl('GET /health', { signal })
  }
}

/** Reads the resources of the server from the controls, or else from the document of the API. */
export async function findServed(signal: AbortSignal): Promise<Served> {
  if (hasControls.value) {
    const accountId = session.value?.headers['X-Account-Id']
    const { readOnly, strict, lists, resources } = await readHealth(accountId, signal)
    hasMigratedLists.value = lists === 'migrated'
    isReadOnly.value = readOnly
    isStrict.value = strict
    return { resources: Object.keys(resources), counts: resources }
  }
  const { paths } = await send<Document>(`${API}/swagger.json`, { signal })
  const names = Object.keys(paths)
    .filter((path) => /\/[^/{}]+\/\{id\}$/.test(path))
    .map((path) => path.split('/').at(-2)!)
  isReadOnly.value = !Object.keys(paths).some((path) => path.endsWith('/{id}/copy'))
  isStrict.value = paths['/logout']?.post === undefined
  return { resources: [...new Set(names)], counts: {} }
}
