import type { JsonSchema, NamedSchemas } from '../json/complete-schema.js'
import { send } from '../http/send.js'
import { hasControls, hasMigratedLists, session } from '../session/session-state.js'
import { API, withParameters } from './call.js'
import type { Json } from './item.js'

/** What the server serves. */
export interface Served {
  /** The names of the resources. */
  readonly resources: readonly string[]
  /** The number of items of each that the account sees; empty without the controls. */
  readonly counts: Readonly<Record<string, number>>
  /** Whether the API has no routes that write. */
  readonly isReadOnly: boolean
}

interface Health {
  readonly readOnly: boolean
  readonly lists: string
  readonly resources: Readonly<Record<string, number>>
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

/** What a server's document says of the body of a request. */
export interface BodyDescription extends DocumentBody {
  /** The schemas that the one of the body names. */
  readonly named: NamedSchemas
}

/** Describes the body that creates an item; undefined for a resource without one, as a bank. */
export const describeNewItem = (
  resource: string,
  signal?: AbortSignal,
): Promise<BodyDescription | undefined> =>
  describeBody(`${API}/swagger.json`, 'put', `/${resource}/create`, signal)

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

/** Asks what the server serves: the controls, or else the document of the API. */
export async function findServed(signal: AbortSignal): Promise<Served> {
  if (hasControls.value) {
    const accountId = session.value?.headers['X-Account-Id']
    const path = withParameters('/__admin/health', { accountId })
    const { readOnly, lists, resources } = await send<Health>(path, { signal })
    hasMigratedLists.value = lists === 'migrated'
    return { resources: Object.keys(resources), counts: resources, isReadOnly: readOnly }
  }
  const { paths } = await send<Document>(`${API}/swagger.json`, { signal })
  const names = Object.keys(paths)
    .filter((path) => /\/[^/{}]+\/\{id\}$/.test(path))
    .map((path) => path.split('/').at(-2) as string)
  return {
    resources: [...new Set(names)],
    counts: {},
    isReadOnly: !Object.keys(paths).some((path) => path.endsWith('/{id}/copy')),
  }
}
