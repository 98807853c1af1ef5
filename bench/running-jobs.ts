/**
 * Measures what a list of 50 jobs costs while 10,000 jobs run: the CPU time of a request in which none of them
 * becomes active, and of one in which 100 do.
 */
import { buildApp } from '../src/server/app.js'
import { formatNumber, formatTable } from './figures/table.js'

const RUNNING = 10_000
const REQUESTS = 30
const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 1)

/** The jobs are submitted one second apart, and become active three hours later. */
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

/** Returns the CPU time of a list, in µs. The store's clock moves on by some ms before each. */
async function measureLists(step: number): Promise<number> {
  let spent = 0
  for (let request = 0; request < REQUESTS; request += 1) {
    app.store.clock.set(app.store.clock.now() + step, false)
    const start = process.cpuUsage()
    const { statusCode } = await app.inject({
      url: '/api/2018-10-01/jobs?projection={"limit":50}',
      headers: { 'x-account-id': 'a', 'x-auth-token': 't' },
    })
    const { user, system } = process.cpuUsage(start)
    if (statusCode !== 200) throw new Error(`the list answers ${statusCode}`)
    spent += user + system
  }
  return spent / REQUESTS
}

await setClock({ freeze: true })
await setClock({ set: new Date(START + 3 * HOUR + 200_000).toISOString() })
await measureLists(0) // until it is warm
const [none, hundred] = [await measureLists(0), await measureLists(100_000)]
console.log(
  formatTable(['none (µs)', '100 become active (µs)'], [[none, hundred].map(formatNumber)]),
)
await app.close()
