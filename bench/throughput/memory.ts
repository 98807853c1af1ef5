import { startServer } from '../servers/server-process.js'
import type { Usage } from '../servers/server-process.js'
import { defineBaseline, defineOurs } from '../servers/servers.js'
import type { ServerDefinition } from '../servers/servers.js'
import type { Data } from '../workloads/data.js'
import { BASE } from '../workloads/our-path.js'

/** The memory of two processes after a garbage collection. */
export interface Memory {
  readonly ours: Usage['memory']
  /** The memory of a process with only the parsed items and their texts. */
  readonly needed: Usage['memory']
}

/** Measures the memory of our server after it has sent every item, so that it has all texts. */
export async function measureMemory(data: Data): Promise<Memory> {
  const needed = await measureAfterRequests(defineBaseline(data, 'items and texts'), [])
  const paths = Array.from({ length: Math.ceil(data.count / PAGE_SIZE) }, (_, page) => {
    const projection = { skip: page * PAGE_SIZE, limit: PAGE_SIZE }
    return `${BASE}?${new URLSearchParams({ projection: JSON.stringify(projection) })}`
  })
  return { needed, ours: await measureAfterRequests(defineOurs(data), paths) }
}

const PAGE_SIZE = 500

async function measureAfterRequests(
  definition: ServerDefinition,
  paths: readonly string[],
): Promise<Usage['memory']> {
  const server = await startServer(definition, ['--expose-gc'])
  for (const path of paths) {
    const response = await fetch(server.origin + path, { headers: { ...definition.headers } })
    await response.arrayBuffer()
  }
  const { memory } = await server.getUsage()
  await server.stop()
  return memory
}
