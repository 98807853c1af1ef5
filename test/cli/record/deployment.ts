import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Test } from 'tap'

import { startMock } from '../../../src/mock/start-mock.js'
import type { Mock } from '../../../src/mock/members.js'
import type { BuildOptions } from '../../../src/server/app.js'

/** Handles a request in place of the deployment. Returns false for a request that it does not. */
export type Interceptor = (request: IncomingMessage, response: ServerResponse) => boolean

/** A stand-in for a deployment, which a test can make behave otherwise. */
export interface Deployment {
  /** The versioned root. */
  readonly url: string
  readonly mock: Mock
  /** The paths of all requests, with their parameters decoded. */
  readonly requests: string[]
  intercept: Interceptor
}

/** Starts a mock behind a server that passes requests on to it. */
export async function startDeployment(t: Test, options: BuildOptions): Promise<Deployment> {
  const mock = await startMock({ logLevel: 'silent', ...options })
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    requests.push(decodeURIComponent(request.url ?? ''))
    if (deployment.intercept(request, response)) return
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const answer = await mock.app.inject({
      method: request.method as 'GET',
      url: request.url ?? '',
      headers: request.headers,
      payload: Buffer.concat(chunks),
    })
    response.writeHead(answer.statusCode, { 'content-type': 'application/json' })
    response.end(answer.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
    await mock.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/api/2018-10-01`
  const deployment: Deployment = { url, mock, requests, intercept: () => false }
  return deployment
}
