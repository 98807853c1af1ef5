import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { LoadClient } from './client.js'
import { makeData } from './data.js'
import type { Data } from './data.js'
import type { Extent } from './flags.js'
import { measure } from './rounds.js'
import type { Cost } from './rounds.js'
import { checkSameWork, textsOf } from './same-work.js'
import { start } from './server-process.js'
import type { Running, Usage } from './server-process.js'
import { bareServers, barePath, feathers, jsonServer, loop, ours } from './servers.js'
import { worksOn } from './work.js'
import type { Work } from './work.js'
import { measureWrites } from './writes.js'
import type { WriteCost } from './writes.js'

/** What was measured with fixtures of one size. */
export interface SizeResult {
  readonly data: Data
  /** The costs of each kind of work, by the server's name. */
  readonly costs: ReadonlyMap<Work, ReadonlyMap<string, Cost>>
  /** On ours, after the work, with the indexes that it has made. */
  readonly writes: readonly WriteCost[]
  readonly servers: readonly {
    readonly name: string
    /** In ms, from the process's start to the first 200. */
    readonly startTime: number
    /** After all the work and the writes. */
    readonly memory: Usage['memory']
  }[]
}

/** Starts all servers with fixtures of one size and measures every kind of work on each. */
export async function benchSize(
  folder: string,
  count: number,
  client: LoadClient,
  extent: Extent,
): Promise<SizeResult> {
  const data = await makeData(folder, count)
  const works = worksOn(data)
  const servers = await startAll(folder, data, works)
  const costs = new Map<Work, ReadonlyMap<string, Cost>>()
  for (const work of works) costs.set(work, await measure(servers, work, client, extent))
  const writes = await measureWrites(servers[0], data, client)
  const results: SizeResult['servers'][number][] = []
  for (const { contender, startTime, usage, stop } of servers) {
    results.push({ name: contender.name, startTime, memory: (await usage()).memory })
    await stop()
  }
  return { data, costs, writes, servers: results }
}

/** All servers, ours first, once they are known to send the same. */
async function startAll(
  folder: string,
  data: Data,
  works: readonly Work[],
): Promise<[Running, ...Running[]]> {
  const first = await start(ours(data))
  const texts = await textsOf(first, works)
  const file = join(folder, 'texts.json')
  const byPath = works.map((work, index) => [barePath(works, work), texts[index]])
  await writeFile(file, JSON.stringify(Object.fromEntries(byPath)))
  const others: Running[] = []
  const peers = data.database === undefined ? [] : [jsonServer(data.database), feathers(data)]
  for (const contender of [...bareServers(file, works), loop(data), ...peers])
    others.push(await start(contender))
  await checkSameWork([first, ...others], works, texts)
  return [first, ...others]
}
