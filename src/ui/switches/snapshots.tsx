import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

import { listSnapshots, removeSnapshot, restoreSnapshot, takeSnapshot } from '../api/controls.js'
import { useLoad } from '../state/hooks.js'
import { reloadAll, serverVersion, snapshotsVersion } from '../state/versions.js'
import { formatLocalTime } from '../table/format-value.js'
import { Notice, showError, showToast } from '../widgets/toasts.js'

/** Takes and restores snapshots. */
export function Snapshots(): VNode {
  const [version, setVersion] = useState(0)
  const { data: snapshots = [], error } = useLoad(listSnapshots, [
    version,
    snapshotsVersion.value,
    serverVersion.value,
  ])
  const run = async (text: string, action: Promise<unknown>): Promise<void> => {
    try {
      await action
      showToast({ text })
    } catch (failure) {
      showError(failure)
    }
    setVersion((last) => last + 1)
    reloadAll()
  }
  const take = (event: SubmitEvent): void => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name'))
    void run(`Took ${name}`, takeSnapshot(name))
  }
  return (
    <>
      <form class="button-line" onSubmit={take}>
        <input
          name="name"
          aria-label="Name of the snapshot"
          required
          pattern="[A-Za-z0-9._\-]{1,100}"
          title='Letters, digits, "-", "_" and "."'
          defaultValue={`snapshot-${snapshots.length + 1}`}
          key={snapshots.length}
        />
        <button type="submit">Take</button>
      </form>
      {error !== undefined && <Notice kind="error">{error.message}</Notice>}
      <ul class="snapshots">
        {snapshots.map(({ name, takenAt, resources }) => (
          <li key={name} class="button-line">
            <span>
              <strong>{name}</strong>{' '}
              <small>
                {formatLocalTime(takenAt)},{' '}
                {Object.values(resources).reduce((sum, count) => sum + count, 0)} items
              </small>
            </span>
            <button
              type="button"
              class="small"
              aria-label={`Go back to ${name}`}
              onClick={() => void run(`Back at ${name}`, restoreSnapshot(name))}
            >
              Go back
            </button>
            <button
              type="button"
              class="small"
              aria-label={`Delete ${name}`}
              onClick={() => void run(`Deleted ${name}`, removeSnapshot(name))}
            >
              Delete
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
