import { send } from '../http/send.js'
import { withParameters } from './call.js'
import type { RequestRecord, RequestSummary } from './journal-records.js'

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
): Promise<RequestRecord | undefined> {
  const query = JSON.stringify({ _id: id })
  const [record] = await send<RequestRecord[]>(withParameters('/__admin/requests', { query }), {
    signal,
  })
  return record
}

/** Clears the journal. */
export const clearJournal = (): Promise<unknown> => send('/__admin/requests', { method: 'DELETE' })
