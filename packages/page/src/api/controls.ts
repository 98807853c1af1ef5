import type {
  AnswerOf,
  BodyOf,
  ClockState,
  Fault,
  FaultRule,
  JournalItem,
  Outcome,
  RequestArrival,
  Scenario,
} from '@materials-mock/api'
import { callControl } from '../http/call-control.js'
import { ROOT } from '../http/send.js'

export type Snapshot = AnswerOf<'PUT /snapshots/:name'>

export const listSnapshots = (signal?: AbortSignal): Promise<Snapshot[]> =>
  callControl('GET /snapshots', { signal })

export const takeSnapshot = (name: string): Promise<Snapshot> =>
  callControl('PUT /snapshots/:name', { params: { name } })

export const restoreSnapshot = (name: string): Promise<Snapshot> =>
  callControl('POST /snapshots/:name/restore', { params: { name } })

export const removeSnapshot = (name: string): Promise<void> =>
  callControl('DELETE /snapshots/:name', { params: { name } })

/** Restores the items as loaded, ends the sessions, and removes the faults and the journal. */
export const resetServer = (): Promise<void> => callControl('POST /reset', {})

/** The server itself: the page may show a sandbox, which may have ended. */
const SERVER = `${globalThis.location?.origin}${ROOT}`

export const listSandboxes = (): Promise<AnswerOf<'GET /sandboxes'>> =>
  callControl('GET /sandboxes', { base: SERVER })

/** Makes a sandbox, or brings it back to the items as loaded. */
export const makeSandbox = (name: string): Promise<unknown> =>
  callControl('PUT /sandboxes/:name', { base: SERVER, params: { name } })

export const endSandbox = (name: string): Promise<void> =>
  callControl('DELETE /sandboxes/:name', { base: SERVER, params: { name } })

/** Ends all sandboxes, and brings the server back to how it began: as loaded, or in a scenario. */
export async function beginAnew(scenario: string): Promise<void> {
  for (const { name } of await listSandboxes()) await endSandbox(name)
  await (scenario === ''
    ? callControl('POST /reset', { base: SERVER })
    : callControl('POST /scenarios/:name', { base: SERVER, params: { name: scenario } }))
}

export const listFaults = (signal?: AbortSignal): Promise<FaultRule[]> =>
  callControl('GET /faults', { signal })

/** Adds a rule after the others. The rule can be a JSON text. */
export const addFault = (body: Fault | string): Promise<FaultRule> =>
  callControl('POST /faults', { body })

export const removeFault = (id: string): Promise<void> =>
  callControl('DELETE /faults/:id', { params: { id } })

export const clearFaults = (): Promise<void> => callControl('DELETE /faults', {})

/** Lists the names of the scenarios. */
export const listScenarios = (signal?: AbortSignal): Promise<string[]> =>
  callControl('GET /scenarios', { signal })

/** Returns the state as a scenario: what differs from the fixtures, as an entry of `scenarios.json`. */
export const getScenario = (): Promise<Scenario> => callControl('GET /scenario', {})

/** Applies a scenario to a sandbox. The default is the server or the sandbox that the page shows. */
export const applyScenario = (
  name: string,
  sandbox?: string,
): Promise<AnswerOf<'POST /scenarios/:name'>> =>
  callControl('POST /scenarios/:name', {
    base: sandbox && `${SERVER}/sandboxes/${encodeURIComponent(sandbox)}`,
    params: { name },
  })

export const readClock = (signal?: AbortSignal): Promise<ClockState> =>
  callControl('GET /clock', { signal })

export const changeClock = (body: BodyOf<'POST /clock'>): Promise<ClockState> =>
  callControl('POST /clock', { body })

export const resetClock = (): Promise<ClockState> => callControl('DELETE /clock', {})

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
  const list = async (skip: number): Promise<RequestSummary[]> => {
    const projection = JSON.stringify({ skip, limit: MAX_SUMMARIES, fields: FIELDS })
    const found = await callControl('GET /requests', { query: { query, projection }, signal })
    return found as RequestSummary[]
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
  const [record] = await callControl('GET /requests', { query: { query }, signal })
  return record as JournalItem | undefined
}

export const clearJournal = (): Promise<void> => callControl('DELETE /requests', {})
