/**
 * Measures what a list of 50 jobs costs while 10,000 jobs run: the CPU time of a request in which none of them
 * becomes active, and of one in which 100 do.
 */
import { buildApp } from '../src/server/app.js'
import { median } from './figures/median.js'
import { formatNumber, formatTable } from './figures/table.js'

const RUNNING = 10_000
const REQUESTS = 30
const HOUR = 3_600_000
const START = Date.now() - 3 * HOUR - 200_000

/** The jobs are submitted one second apart, and become active three hours later: 200 of them have by now. */
const jobs = Array.from({ length: RUNNING }, (_, index) => ({
  _id: `job-${index}`,
  name: `job ${index}`,
  status: 'submitted',
  statusTrack: [{ trackedAt: START + index * 1000, status: 'submitted' }],
  workflow: { subworkflows: [{ units: [{ type: 'execution', flowchartId: 'u', name: 'u' }] }] },
}))

const app = await buildApp({
  fixtures: {
    accounts: [{ _id: 'a', username: 'a', password: 'a', tokens: ['t'] }],
    jobs,
  } as never,
  jobDuration: 3 * HOUR,
  logLevel: 'silent',
})

const setClock = async (payload: object): Promise<void> => {
  const { statusCode } = await app.inject({ method: 'POST', url: '/__admin/clock', payload })
  if (statusCode !== 200) throw new Error(`the clock answers ${statusCode}`)
}

/** Returns the CPU times of lists, in µs. The store's clock moves on by some ms before each. */
async function measureLists(step: number): Promise<number[]> {
  const spent: number[] = []
  for (let request = 0; request < REQUESTS; request += 1) {
    app.store.clock.set(app.store.clock.now() + step, false)
    const start = process.cpuUsage()
    const { statusCode } = await app.inject({
      url: '/api/2018-10-01/jobs?projection={"limit":50}',
      headers: { 'x-account-id': 'a', 'x-auth-token': 't' },
    })
    const { user, system } = process.cpuUsage(start)
    if (statusCode !== 200) throw new Error(`the list answers ${statusCode}`)
    spent.push(user + system)
  }
  return spent
}

await setClock({ freeze: true })
for (const step of [0, 100_000]) await measureLists(step) // until it is warm
const rows: string[][] = []
for (const [name, step] of [
  ['none', 0],
  ['100', 100_000],
] as const) {
  const spent = await measureLists(step)
  const mean = spent.reduce((sum, each) => sum + each) / REQUESTS
  rows.push([name, formatNumber(median(spent)), formatNumber(mean)])
}
console.log(formatTable(['become active', 'median (µs)', 'mean (µs)'], rows))
await app.close()
