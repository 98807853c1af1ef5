import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { LoadClient } from '../clients/client.js'
import { startServer } from '../servers/server-process.js'
import type { RunningServer, Usage } from '../servers/server-process.js'
import {
  defineBareServers,
  defineByHand,
  defineFeathers,
  defineLoop,
  defineJsonServer,
  defineOurs,
  toBarePath,
} from '../servers/servers.js'
import { createData } from '../workloads/data.js'
import type { Data } from '../workloads/data.js'
import { createWorkloads } from '../workloads/workload.js'
import type { Workload } from '../workloads/workload.js'
import { measureWorkload } from './rounds.js'
import type { Cost } from './rounds.js'
import { checkSameWork, fetchTexts } from './same-work.js'
import type { Settings } from './settings.js'
import { measureWrites } from './writes.js'
import type { WriteCost } from './writes.js'

/** The measurements with one number of items. */
export interface SizeResult {
  readonly data: Data
  /** The costs of each workload, by the name of the server. */
  readonly costs: ReadonlyMap<Workload, ReadonlyMap<string, Cost>>
  /** On our server, after the workloads, whose indexes exist. */
  readonly writes: readonly WriteCost[]
  readonly servers: readonly {
    readonly name: string
    /** In ms, from the start of the process to the first 200. */
    readonly startTime: number
    /** After all workloads and writes. */
    readonly memory: Usage['memory']
  }[]
}

/** Starts all servers with one number of items, and measures each workload on each server. */
export async function benchSize(
  folder: string,
  count: number,
  client: LoadClient,
  settings: Settings,
): Promise<SizeResult> {
  const data = await createData(folder, count)
  const workloads = createWorkloads(data)
  const servers = await startAll(folder, data, workloads, settings.peers)
  const costs = new Map<Workload, ReadonlyMap<string, Cost>>()
  for (const workload of workloads)
    costs.set(workload, await measureWorkload(servers, workload, client, settings))
  const writes = await measureWrites(servers[0], data, client)
  const results: SizeResult['servers'][number][] = []
  for (const { definition, startTime, getUsage, stop } of servers) {
    results.push({ name: definition.name, startTime, memory: (await getUsage()).memory })
    await stop()
  }
  return { data, costs, writes, servers: results }
}

/** Starts all servers and checks that they send the same. The first one is ours. */
async function startAll(
  folder: string,
  data: Data,
  workloads: readonly Workload[],
  withPeers: boolean,
): Promise<[RunningServer, ...RunningServer[]]> {
  const first = await startServer(defineOurs(data))
  const texts = await fetchTexts(first, workloads)
  const file = join(folder, 'texts.json')
  const textsByPath = workloads.map((workload, index) => [
    toBarePath(workloads, workload),
    texts[index],
  ])
  await writeFile(file, JSON.stringify(Object.fromEntries(textsByPath)))
  const others: RunningServer[] = []
  const peers =
    data.database !== undefined && withPeers
      ? [defineJsonServer(data.database), defineFeathers(data)]
      : []
  const own = [...defineBareServers(file, workloads), defineByHand(data), defineLoop(data)]
  for (const definition of [...own, ...peers]) others.push(await startServer(definition))
  await checkSameWork([first, ...others], workloads, texts)
  return [first, ...others]
}
