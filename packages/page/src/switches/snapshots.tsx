import type { VNode } from 'preact'

import {
  listSnapshots,
  removeSnapshot,
  resetServer,
  restoreSnapshot,
  takeSnapshot,
} from '../api/controls.js'
import type { Snapshot } from '../api/controls.js'
import { useLoad } from '../state/hooks.js'
import { reloadAll, versionOf } from '../state/versions.js'
import { formatMilliseconds } from '../table/format-value.js'
import { ActionButton, ActionForm } from '../widgets/action-button.js'
import { Outcome, showToast } from '../widgets/toasts.js'
import { NAME, targetName } from './sandboxes.js'

/** Takes and restores snapshots. */
export function Snapshots(): VNode {
  const loaded = useLoad(listSnapshots, [], versionOf('snapshots'))
  const snapshots = loaded.data ?? []
  return (
    <>
      <ActionForm action="Take" onAct={take}>
        <label>
          Name
          <input
            {...NAME}
            aria-label="Name of the snapshot"
            defaultValue={proposeName(snapshots)}
            key={snapshots.length}
          />
        </label>
      </ActionForm>
      <Outcome of={loaded} />
      <ul class="snapshots stack">
        {snapshots.map(({ name, takenAt, resources }) => (
          <li key={name} class="button-line">
            <span>
              <strong>{name}</strong>{' '}
              <small>
                {formatMilliseconds(Date.parse(takenAt))} UTC,{' '}
                {Object.values(resources).reduce((sum, count) => sum + count, 0)} items
              </small>
            </span>
            <ActionButton
              class="small"
              label={`Go back to ${name}`}
              onAct={() => run(`Back at ${name}`, restore(name))}
            >
              Go back
            </ActionButton>
            <ActionButton
              class="small"
              label={`Delete ${name}`}
              onAct={() => run(`Deleted ${name}`, removeSnapshot(name))}
            >
              Delete
            </ActionButton>
          </li>
        ))}
      </ul>
    </>
  )
}

const hasName = (snapshots: readonly Snapshot[], name: string): boolean =>
  snapshots.some((each) => each.name === name)

function proposeName(snapshots: readonly Snapshot[]): string {
  let number = 1
  while (hasName(snapshots, `snapshot-${number}`)) number += 1
  return `snapshot-${number}`
}

async function take(values: FormData): Promise<void> {
  const name = String(values.get('name'))
  // Taking it again would lose its state.
  if (hasName(await listSnapshots(), name))
    throw new Error(`there is a snapshot ${name} already; choose another name`)
  await run(`Took ${name}`, takeSnapshot(name))
}

/** Waits for an action, and says that it is done. The snapshots load again by its event. */
async function run(text: string, action: Promise<unknown>): Promise<void> {
  await action
  showToast({ text })
}

const restore = (name: string): Promise<unknown> => restoreSnapshot(name).finally(reloadAll)

/** The first part of the names of the snapshots that are taken before resets; the time follows. */
const BEFORE_RESET = 'before-the-reset-'

/** The number of these snapshots that are kept. */
const MAX_RESETS = 5

/** Takes a snapshot first, to undo it. All loads again by the event of the reset. */
export async function reset(): Promise<void> {
  const earlier = (await listSnapshots()).filter(({ name }) => name.startsWith(BEFORE_RESET))
  for (const { name } of earlier.slice(0, 1 - MAX_RESETS)) await removeSnapshot(name)
  const before = BEFORE_RESET + new Date().toISOString().replaceAll(':', '.')
  await takeSnapshot(before)
  await resetServer()
  showToast({
    text: `${upperFirst(targetName())} is as it was loaded`,
    action: { label: 'Undo', run: () => restore(before) },
  })
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
