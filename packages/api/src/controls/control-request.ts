import type { OperationName } from './operations.js'

/**
 * Returns the method of an operation, and the path of its control with the parameters in their places. It has
 * a module of its own: the page loads it at once, and no schema with it.
 */
export function toControlRequest(
  name: OperationName,
  params: object = {},
): { readonly method: string; readonly path: string } {
  const [method = '', template = ''] = name.split(' ')
  const values = new Map<string, unknown>(Object.entries(params))
  const path = template.replace(/:(\w+)/g, (_match, key: string) =>
    encodeURIComponent(String(values.get(key))),
  )
  return { method, path: `/__admin${path}` }
}
