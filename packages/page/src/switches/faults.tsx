import type { VNode } from 'preact'

import type { Fault, FaultRule } from '@materials-mock/api'
import { addFault, listFaults, removeFault } from '../api/controls.js'
import { session } from '../session/session.js'
import { reload } from '../state/versions.js'
import { ActionButton } from '../widgets/action-button.js'
import { TableHead } from '../widgets/table.js'
import { focusSoon, showError } from '../widgets/toasts.js'

interface RulesProps {
  readonly rules: readonly FaultRule[]
}

/** The faults that a switch turns on and off. */
export const FaultSwitches = ({ rules }: RulesProps): VNode => (
  <ul>
    {NAMED_FAULTS.map((fault) => (
      <li key={fault.title}>
        <label class="switch">
          <input
            type="checkbox"
            role="switch"
            checked={findRules(fault, rules).length > 0}
            onClick={(event) => {
              event.preventDefault() // it is on while there is a rule
              lastToggle = lastToggle
                .then(() => toggle(fault))
                .catch(showError)
                .then(reloadRules)
            }}
          />
          <span>
            <strong>{fault.title}</strong>
            <small>{fault.description}</small>
          </span>
        </label>
      </li>
    ))}
  </ul>
)

/** The last toggle. The next toggle waits for it, because its effect depends on the rules after it. */
let lastToggle = Promise.resolve()

/** Returns the rules of a switch that is on. */
function findRules(fault: NamedFault, rules: readonly FaultRule[]): FaultRule[] {
  return rules.filter(({ name }) => name === nameOf(fault))
}

const nameOf = ({ title }: NamedFault): string => title.toLowerCase()

async function toggle(fault: NamedFault): Promise<void> {
  const active = findRules(fault, await listFaults())
  if (active.length === 0) await addFault({ name: nameOf(fault), ...fault.rule() })
  for (const { _id } of active) await removeFault(_id)
}

/** Loads the rules again, also where no event tells of a change. */
export const reloadRules = (): void => reload(['faults'])

async function remove({ _id }: FaultRule): Promise<void> {
  await removeFault(_id).finally(reloadRules)
  if ((await listFaults()).length === 0) focusSoon('.fault-form [type=submit]')
}

/** All rules, in the order in which they are matched, each with its number of matched requests. */
export function RuleList({ rules }: RulesProps): VNode | null {
  if (rules.length === 0) return null
  return (
    <table class="facts rules">
      <TableHead
        heads={[{ title: 'Rule' }, { title: 'Matched', class: 'numeric' }, { title: '' }]}
      />
      <tbody>
        {rules.map((rule) => (
          <tr key={rule._id}>
            <td>
              <code>{formatRule(rule)}</code>
            </td>
            <td class="numeric">{rule.matchCount}</td>
            <td class="numeric">
              <ActionButton
                class="small"
                label={`Remove rule ${rule._id}`}
                onAct={() => remove(rule)}
              >
                Remove
              </ActionButton>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const formatRule = (rule: FaultRule): string =>
  JSON.stringify({ ...rule, _id: undefined, matchCount: undefined })

/** A fault that a switch turns on. */
interface NamedFault {
  readonly title: string
  readonly description: string
  readonly rule: () => Fault
}

const NAMED_FAULTS: readonly NamedFault[] = [
  {
    title: 'Slow',
    description: 'Each response takes 1 to 3 seconds.',
    rule: () => ({ delay: { min: 1000, max: 3000 } }),
  },
  {
    title: 'Errors',
    description: 'Each request fails with 500.',
    rule: () => ({ status: 500 }),
  },
  {
    title: 'Session ends',
    description: 'The requests of this account fail with 401; a login succeeds.',
    rule: () => ({ status: 401, accountId: session.value?.headers['X-Account-Id'] ?? '' }),
  },
  {
    title: 'Rate limit',
    description: 'Each request fails with 429 and Retry-After: 5.',
    rule: () => ({ status: 429, retryAfter: 5 }),
  },
  {
    title: 'Broken connection',
    description: 'The connection ends in the middle of the response.',
    rule: () => ({ drop: 'truncate' }),
  },
]
