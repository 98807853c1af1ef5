import { generateMaterials } from '@materials-mock/structures'
import type { LoadClient } from '../clients/client.js'
import type { LoadJob } from '../clients/load.js'
import type { RunningServer } from '../servers/server-process.js'
import type { Data } from '../workloads/data.js'
import { BASE } from '../workloads/our-path.js'
import { toCpuTime } from './rounds.js'

/** The cost of one kind of write. The writes are sent one at a time. */
export interface WriteCost {
  readonly name: string
  /** CPU time of the server per write, in µs. */
  readonly cpu: number
  /** Latencies in ms. */
  readonly p50: number
  readonly p99: number
}

/** Measures changed and new items on our server, whose indexes exist after the reads. */
export async function measureWrites(
  { definition, origin, getUsage }: RunningServer,
  { summaries }: Data,
  client: LoadClient,
): Promise<WriteCost[]> {
  const [material] = generateMaterials(1)
  const { lattice, basis } = material ?? {}
  const kinds: [name: string, requests: LoadJob['requests']][] = [
    [
      'PATCH of a name',
      summaries.slice(0, WRITE_COUNT).map(({ id }, index) => ({
        method: 'PATCH',
        path: `${BASE}/${id}`,
        body: JSON.stringify({ name: `patched ${index}` }),
      })),
    ],
    [
      'PUT of a new material',
      Array.from({ length: WRITE_COUNT }, (_, index) => ({
        method: 'PUT',
        path: `${BASE}/create`,
        body: JSON.stringify({ name: `made ${index}`, lattice, basis }),
      })),
    ],
  ]
  const headers = { ...definition.headers, 'content-type': 'application/json' }
  const costs: WriteCost[] = []
  for (const [name, requests] of kinds) {
    const before = toCpuTime(await getUsage())
    const job = { origin, headers, requests, connections: 1, amount: WRITE_COUNT, isVaried: false }
    const { p50, p99 } = await client.send(job)
    costs.push({ name, cpu: (toCpuTime(await getUsage()) - before) / WRITE_COUNT, p50, p99 })
  }
  return costs
}

/** The number of writes of each kind. */
const WRITE_COUNT = 1000
