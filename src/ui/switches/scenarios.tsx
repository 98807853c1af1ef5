import type { VNode } from 'preact'

import {
  applyScenario,
  endSandbox,
  listSandboxes,
  listScenarios,
  makeSandbox,
} from '../api/controls.js'
import { useLoad } from '../state/hooks.js'
import { frameState, pageState } from '../state/navigation.js'
import { DEFAULT_STATE, toAddress } from '../state/page-state.js'
import { serverVersion } from '../state/versions.js'

/** Opens the page in a scenario, which is applied to a sandbox of its own. */
export const openScenario = (name: string): void =>
  location.assign(toAddress({ ...DEFAULT_STATE, scenario: name }))

/** The scenarios; each opens in a sandbox of its own. */
export function ScenarioList(): VNode {
  const { data: names = [] } = useLoad(listScenarios, [serverVersion.value])
  return names.length === 0 ? (
    <p class="muted">The fixtures have no scenarios.json.</p>
  ) : (
    <ul class="button-line">
      {names.map((name) => (
        <li key={name}>
          <button
            type="button"
            aria-pressed={name === frameState.value.scenario}
            onClick={() => openScenario(name)}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}

/**
 * Applies a scenario to a sandbox of its own. The address names the sandbox then, so that it stays over a
 * reload.
 * @param sandbox the sandbox that the address names
 * @throws ApiError if there is no such scenario
 */
export async function enterScenario(name: string, sandbox: string): Promise<void> {
  const prefix = `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, 60)}-`
  const own = sandbox.startsWith(prefix) ? sandbox : prefix + crypto.randomUUID().slice(0, 8)
  const known = await listSandboxes()
  if (known.some((each) => each.name === own)) return
  await makeSandbox(own)
  try {
    await applyScenario(name, own)
  } catch (error) {
    await endSandbox(own)
    throw error
  }
  if (own === sandbox) return
  location.replace(toAddress({ ...pageState.value, sandbox: own }))
  await new Promise(() => undefined) // the page goes away
}
