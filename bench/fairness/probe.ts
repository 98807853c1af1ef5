/** The process of the other client: asks for one item after another, and measures its waits. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { describeOutcome, sendRequest } from '../clients/send-request.js'
import { count } from '../figures/tally.js'
import type { Tally } from '../figures/tally.js'
import { PROBE_INTERVAL } from './probe-interval.js'

/** A job of the other client: to start asking, or to stop. */
export type ProbeJob =
  | {
      readonly step: 'start'
      readonly origin: string
      readonly headers: Readonly<Record<string, string>>
      /** The path of the items. */
      readonly path: string
      readonly ids: readonly string[]
    }
  | { readonly step: 'stop' }

/** What the other client saw from its start to its stop. */
export interface ProbeResult {
  /** In ms. */
  readonly latencies: readonly number[]
  /** The responses that were not the item that was asked for. */
  readonly failures: Tally
}

/** The time after which a request is given up, in ms. */
const MAX_WAIT_MS = 60_000

let stop = new AbortController()
let result: Promise<ProbeResult> = Promise.resolve({ latencies: [], failures: {} })

process.on('message', async (job: ProbeJob) => {
  if (job.step === 'start') {
    stop = new AbortController()
    result = probe(job, stop.signal)
    process.send?.({ latencies: [], failures: {} })
  } else {
    stop.abort()
    process.send?.(await result)
  }
})
process.on('disconnect', () => process.exit())

async function probe(
  { origin, headers, path, ids }: Extract<ProbeJob, { step: 'start' }>,
  stopped: AbortSignal,
): Promise<ProbeResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const latencies: number[] = []
  const failures: Record<string, number> = {}
  for (let index = 0; !stopped.aborted || index === 0; index += 1) {
    const id = ids[index % ids.length] as string
    const request = { method: 'GET', path: `${path}/${id}`, headers }
    const startedAt = performance.now()
    const outcome = await sendRequest(agent, origin, request, MAX_WAIT_MS)
    latencies.push(performance.now() - startedAt)
    if (outcome.status !== 200) count(failures, describeOutcome(outcome))
    else if (!outcome.text.includes(`"_id":"${id}"`)) count(failures, 'another item')
    await sleep(PROBE_INTERVAL)
  }
  agent.destroy()
  return { latencies, failures }
}
