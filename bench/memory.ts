import type { Data } from './data.js'
import { BASE } from './our-path.js'
import { start } from './server-process.js'
import type { Usage } from './server-process.js'
import { holder, ours } from './servers.js'

/** What two processes hold after a collection of garbage. */
export interface Memory {
  readonly ours: Usage['memory']
  /** What the parsed items and their texts need. */
  readonly needed: Usage['memory']
}

/** Ours once it has sent every item, so that it has made all their texts. */
export async function measureMemory(data: Data): Promise<Memory> {
  const needed = await memoryOf(holder(data, 'items and texts'), [])
  const pages = Array.from(
    { length: Math.ceil(data.count / PAGE) },
    (_, page) =>
      new URLSearchParams({ projection: JSON.stringify({ skip: page * PAGE, limit: PAGE }) }),
  )
  return {
    needed,
    ours: await memoryOf(
      ours(data),
      pages.map((page) => `${BASE}?${page}`),
    ),
  }
}

const PAGE = 500

async function memoryOf(
  contender: Parameters<typeof start>[0],
  paths: readonly string[],
): Promise<Usage['memory']> {
  const server = await start(contender, ['--expose-gc'])
  for (const path of paths) {
    const response = await fetch(server.origin + path, { headers: { ...contender.headers } })
    await response.arrayBuffer()
  }
  const { memory } = await server.usage()
  await server.stop()
  return memory
}
