import { send } from '../http/send.js'
import { hasControls } from '../session/session-state.js'
import { API } from './call.js'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly tags?: string[] }>>>>
}

/** Lists the names of the resources that the server serves. */
export async function listResources(): Promise<readonly string[]> {
  if (hasControls.value) {
    const { resources } = await send<{ resources: Record<string, number> }>('/__admin/health')
    return Object.keys(resources)
  }
  const { paths } = await send<Document>(`${API}/swagger.json`)
  return Object.keys(paths)
    .filter((path) => /\/[^/{}]+\/\{id\}$/.test(path))
    .map((path) => path.split('/').at(-2) as string)
    .filter((name, index, all) => all.indexOf(name) === index)
}
