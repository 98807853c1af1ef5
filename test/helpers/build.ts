import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'

import { buildApp } from '../../src/server/app.js'
import type { BuildOptions } from '../../src/server/app.js'
import { findResponseCheck } from '../http/openapi/response-checks.js'
import { replace } from './replace.js'

/** The path prefix of version 2018-10-01. */
export const BASE = '/api/2018-10-01'

/** The resources that are served, and are empty, although the fixtures do not have them. */
export const EMPTY_RESOURCES = ['raw-properties', 'refined-properties', 'samples', 'measurements']

/**
 * Builds a server for one test, and closes it at the end of the test. Every response of `inject` is
 * checked: one that is not as the OpenAPI document describes it fails the test.
 */
export async function build(t: Test, options: BuildOptions = {}): Promise<FastifyInstance> {
  const app = await buildApp({ logLevel: 'silent', ...options })
  t.teardown(() => app.close())
  const check = await findResponseCheck(app)
  const inject = app.inject.bind(app)
  app.inject = (async (request: InjectOptions & { url: string }) => {
    const response = await inject(request)
    const { method = 'GET', url } = typeof request === 'string' ? { url: request } : request
    check(method, url, response)
    return response
  }) as typeof app.inject
  return app
}

/** Logs in, and returns the two credential headers of the new session. */
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

/** Sends a request to a path below the version's prefix. */
export function send(
  app: FastifyInstance,
  url: string,
  options: InjectOptions = {},
): Promise<LightMyRequestResponse> {
  return app.inject({ method: 'GET', ...options, url: BASE + url })
}

/** Returns the path of a list, with its parameters as JSON. */
export function listUrl(resource: string, query?: unknown, projection?: unknown): string {
  const parameters = new URLSearchParams()
  if (query !== undefined) parameters.set('query', JSON.stringify(query))
  if (projection !== undefined) parameters.set('projection', JSON.stringify(projection))
  return `/${resource}?${parameters}`
}

/**
 * Lets the timers of `setTimeout` fire a hundred times sooner during a test.
 * @returns the delays that were asked for, in ms
 */
export function hurryTimers(t: Test): number[] {
  const { setTimeout } = globalThis
  const delays: number[] = []
  replace(t, globalThis, 'setTimeout', (callback: () => void, ms = 0) => {
    delays.push(ms)
    return setTimeout(callback, ms / 100)
  })
  return delays
}

/**
 * Waits until a condition is true.
 * @throws Error after a minute
 */
export async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('the condition is still false after a minute')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
