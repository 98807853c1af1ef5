import type { RunningServer } from '../servers/server-process.js'
import type { ServerDefinition } from '../servers/servers.js'
import { LIMIT } from '../workloads/workload.js'
import type { Read, Workload } from '../workloads/workload.js'

/** The number of reads of each workload that are compared. */
const COMPARED_READS = 10

/**
 * Checks that all servers do the same work: each must send the same items as the first, in the same
 * order. A bare server must send the given texts.
 * @param texts the texts of the bare servers, one for each workload
 * @throws Error with the name of the server and the difference
 */
export async function checkSameWork(
  [first, ...others]: readonly [RunningServer, ...RunningServer[]],
  workloads: readonly Workload[],
  texts: readonly string[],
): Promise<void> {
  for (const [index, workload] of workloads.entries()) {
    for (const read of workload.reads.slice(0, COMPARED_READS)) {
      const ids = parseIds(first.definition, await fetchText(first, workload, read))
      if (!hasExpectedLength(ids.length, workload))
        throw new Error(`${workload.name} has ${ids.length} items: ${JSON.stringify(read)}`)
      for (const other of others) {
        const text = await fetchText(other, workload, read)
        if (text === undefined) continue
        const { name, findItems } = other.definition
        const [sent, expected] =
          findItems === undefined
            ? [text, texts[index]]
            : [parseIds(other.definition, text).join(), ids.join()]
        if (sent !== expected)
          throw new Error(`${workload.name}: ${name} sends ${sent}, not ${expected}`)
      }
    }
  }
}

/** Fetches a response of median length for each workload. The bare servers send these texts. */
export async function fetchTexts(
  server: RunningServer,
  workloads: readonly Workload[],
): Promise<string[]> {
  const texts: string[] = []
  for (const workload of workloads) {
    const responses: string[] = []
    for (const read of workload.reads.slice(0, COMPARED_READS))
      responses.push((await fetchText(server, workload, read)) ?? '')
    const sorted = responses.toSorted((a, b) => a.length - b.length)
    texts.push(sorted[sorted.length >> 1] ?? '')
  }
  return texts
}

const hasExpectedLength = (length: number, { matchCount }: Workload): boolean =>
  matchCount === undefined ? length < LIMIT : length === matchCount

const parseIds = ({ findItems }: ServerDefinition, text = ''): string[] =>
  findItems?.(JSON.parse(text)).map((item) => (item as { _id: string })._id) ?? []

/** Returns undefined if the server does not support the workload. */
async function fetchText(
  { definition, origin }: RunningServer,
  workload: Workload,
  read: Read,
): Promise<string | undefined> {
  const path = definition.toPath(workload, read)
  if (path === undefined) return undefined
  const response = await fetch(origin + path, { headers: { ...definition.headers } })
  if (response.status === 200) return response.text()
  throw new Error(`${definition.name} must answer ${path} with 200, not ${response.status}`)
}
