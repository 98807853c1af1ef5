import type { LoadClient } from '../clients/client.js'
import type { LoadJob } from '../clients/load.js'
import { median } from '../figures/median.js'
import type { RunningServer, Usage } from '../servers/server-process.js'
import type { Workload } from '../workloads/workload.js'
import type { Settings } from './settings.js'

/** The cost of a workload on one server: the medians of its rounds. */
export interface Cost {
  /** CPU time of the server per request, in µs. */
  readonly cpu: number
  /** Requests per second. */
  readonly rate: number
  /** The 99th percentile of the latency, in ms. */
  readonly p99: number
}

/**
 * Measures a workload on each server that supports it. The servers take turns in each round, so that
 * other load on the machine affects all of them.
 * @returns the costs by the name of the server
 */
export async function measureWorkload(
  servers: readonly RunningServer[],
  workload: Workload,
  client: LoadClient,
  { rounds, seconds }: Settings,
): Promise<ReadonlyMap<string, Cost>> {
  const turns: { server: RunningServer; job: LoadJob; costs: Cost[] }[] = []
  for (const server of servers) {
    const job = createJob(server, workload)
    if (job !== undefined)
      turns.push({ server, job: await warmUp(client, job, seconds), costs: [] })
  }
  for (let round = 0; round < rounds; round += 1)
    for (const { server, job, costs } of turns) costs.push(await takeTurn(server, job, client))
  return new Map(turns.map(({ server, costs }) => [server.definition.name, toMedians(costs)]))
}

const CONNECTIONS = 10

/** Returns the CPU time of a server since its start, in µs. */
export const toCpuTime = ({ cpu }: Usage): number => cpu.user + cpu.system

/** Returns undefined if the server does not support the workload. */
function createJob({ definition, origin }: RunningServer, workload: Workload): LoadJob | undefined {
  const paths = workload.reads.map((read) => definition.toPath(workload, read))
  if (!paths.every((path) => path !== undefined)) return undefined
  const { headers, filtersByAnyParameter } = definition
  const isVaried = workload.isVaried && !filtersByAnyParameter
  const requests = paths.map((path) => ({ path }))
  return { origin, headers, requests, isVaried, connections: CONNECTIONS, amount: CONNECTIONS }
}

/**
 * Sends more and more requests until they take a third of a turn.
 * @returns the job with the number of requests of a turn
 */
async function warmUp(client: LoadClient, job: LoadJob, seconds: number): Promise<LoadJob> {
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

async function takeTurn(server: RunningServer, job: LoadJob, client: LoadClient): Promise<Cost> {
  const before = toCpuTime(await server.getUsage())
  const load = await client.send(job)
  const cpu = toCpuTime(await server.getUsage()) - before
  return { cpu: cpu / job.amount, rate: job.amount / load.seconds, p99: load.p99 }
}

const toMedians = (costs: readonly Cost[]): Cost => ({
  cpu: median(costs.map(({ cpu }) => cpu)),
  rate: median(costs.map(({ rate }) => rate)),
  p99: median(costs.map(({ p99 }) => p99)),
})
