import type { LoadClient } from './client.js'
import type { Extent } from './flags.js'
import type { Job, Load } from './load.js'
import { median } from './median.js'
import type { Running, Usage } from './server-process.js'
import type { Work } from './work.js'

/** What one kind of work costs one server: the medians of its rounds. */
export interface Cost {
  /** CPU time of the server per request, in µs. */
  readonly cpu: number
  /** Requests per second. */
  readonly rate: number
  /** The 99th percentile of the latency, in ms. */
  readonly p99: number
}

/**
 * Measures what a kind of work costs each server that can do it, by the server's name. They take
 * turns, round after round, so that whatever else the machine does meets them all.
 */
export async function measure(
  servers: readonly Running[],
  work: Work,
  client: LoadClient,
  { rounds, seconds }: Extent,
): Promise<ReadonlyMap<string, Cost>> {
  const turns: { server: Running; job: Job; costs: Cost[] }[] = []
  for (const server of servers) {
    const job = jobOf(server, work)
    if (job !== undefined) turns.push({ server, job: await warm(client, job, seconds), costs: [] })
  }
  for (let round = 0; round < rounds; round += 1)
    for (const { server, job, costs } of turns) costs.push(await takeTurn(server, job, client))
  return new Map(turns.map(({ server, costs }) => [server.contender.name, medians(costs)]))
}

const CONNECTIONS = 10

/** The CPU time that a server has used, in µs. */
export const cpuOf = ({ cpu }: Usage): number => cpu.user + cpu.system

function jobOf({ contender, origin }: Running, work: Work): Job | undefined {
  const paths = work.reads.map((read) => contender.pathOf(work, read))
  if (!paths.every((path) => path !== undefined)) return undefined
  const { headers, isStrict } = contender
  const isVaried = work.isVaried && !isStrict
  const requests = paths.map((path) => ({ path }))
  return { origin, headers, requests, isVaried, connections: CONNECTIONS, amount: CONNECTIONS }
}

/** Sends ever more requests until they take a third of a turn; then says how many a turn has. */
async function warm(client: LoadClient, job: Job, seconds: number): Promise<Job> {
  let { amount } = job
  for (;;) {
    const load = await client.send({ ...job, amount })
    if (load.seconds >= seconds / 3) {
      return {
        ...job,
        amount: Math.max(CONNECTIONS, Math.round((amount / load.seconds) * seconds)),
      }
    }
    amount *= 3
  }
}

async function takeTurn(server: Running, job: Job, client: LoadClient): Promise<Cost> {
  const before = cpuOf(await server.usage())
  const load: Load = await client.send(job)
  const cpu = cpuOf(await server.usage()) - before
  return { cpu: cpu / job.amount, rate: job.amount / load.seconds, p99: load.p99 }
}

const medians = (costs: readonly Cost[]): Cost => ({
  cpu: median(costs.map(({ cpu }) => cpu)),
  rate: median(costs.map(({ rate }) => rate)),
  p99: median(costs.map(({ p99 }) => p99)),
})
