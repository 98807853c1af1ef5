import type {
  ClockState,
  Fault,
  FaultRule,
  JournalItem,
  Outcome,
  RequestArrival,
} from '@materials-mock/api'
import type { JsonObject } from '@materials-mock/json'
import { ROOT, send, withParameters } from '../http/send.js'

export interface Snapshot {
  readonly name: string
  readonly takenAt: string
  readonly resources: Readonly<Record<string, number>>
}

export const listSnapshots = (signal?: AbortSignal): Promise<Snapshot[]> =>
  send('/__admin/snapshots', { signal })

export const takeSnapshot = (name: string): Promise<Snapshot> =>
  send(pathOf(name), { method: 'PUT' })

export const restoreSnapshot = (name: string): Promise<Snapshot> =>
  send(`${pathOf(name)}/restore`, { method: 'POST' })

export const removeSnapshot = (name: string): Promise<unknown> =>
  send(pathOf(name), { method: 'DELETE' })

/** Restores the items as loaded, ends the sessions, and removes the faults and the journal. */
export const resetServer = (): Promise<unknown> => send('/__admin/reset', { method: 'POST' })

const pathOf = (name: string): string => `/__admin/snapshots/${encodeURIComponent(name)}`

/** The controls of the server itself: the page may show a sandbox, which may have ended. */
const SERVER = `${globalThis.location?.origin}${ROOT}/__admin`

const SANDBOXES = `${SERVER}/sandboxes`

export const listSandboxes = (): Promise<{ readonly name: string }[]> => send(SANDBOXES)

/** Makes a sandbox, or brings it back to the items as loaded. */
export const makeSandbox = (name: string): Promise<unknown> =>
  send(`${SANDBOXES}/${encodeURIComponent(name)}`, { method: 'PUT' })

export const endSandbox = (name: string): Promise<unknown> =>
  send(`${SANDBOXES}/${encodeURIComponent(name)}`, { method: 'DELETE' })

/** Ends all sandboxes, and brings the server back to how it began: as loaded, or in a scenario. */
export async function beginAnew(scenario: string): Promise<void> {
  for (const { name } of await listSandboxes()) await endSandbox(name)
  const path = scenario === '' ? '/reset' : `/scenarios/${encodeURIComponent(scenario)}`
  await send(SERVER + path, { method: 'POST' })
}

export const listFaults = (signal?: AbortSignal): Promise<FaultRule[]> =>
  send('/__admin/faults', { signal })

/** Adds a rule after the others. The rule can be a JSON text. */
export const addFault = (fault: Fault | string): Promise<FaultRule> =>
  send('/__admin/faults', { method: 'POST', body: fault })

export const removeFault = (id: string): Promise<unknown> =>
  send(`/__admin/faults/${id}`, { method: 'DELETE' })

export const clearFaults = (): Promise<unknown> => send('/__admin/faults', { method: 'DELETE' })

export const listScenarios = (signal?: AbortSignal): Promise<string[]> =>
  send('/__admin/scenarios', { signal })

/** Returns how the state that the page shows differs from the fixtures, as an entry of `scenarios.json`. */
export const getScenario = (): Promise<JsonObject> => send('/__admin/scenario')

/** Applies a scenario to a sandbox. The default is the server or the sandbox that the page shows. */
export const applyScenario = (
  name: string,
  sandbox?: string,
): Promise<{ readonly view?: string }> =>
  send(
    `${sandbox === undefined ? '' : `${location.origin}${ROOT}/sandboxes/${encodeURIComponent(sandbox)}`}/__admin/scenarios/${encodeURIComponent(name)}`,
    { method: 'POST' },
  )

export const readClock = (signal?: AbortSignal): Promise<ClockState> =>
  send('/__admin/clock', { signal })

export const changeClock = (change: {
  readonly advance?: number
  readonly set?: string
  readonly rewind?: string
  readonly freeze?: boolean
}): Promise<ClockState> => send('/__admin/clock', { method: 'POST', body: change })

export const resetClock = (): Promise<ClockState> => send('/__admin/clock', { method: 'DELETE' })

/** A request in the list. The fields of the response are undefined until there is a response. */
export type RequestSummary = RequestArrival & Partial<Outcome>

/** The parts of a request that a list does not need. */
const FIELDS = { headers: 0, body: 0, response: 0 }

/** The largest number of requests that the server sends at once. The journal has twice as many by default. */
const MAX_SUMMARIES = 500

/** Lists the newest requests of the journal that match a query, the newest first: up to 1,000. */
export async function listSummaries(
  query: string | undefined,
  signal?: AbortSignal,
): Promise<RequestSummary[]> {
  const list = (skip: number): Promise<RequestSummary[]> => {
    const projection = JSON.stringify({ skip, limit: MAX_SUMMARIES, fields: FIELDS })
    return send(withParameters('/__admin/requests', { query, projection }), { signal })
  }
  const newest = await list(0)
  const last = newest[MAX_SUMMARIES - 1]
  if (last === undefined) return newest
  // Some of the newest can be among the older ones, as others have arrived meanwhile.
  return [...newest, ...(await list(MAX_SUMMARIES)).filter(({ _id }) => _id < last._id)]
}

/** Gets a request of the journal; undefined if newer requests have replaced it. */
export async function getRequest(
  id: string,
  signal?: AbortSignal,
): Promise<JournalItem | undefined> {
  const query = JSON.stringify({ _id: id })
  const [record] = await send<JournalItem[]>(withParameters('/__admin/requests', { query }), {
    signal,
  })
  return record
}

export const clearJournal = (): Promise<unknown> => send('/__admin/requests', { method: 'DELETE' })
