/** The client, a process of its own: sends the requests of one job after the other. */
import autocannon from 'autocannon'
import type { Options, Request, Result } from 'autocannon'

import { quantile } from './median.js'

/** What the client is to send. */
export interface Job {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  readonly requests: readonly {
    readonly method?: 'GET' | 'PATCH' | 'PUT'
    readonly path: string
    readonly body?: string
  }[]
  readonly connections: number
  /** How many requests, at least one for each connection. */
  readonly amount: number
  /** Whether a parameter that the server ignores makes each path a new one. */
  readonly isVaried: boolean
}

/** How it went. */
export interface Load {
  /** From the first request to the last answer. */
  readonly seconds: number
  /** Latencies in ms. */
  readonly p50: number
  readonly p99: number
  /** What else than 200 came, as `10 × 400`; empty where all went well. */
  readonly failures: string
}

process.on('message', async (job: Job) => {
  process.send?.(await run(job))
})
process.on('disconnect', () => process.exit())

let sent = 0

async function run({
  origin,
  headers,
  requests,
  connections,
  amount,
  isVaried,
}: Job): Promise<Load> {
  const all = requests.map(({ path, ...rest }): Request => ({
    ...rest,
    path,
    ...(isVaried && { setupRequest: (request) => ({ ...request, path: varied(path) }) }),
  }))
  const latencies: number[] = []
  const began = performance.now()
  let ended = began
  const { statusCodeStats = {}, errors } = await new Promise<Result>((resolve, reject) => {
    let connection = 0
    const options: Options = {
      url: origin,
      headers: { ...headers },
      connections,
      amount,
      sampleInt: 20,
      timeout: 60,
      // Each connection has its own part of the requests, so that no two send the same at once.
      setupClient: (client) => client.setRequests(partOf(all, connection++, connections)),
    }
    autocannon(options, (error, result) => (error ? reject(error) : resolve(result))).on(
      'response',
      (_client, _status, _bytes, latency) => {
        latencies.push(latency)
        ended = performance.now()
      },
    )
  })
  const failures = Object.entries(statusCodeStats)
    .filter(([status]) => !status.startsWith('2'))
    .map(([status, { count }]) => `${count} × ${status}`)
  if (errors > 0) failures.push(`${errors} × no answer`)
  return {
    seconds: (ended - began) / 1000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    failures: failures.join(', '),
  }
}

const varied = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}request=${sent++}`

/** Every tenth of ten connections, from its own number on; all where there are too few. */
function partOf(requests: readonly Request[], connection: number, connections: number): Request[] {
  const part = requests.filter((_, index) => index % connections === connection)
  return (part.length > 0 ? part : requests).map((request) => ({ ...request }))
}
