import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

import type { Json } from '@materials-mock/json'
import { nameOf } from '../api/item.js'
import type { Item } from '../api/item.js'
import { createItem, listItems, submitJob } from '../api/items.js'
import { useLoad } from '../state/hooks.js'
import { navigate } from '../state/navigation.js'
import { toResource } from '../state/page-state.js'
import { reload } from '../state/versions.js'
import { ActionForm } from '../widgets/action-button.js'
import { Dialog } from '../widgets/dialog.js'
import { Failure, focusSoon, Notice, showToast } from '../widgets/toasts.js'
import { markMade } from './new-items.js'

interface RunDialogProps {
  readonly materials: readonly Item[] | undefined
  readonly workflow: Item | undefined
  readonly onClose: () => void
}

const PROJECTION = JSON.stringify({
  limit: 500,
  sort: { name: 1 },
  fields: { name: 1, formula: 1, isDefault: 1 },
})

/** Asks for the workflow and the material that are not known yet, and runs. */
export function RunDialog({ materials, workflow, onClose }: RunDialogProps): VNode {
  const workflows = useChoice('workflows', workflow && [workflow])
  const choice = useChoice('materials', materials)
  const chosen = materials ?? choice.items.filter(({ _id }) => _id === choice.id)
  const name = describeJob(workflows.item, chosen)
  const run = async (values: FormData): Promise<void> => {
    if (workflows.item === undefined || chosen.length === 0) return
    const typed = String(values.get('name') ?? '').trim()
    const jobs: Item[] = []
    try {
      for (const material of chosen) {
        const job = await createItem('jobs', {
          name:
            chosen.length === 1 && typed !== '' ? typed : describeJob(workflows.item, [material]),
          workflow: { _id: workflows.item._id ?? '' },
          _material: { _id: material._id ?? '' },
        })
        jobs.push(job)
        await submitJob(job._id ?? '')
      }
    } finally {
      markMade(jobs)
      reload(['jobs'])
    }
    onClose()
    navigate(toResource('jobs', jobs.length === 1 ? jobs[0]?._id : ''))
    focusSoon(jobs.length === 1 ? '.item-pane' : 'main')
    showToast({ text: jobs.length === 1 ? 'Submitted the job' : `Submitted ${jobs.length} jobs` })
  }
  return (
    <Dialog title="Run a workflow" onClose={onClose}>
      {() => (
        <ActionForm class="stack run-form" action="Run" onAct={run}>
          <Failure error={workflows.error ?? choice.error} />
          <Choice label="Workflow" of={workflows} />
          {materials === undefined || materials.length === 1 ? (
            <Choice label="Material" of={choice} />
          ) : (
            <p>{`A job for each of ${materials.length} materials`}</p>
          )}
          {chosen.length === 1 && (
            <label>
              Name
              <input name="name" key={name} defaultValue={name} autocomplete="off" />
            </label>
          )}
          {workflows.isLoaded && workflows.items.length === 0 && (
            <Notice kind="info">The server has no workflow that this account sees.</Notice>
          )}
        </ActionForm>
      )}
    </Dialog>
  )
}

/** A choice among the items of a resource. */
interface ItemChoice {
  readonly items: readonly Item[]
  readonly id: string
  readonly item: Item | undefined
  readonly isLoaded: boolean
  readonly error: Error | undefined
  readonly choose: (id: string) => void
}

/** @param fixed the only items to choose from; undefined for all of the resource, the default one first */
function useChoice(resource: string, fixed: readonly Item[] | undefined): ItemChoice {
  const [chosen, choose] = useState<string>()
  const { data, error } = useLoad(
    async (signal) =>
      fixed ?? listItems(resource, { query: undefined, projection: PROJECTION }, signal),
    [],
  )
  const items = data ?? []
  const first = items.find(({ isDefault }) => isDefault === true) ?? items[0]
  const id = chosen ?? first?._id ?? ''
  const item = items.find(({ _id }) => _id === id)
  return { items, id, item, isLoaded: data !== undefined, error, choose }
}

const Choice = ({ label, of: { items, id, choose } }: { label: string; of: ItemChoice }): VNode => (
  <label>
    {label}
    <select value={id} required onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {items.map((item) => (
        <option key={item._id} value={item._id}>
          {textOf(nameOf(item))}
        </option>
      ))}
    </select>
  </label>
)

/** Returns the name of a job that nobody has named. */
function describeJob(workflow: Item | undefined, [material]: readonly Item[]): string {
  const of = textOf(material?.formula ?? (material && nameOf(material)))
  return `${textOf(workflow && nameOf(workflow))}, ${of}`
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
