import { isObject } from '../api/item.js'
import type { Item, Json } from '../api/item.js'

/** The depth to which fields are offered. */
const MAX_DEPTH = 5

/** Collects the paths of all fields of items, without the indexes of arrays, as a query names them. */
export function collectFieldPaths(items: readonly Item[]): string[] {
  const paths = new Set<string>()
  const visit = (value: Json | undefined, path: string, depth: number): void => {
    if (Array.isArray(value)) {
      for (const each of value.slice(0, 20)) visit(each as Json, path, depth)
    } else if (isObject(value as Json) && depth < MAX_DEPTH) {
      for (const [key, child] of Object.entries(value as Item)) {
        const childPath = path === '' ? key : `${path}.${key}`
        paths.add(childPath)
        visit(child, childPath, depth + 1)
      }
    }
  }
  for (const item of items) visit(item, '', 0)
  return [...paths]
}
