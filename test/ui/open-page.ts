import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'

import type { BuildOptions } from '../../src/server/app.js'
import { SOFTWARE_GL_FLAGS, SOFTWARE_GL_MESSAGE, startBrowser } from '../browser.js'
import { build } from '../build.js'

/** The files that a first visit loads. The runner of the tests has bundled the page. */
export const PAGE_FILES: readonly string[] = JSON.parse(process.env.PAGE_FILES ?? '[]')

/** How a page is looked at. */
export interface Look {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
}

/** A page with what it has sent and written. */
export interface OpenPage {
  readonly page: Page
  /** The URLs of all requests of the page. */
  readonly requests: string[]
  /** What the page wrote to the console or threw. */
  readonly errors: string[]
}

/** A server with the page. */
export interface PageServer {
  readonly app: FastifyInstance
  readonly origin: string
  /** Opens an address of the page in a context of its own. */
  readonly open: (address?: string, look?: Look) => Promise<OpenPage>
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
  const open = async (address = '/', look: Look = {}): Promise<OpenPage> => {
    const { width = 1280, height = 800, dark = false } = look
    const context = await (
      await startBrowser(SOFTWARE_GL_FLAGS)
    ).newContext({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    t.teardown(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const [requests, errors]: [string[], string[]] = [[], []]
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => {
      if (!message.text().includes(SOFTWARE_GL_MESSAGE)) errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(origin + address)
    return { page, requests, errors }
  }
  return { app, origin, open }
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/**
 * Returns what axe-core finds wrong with a page, one line each.
 * @param rules the ids of the rules, if not all
 */
export async function findBarriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(readFileSync(AXE, 'utf8'))
  const violations = (await page.evaluate(
    `axe.run({ resultTypes: ["violations"], ...${JSON.stringify(rules === undefined ? {} : { runOnly: rules })} }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
  )) as [string, string[]][]
  return violations.map(([id, nodes]) => `${id}: ${nodes.slice(0, 3).join(' ').slice(0, 600)}`)
}
