import { isJsonObject } from '../../json/json.js'
import type { JsonObject } from '../../json/json.js'

/** The price of one core for a second. It is made up. */
const PRICE = 0.00001

/** Returns the fields of a charge for a job, made up as the job's results are. */
export function createCharge(job: JsonObject): JsonObject {
  const compute = isJsonObject(job.compute) ? job.compute : {}
  const { nodes = 1, ppn = 1, queue = 'D' } = compute
  const cluster = isJsonObject(compute.cluster) ? compute.cluster : {}
  const seconds = computeRunTime(job)
  return {
    jid: cluster.jid ?? null,
    type: 'compute',
    amount: Math.round(Number(nodes) * Number(ppn) * seconds * PRICE * 1e6) / 1e6,
    units: 'USD',
    walltime: seconds,
    compute: { nodes, ppn, queue, cluster },
    source: { type: 'materials-mock', info: { jobId: job._id as string } },
  }
}

/** Returns the time for which a job was active, in s. */
function computeRunTime({ statusTrack = [] }: JsonObject): number {
  const records = Array.isArray(statusTrack) ? statusTrack.filter(isJsonObject) : []
  const start = records.findLast(({ status }) => status === 'active')?.trackedAt
  const end = records.at(-1)?.trackedAt
  return typeof start === 'number' && typeof end === 'number' ? (end - start) / 1000 : 0
}
