import type { VNode } from 'preact'

import { addFault, removeFault } from '../api/faults.js'
import { showError } from '../widgets/toasts.js'
import { NAMED_FAULTS } from './named-faults.js'
import type { NamedFault } from './named-faults.js'
import { loadRules, rules } from './rules.js'

/** The faults that a switch turns on and off. */
export const FaultSwitches = (): VNode => (
  <ul class="switches">
    {NAMED_FAULTS.map((fault) => (
      <li key={fault.title}>
        <Switch fault={fault} />
      </li>
    ))}
  </ul>
)

function Switch({ fault }: { readonly fault: NamedFault }): VNode {
  const { name } = fault.rule()
  const active = rules.value.filter((rule) => rule.name === name)
  const isOn = active.length > 0
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      class="switch"
      onClick={() =>
        void toggle(
          fault,
          active.map(({ _id }) => _id),
        )
      }
    >
      <span class="knob" />
      <span>
        <strong>{fault.title}</strong>
        <small>{fault.description}</small>
      </span>
    </button>
  )
}

/** Turns a fault off, if there are rules of it, else on. */
async function toggle(fault: NamedFault, ids: readonly string[]): Promise<void> {
  try {
    if (ids.length === 0) await addFault(fault.rule())
    for (const id of ids) await removeFault(id)
  } catch (error) {
    showError(error)
  }
  await loadRules()
}
