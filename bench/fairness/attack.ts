/** The process of twenty clients: asks for the costly work of each job that it receives. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { describeOutcome, sendRequest } from '../clients/send-request.js'
import type { OutgoingRequest } from '../clients/send-request.js'
import { count } from '../figures/tally.js'
import type { Tally } from '../figures/tally.js'
import type { CostlyWork, Target } from './costly-work.js'
import { createCostlyWork } from './create-costly-work.js'

/** A turn of one kind of work, or its preparation. */
export interface AttackJob {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  readonly target: Target
  /** The name of the kind. */
  readonly work: string
  readonly step: 'prepare' | 'attack'
  /** The time in which requests are sent. */
  readonly seconds: number
}

/** The statuses that the requests of a job got. */
export type AttackResult = Tally

/** The number of clients. Each sends its next request when it has the response to the last one. */
const CLIENTS = 20

/** The time after the last request in which responses are awaited, in ms. */
const GRACE_MS = 20_000

/** The pause of a client after a connection that ended, in ms. */
const RETRY_MS = 20

/** The time that one request of a preparation may take, in ms. */
const PREPARE_MS = 30_000

process.on('message', async (job: AttackJob) => {
  process.send?.(await run(job))
})
process.on('disconnect', () => process.exit())

async function run({ origin, headers, target, work, step, seconds }: AttackJob): Promise<Tally> {
  const kind = createCostlyWork(target).find(({ name }) => name === work) as CostlyWork
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const end = performance.now() + seconds * 1000
  const requests =
    step === 'prepare' ? (kind.prepare?.() ?? [])[Symbol.iterator]() : createRequests(kind, end)
  const tally: Record<string, number> = {}
  const sendAll = async (): Promise<void> => {
    for (let next = requests.next(); next.done !== true; next = requests.next()) {
      const { value: request } = next
      const timeout =
        step === 'prepare' ? PREPARE_MS : (kind.hangUpAfter ?? end + GRACE_MS - performance.now())
      const allHeaders = { ...headers, ...request.headers }
      const outcome = await sendRequest(agent, origin, { ...request, headers: allHeaders }, timeout)
      count(tally, describeOutcome(outcome))
      if (outcome.status === undefined && kind.hangUpAfter === undefined) await sleep(RETRY_MS)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, sendAll))
  agent.destroy()
  return tally
}

function* createRequests(
  { createRequest, maxRequests = Infinity }: CostlyWork,
  end: number,
): Generator<OutgoingRequest> {
  for (let index = 0; index < maxRequests && performance.now() < end; index += 1)
    yield createRequest(index)
}
