import { send } from '../http/send.js'
import { hasControls } from '../session/session-state.js'
import { API } from './call.js'

/** What the server serves. */
export interface Served {
  /** The names of the resources. */
  readonly resources: readonly string[]
  /** Whether the API has no routes that write. */
  readonly isReadOnly: boolean
}

interface Health {
  readonly readOnly: boolean
  readonly resources: Readonly<Record<string, number>>
}

interface Document {
  readonly paths: Readonly<Record<string, object>>
}

/** Asks what the server serves: the controls, or else the document of the API. */
export async function findServed(): Promise<Served> {
  if (hasControls.value) {
    const { readOnly, resources } = await send<Health>('/__admin/health')
    return { resources: Object.keys(resources), isReadOnly: readOnly }
  }
  const { paths } = await send<Document>(`${API}/swagger.json`)
  const names = Object.keys(paths)
    .filter((path) => /\/[^/{}]+\/\{id\}$/.test(path))
    .map((path) => path.split('/').at(-2) as string)
  return {
    resources: [...new Set(names)],
    isReadOnly: !Object.keys(paths).some((path) => path.endsWith('/{id}/copy')),
  }
}
