import type { VNode } from 'preact'

import { removeFault } from '../api/faults.js'
import type { FaultRule } from '../api/faults.js'
import { showError } from '../widgets/toasts.js'
import { loadRules, rules } from './rules.js'

/** All rules, in the order in which they are matched, with the number of requests each has matched. */
export function RuleList(): VNode | null {
  if (rules.value.length === 0) return null
  return (
    <table class="facts rules">
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col" class="numeric">
            Matched
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {rules.value.map((rule) => (
          <tr key={rule._id}>
            <td>
              <code>{formatRule(rule)}</code>
            </td>
            <td class="numeric">{rule.matchCount}</td>
            <td class="numeric">
              <button
                type="button"
                class="small"
                aria-label={`Remove rule ${rule._id}`}
                onClick={() => void removeFault(rule._id).catch(showError).then(loadRules)}
              >
                Remove
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const formatRule = (rule: FaultRule): string =>
  JSON.stringify({ ...rule, _id: undefined, matchCount: undefined })
