import { signal } from '@preact/signals'

/** Numbers that grow when data may have changed, so that the views of the data load again. */

/**
 * The version of all data of the server. It grows after a gap in the events, a reset, or a change of
 * the server.
 */
export const serverVersion = signal(0)

/** The versions of the fault rules, of the clock and of the snapshots. */
export const faultsVersion = signal(0)
export const clockVersion = signal(0)
export const snapshotsVersion = signal(0)

/** The number of times that the journal was cleared. */
export const journalVersion = signal(0)

const itemVersions = signal<Readonly<Record<string, number>>>({})

/** Lets everything load again. */
export const reloadAll = (): void => {
  serverVersion.value += 1
}

/** Lets the views of items of some resources load again. */
export function reloadItems(resources: readonly string[]): void {
  const next = { ...itemVersions.value }
  for (const resource of resources) next[resource] = (next[resource] ?? 0) + 1
  itemVersions.value = next
}

/** Returns the version of the items of a resource, or of all items if no resource is named. */
export const versionOf = (resource?: string): string =>
  `${serverVersion.value}.${
    resource === undefined
      ? Object.values(itemVersions.value).reduce((sum, each) => sum + each, 0)
      : (itemVersions.value[resource] ?? 0)
  }`
