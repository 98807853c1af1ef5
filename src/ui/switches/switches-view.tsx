import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'

import { requestsVersion } from '../events/handle-event.js'
import { ActionButton } from '../widgets/action-button.js'
import { ClockSwitch } from './clock.js'
import { FaultForm } from './fault-form.js'
import { FaultSwitches, loadRules, RuleList } from './faults.js'
import { Sandboxes, targetName, ScenarioList } from './sandboxes.js'
import { reset, Snapshots } from './snapshots.js'

/** Faults, sandboxes, the clock, scenarios, snapshots and the reset. */
export function SwitchesView(): VNode {
  useEffect(() => void loadRules(), [requestsVersion.value]) // the counts of the rules
  return (
    <div class="switches-view">
      <h1>Switches of {targetName()}</h1>
      <section class="card stack">
        <h2>Faults</h2>
        <p class="muted">
          They apply to every request to {targetName()}, but not to the requests of this page. The
          first rule that matches is used.
        </p>
        <FaultSwitches />
        <h3>Another rule</h3>
        <FaultForm />
        <RuleList />
      </section>
      <div class="stack">
        <section class="card stack">
          <h2>Sandbox</h2>
          <p class="muted">
            A sandbox has items, sessions, faults and requests of its own. The page shows one, and
            its address says which.
          </p>
          <Sandboxes />
        </section>
        <section class="card stack">
          <h2>Clock</h2>
          <ClockSwitch />
        </section>
        <section class="card stack">
          <h2>Scenarios</h2>
          <p class="muted">A scenario opens in a sandbox of its own, and changes nothing here.</p>
          <ScenarioList />
        </section>
        <section class="card stack">
          <h2>Snapshots</h2>
          <p class="muted">
            A snapshot keeps all items and sessions of {targetName()}, also over a reset.
          </p>
          <Snapshots />
        </section>
        <section class="card stack">
          <h2>Reset</h2>
          <p class="muted">
            Puts all items of {targetName()} back as they were loaded, ends the sessions, and
            removes faults and recorded requests. Snapshots stay.
          </p>
          <ActionButton class="danger" onAct={reset}>
            Reset {targetName()}
          </ActionButton>
        </section>
      </div>
    </div>
  )
}
