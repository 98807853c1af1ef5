import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'

import { bundleUi } from '../../scripts/bundle-ui.js'
import type { BuildOptions } from '../../src/app.js'
import { visit } from '../browser.js'
import { build } from '../build.js'

let bundled: Promise<string[]> | undefined

/** Bundles the page once for a file of tests, and returns the files that a first visit loads. */
export function bundlePage(): Promise<string[]> {
  bundled ??= bundleUi()
  return bundled
}

/** A server with the page, and a browser. */
export interface OpenPage {
  readonly app: FastifyInstance
  readonly origin: string
  readonly page: Page
  /** The URLs of all requests of the page. */
  readonly requests: string[]
  /** What the page wrote to the console or threw. */
  readonly errors: string[]
}

/** Bundles the page, starts a server, and opens an address of it in a browser. */
export async function openPage(
  t: Test,
  address = '/',
  options: BuildOptions = {},
): Promise<OpenPage> {
  await bundlePage()
  const app = await build(t, options)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const { page, requests, errors } = await visit(t)
  await page.goto(origin + address)
  return { app, origin, page, requests, errors }
}
