/** `node:fs` for a browser: the files of this package that were fetched, by their names. */
export const files = new Map<string, Uint8Array>()

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export const existsSync = (path: string): boolean => files.has(nameOf(path))

/** @throws Error for a file that was not fetched */
export function readFileSync(path: string): Uint8Array {
  const bytes = files.get(nameOf(path))
  if (bytes === undefined) throw new Error(`${nameOf(path)} could not be fetched`)
  return bytes
}
