import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'

import { buildApp } from '../src/app.js'
import type { BuildOptions } from '../src/app.js'
import { checkFor } from './openapi/response-checks.js'

/** Where version 2018-10-01 is. */
export const BASE = '/api/2018-10-01'

/**
 * Builds a server for one test and closes it at its end. Each answer that `inject` gives is checked
 * against the OpenAPI document: one that is not as documented fails the test.
 */
export async function build(t: Test, options: BuildOptions = {}): Promise<FastifyInstance> {
  const app = await buildApp({ logLevel: 'silent', ...options })
  t.teardown(() => app.close())
  const check = await checkFor(app)
  const inject = app.inject.bind(app)
  app.inject = (async (request: InjectOptions & { url: string }) => {
    const response = await inject(request)
    const { method = 'GET', url } = typeof request === 'string' ? { url: request } : request
    check(method, url, response)
    return response
  }) as typeof app.inject
  return app
}

/** The two credential headers of a fresh session of an account. */
export async function logIn(
  app: FastifyInstance,
  username: string,
  password: string,
): Promise<Record<string, string>> {
  const response = await app.inject({
    method: 'POST',
    url: `${BASE}/login`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ username, password }).toString(),
  })
  return response.json()
}

/** Sends a request under the version's path, with credentials where they are given. */
export function send(
  app: FastifyInstance,
  url: string,
  options: InjectOptions = {},
): Promise<LightMyRequestResponse> {
  return app.inject({ method: 'GET', ...options, url: BASE + url })
}

/** The path of a list, with its parameters as JSON. */
export function listUrl(resource: string, query?: unknown, projection?: unknown): string {
  const parameters = new URLSearchParams()
  if (query !== undefined) parameters.set('query', JSON.stringify(query))
  if (projection !== undefined) parameters.set('projection', JSON.stringify(projection))
  return `/${resource}?${parameters}`
}

/** Waits until something is so, for 5 s at most. */
export async function waitFor(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 5000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('it did not become so in 5 s')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
