import type { VNode } from 'preact'

import { addFault, removeFault } from '../api/faults.js'
import type { FaultRule } from '../api/faults.js'
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
  return (
    <button
      type="button"
      role="switch"
      aria-checked={findRules(fault).length > 0}
      class="switch"
      onClick={() => {
        lastToggle = lastToggle.then(() => toggle(fault))
      }}
    >
      <span class="knob" />
      <span>
        <strong>{fault.title}</strong>
        <small>{fault.description}</small>
      </span>
    </button>
  )
}

/** Each toggle waits for the one before: what it does depends on the rules that this one leaves. */
let lastToggle = Promise.resolve()

/** Returns the rules of a switch that is on. */
function findRules(fault: NamedFault): FaultRule[] {
  const { name } = fault.rule()
  return rules.value.filter((rule) => rule.name === name)
}

/** Turns a fault off, if there are rules of it, else on. */
async function toggle(fault: NamedFault): Promise<void> {
  try {
    const active = findRules(fault)
    if (active.length === 0) await addFault(fault.rule())
    for (const { _id } of active) await removeFault(_id)
  } catch (error) {
    showError(error)
  }
  await loadRules()
}
