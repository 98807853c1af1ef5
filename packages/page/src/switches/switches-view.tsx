import type { VNode } from 'preact'

import { listFaults } from '../api/controls.js'
import { requestsVersion } from '../events/handle-event.js'
import { useLoad } from '../state/hooks.js'
import { versionOf } from '../state/versions.js'
import { ActionButton } from '../widgets/action-button.js'
import { Failure } from '../widgets/toasts.js'
import { ClockSwitch } from './clock.js'
import { FaultForm } from './fault-form.js'
import { FaultSwitches, RuleList } from './faults.js'
import { Sandboxes, targetName, ScenarioList } from './sandboxes.js'
import { reset, Snapshots } from './snapshots.js'

export function SwitchesView(): VNode {
  // Each request changes the counts of the rules.
  const version = `${versionOf('faults')} ${requestsVersion.value}`
  const { data: rules = [], error } = useLoad(listFaults, [], version)
  return (
    <div class="switches-view">
      <h1>Controls of {targetName()}</h1>
      <section class="card stack">
        <h2>Faults</h2>
        <p class="muted">
          They apply to every request to {targetName()}, but not to the requests of this page. The
          first rule that matches is used.
        </p>
        <FaultSwitches rules={rules} />
        <h3>Add rule</h3>
        <FaultForm />
        <Failure error={error} />
        <RuleList rules={rules} />
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
          <ActionButton class="bad" onAct={reset}>
            Reset {targetName()}
          </ActionButton>
        </section>
      </div>
    </div>
  )
}
