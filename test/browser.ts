import { existsSync } from 'node:fs'

import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import tap from 'tap'
import type { Test } from 'tap'

import { CHROMIUM } from '../scripts/chromium.js'

/** Flags that turn off the browser's own requests: updates, reports, the first run. */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Flags with which a browser draws WebGL in software, as there is no graphics card, and composes its
 * pages without it, which takes half of the time.
 */
export const SOFTWARE_GL_FLAGS = [
  ...FLAGS.filter((flag) => flag !== '--disable-gpu'),
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
  '--in-process-gpu',
]

/** What Chromium says when a page takes the pixels of a canvas that software draws. */
export const SOFTWARE_GL_MESSAGE = 'GPU stall due to ReadPixels'

/** A page of a real browser, with its requests and errors. */
export interface Visit {
  readonly page: Page
  /** The URLs of the page's requests. */
  readonly requests: string[]
  /** The errors that the page wrote to the console or threw. */
  readonly errors: string[]
}

/** Returns why the tests can't use a browser, or false. Never skips in CI, which must have one. */
export function skipReason(): string | false {
  if (existsSync(CHROMIUM) || process.env.CI !== undefined) return false
  return `there is no ${CHROMIUM}; apt-get install chromium-headless-shell installs it`
}

const browsers = new Map<readonly string[], Promise<Browser>>()

/** Starts one headless Chromium with some flags for a file of tests. */
export function startBrowser(flags: readonly string[]): Promise<Browser> {
  const options = { executablePath: CHROMIUM, args: [...flags], timeout: 120_000 }
  const browser = browsers.get(flags) ?? chromium.launch(options)
  browsers.set(flags, browser)
  return browser
}

tap.teardown(async () => {
  for (const browser of browsers.values()) await (await browser).close()
})

/** Opens a page that shares nothing with others, and closes it at the end of the test. */
export async function visit(t: Test, flags: readonly string[] = FLAGS): Promise<Visit> {
  const context = await (await startBrowser(flags)).newContext()
  t.teardown(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const [requests, errors]: [string[], string[]] = [[], []]
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  return { page, requests, errors }
}
