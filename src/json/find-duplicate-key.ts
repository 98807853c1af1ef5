import { visit } from 'jsonc-parser'

/** A key that an object of a JSON text has for the second time. */
export interface DuplicateKey {
  readonly key: string
  /** The keys and array positions that lead to the object. */
  readonly path: readonly (string | number)[]
  /** The line of the second key, from 1. */
  readonly line: number
  /** Its column, from 1. */
  readonly column: number
}

/**
 * Finds the first key that one object has twice. `JSON.parse` would silently drop its first value.
 * @param text JSON whose depth is bounded: the visitor is recursive
 */
export function findDuplicateKey(text: string): DuplicateKey | undefined {
  const open: Set<string>[] = []
  let found: DuplicateKey | undefined
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key, _offset, _length, line, column, parentPath) => {
      const keys = open.at(-1)
      if (keys?.has(key) === true)
        found ??= { key, path: parentPath(), line: line + 1, column: column + 1 }
      keys?.add(key)
    },
  })
  return found
}
