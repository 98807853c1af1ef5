import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'

import type { BuildOptions } from '../../src/server/app.js'
import { visit } from '../helpers/browser.js'
import type { Look, Visit } from '../helpers/browser.js'
import { build } from '../helpers/build.js'

/** The files that a first visit loads. The runner of the tests has bundled the page. */
export const PAGE_FILES: readonly string[] = JSON.parse(process.env.PAGE_FILES ?? '[]')

/** A server with the page. */
export interface PageServer {
  readonly app: FastifyInstance
  readonly origin: string
  /** Opens an address of the page. */
  readonly open: (address?: string, look?: Look) => Promise<Visit>
}

/**
 * Whether the browser wrote a line for the status of a response. Without controls, the page can't ask for
 * 200 in the place of a failure.
 */
export const isStatusLine = (text: string): boolean =>
  text.startsWith('Failed to load resource: the server responded with a status of ')

/** Shows another address in an open page, as the browser's buttons do. */
export const visitAddress = (page: Page, address: string): Promise<void> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})
    dispatchEvent(new PopStateEvent('popstate'))`)

/** Replaces the text of an editor for JSON, as a person does: all of it is selected first. */
export async function editText(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(text)
}

/** Starts a server with the page. */
export async function servePage(t: Test, options: BuildOptions = {}): Promise<PageServer> {
  const app = await build(t, options)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const open = async (address = '/', look: Look = {}): Promise<Visit> => {
    const opened = await visit(t, look)
    await opened.page.goto(origin + address)
    return opened
  }
  return { app, origin, open }
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/**
 * Returns what axe-core finds wrong with a page, one line each. None of its rules has to load anything, and a
 * selector of each node takes a fifth of the time.
 */
export async function findBarriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(readFileSync(AXE, 'utf8'))
  const violations = (await page.evaluate(
    `axe.run({ resultTypes: ["violations"], preload: false, selectors: false }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
  )) as [string, string[]][]
  return violations.map(([id, nodes]) => `${id}: ${nodes.slice(0, 3).join(' ').slice(0, 600)}`)
}
