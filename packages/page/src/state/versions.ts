import { signal } from '@preact/signals'

/** Numbers that grow when data may have changed, so that the views of the data load again. */

/** Grows after an interrupted stream of events, a reset, and a change of the server. */
export const serverVersion = signal(0)

/** The versions of the items of each resource, of `faults`, `clock` and `snapshots`. */
const versions = signal<Readonly<Record<string, number>>>({})

export const reloadAll = (): void => {
  serverVersion.value += 1
}

/** Lets the views of some resources, of the faults, of the clock or of the snapshots load again. */
export function reload(names: readonly string[]): void {
  const next = { ...versions.value }
  for (const name of names) next[name] = (next[name] ?? 0) + 1
  versions.value = next
}

/** Returns the version of the data with a name, or of all data if no name is given. */
export const versionOf = (name?: string): string =>
  `${serverVersion.value}.${
    name === undefined
      ? Object.values(versions.value).reduce((sum, each) => sum + each, 0)
      : (versions.value[name] ?? 0)
  }`
