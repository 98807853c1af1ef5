import { API, send, withParameters } from '../http/send.js'
import type { JsonSchema, NamedSchemas } from '../json/completions.js'
import { hasControls, hasMigratedLists, session } from '../session/session.js'
import type { Json } from './item.js'

/** The resources of the server. */
interface Served {
  /** The names of the resources. */
  readonly resources: readonly string[]
  /** The number of items of each resource that the account sees; empty without the controls. */
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

/** The description of a request's body in a server's document. */
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

/** Describes the body that adds a fault. */
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

/** Reads the resources of the server from the controls, or else from the document of the API. */
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
