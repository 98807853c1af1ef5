import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

import type { Item } from '../api/item.js'
import { ActionButton } from '../widgets/action-button.js'

interface RunButtonProps {
  readonly class?: string
  /** The materials of the jobs; undefined if one is chosen in the dialog. */
  readonly materials?: readonly Item[]
  /** The workflow of the job; undefined if it is chosen in the dialog. */
  readonly workflow?: Item
  /** Loads the materials when the dialog opens. */
  readonly load?: () => Promise<readonly Item[]>
}

/** Runs a workflow on materials: a dialog, which loads with the first one, asks for the rest, and the job opens. */
export function RunButton({ load, materials, workflow, ...rest }: RunButtonProps): VNode {
  const [opened, open] = useState<VNode>()
  const prepare = async (): Promise<void> => {
    const { RunDialog } = await import('./run-dialog.js')
    const chosen = load === undefined ? materials : await load()
    open(<RunDialog materials={chosen} workflow={workflow} onClose={() => open(undefined)} />)
  }
  return (
    <>
      <ActionButton {...rest} onAct={prepare}>
        Run…
      </ActionButton>
      {opened}
    </>
  )
}
