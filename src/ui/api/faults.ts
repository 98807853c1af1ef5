import type { Fault } from '../../admin/faults/fault.js'
import { send } from '../http/send.js'

/** A rule that the server has. */
export type FaultRule = Fault & { readonly _id: string; readonly matchCount: number }

/** Lists the rules, in the order in which they are matched. */
export const listFaults = (signal?: AbortSignal): Promise<FaultRule[]> =>
  send('/__admin/faults', { signal })

/** Adds a rule after the others; it can be the JSON text of one. */
export const addFault = (fault: Fault | string): Promise<FaultRule> =>
  send('/__admin/faults', { method: 'POST', body: fault })

/** Removes a rule. */
export const removeFault = (id: string): Promise<unknown> =>
  send(`/__admin/faults/${id}`, { method: 'DELETE' })

/** Removes all rules. */
export const clearFaults = (): Promise<unknown> => send('/__admin/faults', { method: 'DELETE' })
