/** The process of the client: sends the requests of each job that it receives as a message. */
import autocannon from 'autocannon'
import type { Options, Request, Result } from 'autocannon'

import { quantile } from '../figures/median.js'
import { toVariedPath } from '../workloads/our-path.js'

/** A number of requests to one server. */
export interface LoadJob {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  readonly requests: readonly {
    readonly method?: 'GET' | 'PATCH' | 'PUT'
    readonly path: string
    readonly body?: string
  }[]
  readonly connections: number
  /** The number of requests, at least one for each connection. */
  readonly amount: number
  /** Whether each request has a path of its own, which the server reads as the same request. */
  readonly isVaried: boolean
}

/** The result of a job. */
export interface LoadResult {
  /** From the first request to the last response. */
  readonly seconds: number
  /** Latencies in ms. */
  readonly p50: number
  readonly p99: number
  /** The responses that failed, such as `10 × 400`; empty if there are none. */
  readonly failures: string
}

process.on('message', async (job: LoadJob) => {
  process.send?.(await run(job))
})
process.on('disconnect', () => process.exit())

let variedCount = 0

async function run({
  origin,
  headers,
  requests,
  connections,
  amount,
  isVaried,
}: LoadJob): Promise<LoadResult> {
  const allRequests = requests.map(({ path, ...rest }): Request => ({
    ...rest,
    path,
    ...(isVaried && {
      setupRequest: (request) => ({ ...request, path: toVariedPath(path, variedCount++) }),
    }),
  }))
  const latencies: number[] = []
  const sleep = stayAwake()
  const startedAt = performance.now()
  let endedAt = startedAt
  const { statusCodeStats = {}, errors } = await new Promise<Result>((resolve, reject) => {
    let connection = 0
    const options: Options = {
      url: origin,
      headers: { ...headers },
      connections,
      amount,
      sampleInt: 20,
      timeout: 60,
      // Each connection has its own part, so that no two send the same request at the same time.
      setupClient: (client) => client.setRequests(takePart(allRequests, connection++, connections)),
    }
    autocannon(options, (error, result) => (error ? reject(error) : resolve(result))).on(
      'response',
      (_client, _status, _bytes, latency) => {
        latencies.push(latency)
        endedAt = performance.now()
      },
    )
  })
  sleep()
  const failures = Object.entries(statusCodeStats)
    .filter(([status]) => !status.startsWith('2'))
    .map(([status, { count }]) => `${count} × ${status}`)
  if (errors > 0) failures.push(`${errors} × no response`)
  return {
    seconds: (endedAt - startedAt) / 1000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    failures: failures.join(', '),
  }
}

/**
 * Keeps the event loop turning, until the returned function is called. A server that sends to a process
 * that sleeps pays for waking it, and would the more, the more often it is slower than the client.
 */
function stayAwake(): () => void {
  let isAwake = true
  const turn = (): void => {
    if (isAwake) setImmediate(turn)
  }
  turn()
  return () => {
    isAwake = false
  }
}

/** Returns the requests of one connection; all requests if there are fewer than connections. */
function takePart(
  requests: readonly Request[],
  connection: number,
  connections: number,
): Request[] {
  const part = requests.filter((_, index) => index % connections === connection)
  return (part.length > 0 ? part : requests).map((request) => ({ ...request }))
}
