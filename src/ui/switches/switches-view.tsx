import { useEffect } from 'preact/hooks'
import type { VNode } from 'preact'

import { feed } from '../events/event-stream.js'
import { useThrottled } from '../state/use-throttled.js'
import { Accounts } from './accounts.js'
import { FaultSwitches } from './fault-switches.js'
import { OwnRule } from './own-rule.js'
import { ResetButton } from './reset-button.js'
import { RuleList } from './rule-list.js'
import { loadRules } from './rules.js'
import { Snapshots } from './snapshots.js'

/** The time between two loads of the counts of the rules, in ms. */
const COUNT_INTERVAL = 500

/** Faults, snapshots, the reset and accounts. */
export function SwitchesView(): VNode {
  const requests = useThrottled(feed.value, COUNT_INTERVAL)
  useEffect(() => void loadRules(), [requests])
  return (
    <div class="switches-view">
      <h1>Switches</h1>
      <section class="card">
        <h2>Faults</h2>
        <p class="muted">
          They apply to every request under /api, but not to those of this page. The first rule that
          matches is used.
        </p>
        <FaultSwitches />
        <OwnRule />
        <RuleList />
      </section>
      <div class="cards">
        <section class="card">
          <h2>Snapshots</h2>
          <p class="muted">A snapshot keeps all items and sessions, also over a reset.</p>
          <Snapshots />
        </section>
        <section class="card">
          <h2>Reset</h2>
          <p class="muted">
            Puts all items back as they were loaded, ends the sessions, and removes faults and
            recorded requests. Snapshots stay.
          </p>
          <ResetButton />
        </section>
        <section class="card">
          <h2>Account</h2>
          <p class="muted">Each account sees its own items, and those without an owner.</p>
          <Accounts />
        </section>
      </div>
    </div>
  )
}
