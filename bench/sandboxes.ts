import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { MAX_SANDBOXES } from '../src/controls/sandboxes/sandboxes.js'
import { buildApp } from '../src/server/app.js'
import { median } from './figures/median.js'
import { formatNumber, formatTable } from './figures/table.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** What the sandboxes of one server cost. */
interface SandboxCost {
  readonly items: number
  /** The times to make each of them, in µs, in the order of their making. */
  readonly times: readonly number[]
  /** Of each. */
  readonly bytes: number
}

const costs: SandboxCost[] = []
for (const items of [1000, 100_000]) costs.push(await measure(items))
console.log(
  formatTable(
    ['items', 'make (µs, median)', 'make (µs, longest)', 'memory (bytes)'],
    costs.map(({ items, times, bytes }) =>
      [items, median(times), Math.max(...times), bytes].map(formatNumber),
    ),
  ),
)

/** Makes as many sandboxes of a server with an index as there may be. */
async function measure(items: number): Promise<SandboxCost> {
  const materials = Array.from({ length: items }, (_, index) => ({
    _id: `m${index}`,
    name: `material ${index % 100}`,
  }))
  const app = await buildApp({ fixtures: { materials }, logLevel: 'silent' })
  await app.inject('/__admin/explain/materials?query={"name":"material 7"}')
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const times: number[] = []
  for (let count = 0; count < MAX_SANDBOXES; count += 1) {
    const start = performance.now()
    app.sandboxes.make(`s${count}`)
    times.push((performance.now() - start) * 1000)
  }
  collectGarbage()
  const bytes = (process.memoryUsage().heapUsed - before) / MAX_SANDBOXES
  await app.close()
  return { items, times, bytes }
}
