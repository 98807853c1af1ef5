import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Data } from './data.js'
import { median } from './median.js'
import { start } from './server-process.js'
import { holder, jsonServer, ours, oursShipped } from './servers.js'
import type { Contender } from './servers.js'

/** The median times of two servers' starts, in ms from the process's start to the first 200. */
export interface Starts {
  readonly ours: number
  readonly other: number
}

/** Ours with the shipped fixtures, beside json-server with the same. */
export async function measureColdStarts(folder: string, times: number): Promise<Starts> {
  const database: Record<string, unknown> = {}
  for (const name of await readdir(SHIPPED))
    database[name.replace('.json', '')] = JSON.parse(await readFile(join(SHIPPED, name), 'utf8'))
  const file = join(folder, 'shipped.json')
  await writeFile(file, JSON.stringify(database))
  return alternate([oursShipped, jsonServer(file)], times)
}

/** Ours with the given items, beside a process that does nothing but parse their file. */
export const measureParsingStarts = (data: Data, times: number): Promise<Starts> =>
  alternate([ours(data), holder(data, 'items')], times)

const SHIPPED = fileURLToPath(new URL('../fixtures', import.meta.url))

async function alternate(contenders: [Contender, Contender], times: number): Promise<Starts> {
  const taken: [number[], number[]] = [[], []]
  for (let time = 0; time < times; time += 1) {
    for (const [index, contender] of contenders.entries()) {
      const server = await start(contender)
      await server.stop()
      taken[index]?.push(server.startTime)
    }
  }
  return { ours: median(taken[0]), other: median(taken[1]) }
}
