import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { median } from '../figures/median.js'
import { startServer } from '../servers/server-process.js'
import { defineBaseline, defineJsonServer, defineOurs, OURS_SHIPPED } from '../servers/servers.js'
import type { ServerDefinition } from '../servers/servers.js'
import type { Data } from '../workloads/data.js'

/** The median times of two servers' starts, in ms from the process's start to the first 200. */
export interface Starts {
  readonly ours: number
  readonly other: number
}

/**
 * Ours with the shipped fixtures, beside json-server with the same.
 * @param ours the server, by default the server of this clone
 */
export async function measureColdStarts(
  folder: string,
  times: number,
  ours = OURS_SHIPPED,
): Promise<Starts> {
  const database: Record<string, unknown> = {}
  for (const name of await readdir(SHIPPED))
    database[name.replace('.json', '')] = JSON.parse(await readFile(join(SHIPPED, name), 'utf8'))
  const file = join(folder, 'shipped.json')
  await writeFile(file, JSON.stringify(database))
  return alternate([ours, defineJsonServer(file)], times)
}

/** Ours with the given items, beside a process that does nothing but parse their file. */
export const measureParsingStarts = (data: Data, times: number): Promise<Starts> =>
  alternate([defineOurs(data), defineBaseline(data, 'items')], times)

const SHIPPED = fileURLToPath(new URL('../../fixtures', import.meta.url))

/** Starts the two servers in turn, so that other work on the machine affects both. */
async function alternate(
  definitions: readonly [ServerDefinition, ServerDefinition],
  times: number,
): Promise<Starts> {
  const startTimes: [number[], number[]] = [[], []]
  // The first start reads the files from the disk; later ones find them in memory.
  for (const definition of definitions) await (await startServer(definition)).stop('SIGTERM')
  for (let time = 0; time < times; time += 1) {
    for (const [index, definition] of definitions.entries()) {
      const server = await startServer(definition)
      await server.stop()
      startTimes[index]?.push(server.startTime)
    }
  }
  return { ours: median(startTimes[0]), other: median(startTimes[1]) }
}
