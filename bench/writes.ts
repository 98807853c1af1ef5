import { generateMaterials } from '../src/domain/materials/generate/generate-materials.js'
import type { LoadClient } from './client.js'
import type { Data } from './data.js'
import type { Job } from './load.js'
import { BASE } from './our-path.js'
import { cpuOf } from './rounds.js'
import type { Running } from './server-process.js'

/** What one kind of write costs, one at a time. */
export interface WriteCost {
  readonly name: string
  /** CPU time of the server per write, in µs. */
  readonly cpu: number
  /** Latencies in ms. */
  readonly p50: number
  readonly p99: number
}

/** Changes items and makes new ones on our server, whose indexes are there from the reads before. */
export async function measureWrites(
  { contender, origin, usage }: Running,
  { summaries }: Data,
  client: LoadClient,
): Promise<WriteCost[]> {
  const [material] = generateMaterials(1)
  const { lattice, basis } = material ?? {}
  const kinds: [name: string, requests: Job['requests']][] = [
    [
      'PATCH of a name',
      summaries.slice(0, WRITES).map(({ id }, index) => ({
        method: 'PATCH',
        path: `${BASE}/${id}`,
        body: JSON.stringify({ name: `patched ${index}` }),
      })),
    ],
    [
      'PUT of a new material',
      Array.from({ length: WRITES }, (_, index) => ({
        method: 'PUT',
        path: `${BASE}/create`,
        body: JSON.stringify({ name: `made ${index}`, lattice, basis }),
      })),
    ],
  ]
  const headers = { ...contender.headers, 'content-type': 'application/json' }
  const costs: WriteCost[] = []
  for (const [name, requests] of kinds) {
    const before = cpuOf(await usage())
    const job = { origin, headers, requests, connections: 1, amount: WRITES, isVaried: false }
    const { p50, p99 } = await client.send(job)
    costs.push({ name, cpu: (cpuOf(await usage()) - before) / WRITES, p50, p99 })
  }
  return costs
}

/** How many writes of a kind there are. */
const WRITES = 1000
