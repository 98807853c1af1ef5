import type { Fault, FaultRule } from '../../admin/faults/fault.js'
import type { JournalItem } from '../../admin/journal/journal-item.js'
import type { RunDescription } from '../../domain/jobs/units.js'
import type { ClockState } from '../../store/clock.js'
import { ROOT, send, withParameters } from '../http/send.js'
import type { RequestSummary } from './journal.js'
import type { JsonObject } from '../../json/json.js'

/** A snapshot of all items and sessions. */
export interface Snapshot {
  readonly name: string
  readonly takenAt: string
  readonly resources: Readonly<Record<string, number>>
}

export const listSnapshots = (signal?: AbortSignal): Promise<Snapshot[]> =>
  send('/__admin/snapshots', { signal })

/** Takes a snapshot. It replaces a snapshot with the same name. */
export const takeSnapshot = (name: string): Promise<Snapshot> =>
  send(pathOf(name), { method: 'PUT' })

export const restoreSnapshot = (name: string): Promise<Snapshot> =>
  send(`${pathOf(name)}/restore`, { method: 'POST' })

/** Deletes a snapshot. */
export const removeSnapshot = (name: string): Promise<unknown> =>
  send(pathOf(name), { method: 'DELETE' })

/** Restores the items as loaded, ends the sessions, and removes the faults and the journal. */
export const resetServer = (): Promise<unknown> => send('/__admin/reset', { method: 'POST' })

const pathOf = (name: string): string => `/__admin/snapshots/${encodeURIComponent(name)}`

/** Reads the life of a job, with what is still to come. */
export const readRun = (jobId: string, signal?: AbortSignal): Promise<RunDescription> =>
  send(`/__admin/runs/${encodeURIComponent(jobId)}`, { signal })

/** The controls of the server itself: the page may show a sandbox, which may have ended. */
const SERVER = `${globalThis.location?.origin}${ROOT}/__admin`

const SANDBOXES = `${SERVER}/sandboxes`

/** Lists the sandboxes, by name. */
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

/** Lists the rules, in the order in which they are matched. */
export const listFaults = (signal?: AbortSignal): Promise<FaultRule[]> =>
  send('/__admin/faults', { signal })

/** Adds a rule after the others. The rule can be a JSON text. */
export const addFault = (fault: Fault | string): Promise<FaultRule> =>
  send('/__admin/faults', { method: 'POST', body: fault })

/** Removes a rule. */
export const removeFault = (id: string): Promise<unknown> =>
  send(`/__admin/faults/${id}`, { method: 'DELETE' })

/** Removes all rules. */
export const clearFaults = (): Promise<unknown> => send('/__admin/faults', { method: 'DELETE' })

/** Lists the names of the scenarios. */
export const listScenarios = (signal?: AbortSignal): Promise<string[]> =>
  send('/__admin/scenarios', { signal })

/** Returns how the state that the page shows differs from the fixtures, as an entry of `scenarios.json`. */
export const getScenario = (): Promise<JsonObject> => send('/__admin/scenario')

/** Applies a scenario to a sandbox. The default is the server or the sandbox that the page shows. */
export const applyScenario = (name: string, sandbox?: string): Promise<unknown> =>
  send(
    `${sandbox === undefined ? '' : `${location.origin}${ROOT}/sandboxes/${encodeURIComponent(sandbox)}`}/__admin/scenarios/${encodeURIComponent(name)}`,
    { method: 'POST' },
  )

export const readClock = (signal?: AbortSignal): Promise<ClockState> =>
  send('/__admin/clock', { signal })

/** Advances, sets, rewinds or freezes the clock. */
export const changeClock = (change: {
  readonly advance?: number
  readonly set?: string
  readonly rewind?: string
  readonly freeze?: boolean
}): Promise<ClockState> => send('/__admin/clock', { method: 'POST', body: change })

/** Returns to the clock of the system. */
export const resetClock = (): Promise<ClockState> => send('/__admin/clock', { method: 'DELETE' })

/** The parts of a request that a list does not need. */
const SUMMARY = JSON.stringify({ limit: 500, fields: { headers: 0, body: 0, response: 0 } })

/** Lists the requests of the journal that match a query, the newest first. */
export const listSummaries = (
  query: string | undefined,
  signal?: AbortSignal,
): Promise<RequestSummary[]> =>
  send(withParameters('/__admin/requests', { query, projection: SUMMARY }), { signal })

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

/**
 * Returns the text of a test that expects the recorded requests.
 * @param query selects the requests; an empty text selects all
 */
export const getRequestTest = (query: string, language: string | undefined): Promise<string> =>
  send(withParameters('/__admin/requests.test', { query, language }), { isText: true })
