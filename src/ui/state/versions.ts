import { signal } from '@preact/signals'

/** Numbers that grow when what they count may have changed, so that what shows it loads again. */

/** Of all that the server has: it was not followed for a time, was reset, or is another one. */
export const serverVersion = signal(0)

/** Of the fault rules, and of the snapshots. */
export const faultsVersion = signal(0)
export const snapshotsVersion = signal(0)

const itemVersions = signal<Readonly<Record<string, number>>>({})

/** Lets everything load again. */
export const reloadAll = (): void => {
  serverVersion.value += 1
}

/** Lets what shows items of some resources load again. */
export function reloadItems(resources: readonly string[]): void {
  const next = { ...itemVersions.value }
  for (const resource of resources) next[resource] = (next[resource] ?? 0) + 1
  itemVersions.value = next
}

/** Returns the version of the items of a resource; of all items, if none is named. */
export const versionOf = (resource?: string): string =>
  `${serverVersion.value}.${
    resource === undefined
      ? Object.values(itemVersions.value).reduce((sum, each) => sum + each, 0)
      : (itemVersions.value[resource] ?? 0)
  }`
