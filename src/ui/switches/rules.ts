import { signal } from '@preact/signals'

import { listFaults } from '../api/faults.js'
import type { FaultRule } from '../api/faults.js'

/** The fault rules of the server. */
export const rules = signal<readonly FaultRule[]>([])

/** Loads the rules. If the server does not answer, those that are known stay. */
export async function loadRules(): Promise<void> {
  rules.value = await listFaults().catch(() => rules.value)
}
