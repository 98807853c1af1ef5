import { accessSync } from 'node:fs'

import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'

/** Where Debian's package puts it. */
export const CHROMIUM = '/usr/bin/chromium'

/** Nothing that a browser does for itself: no updates, no reports, no first run. */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A page of a real browser, and all that it asked for and complained of. */
export interface Visit {
  readonly page: Page
  /** The URLs of all its requests. */
  readonly requests: string[]
  /** What it wrote to the console as an error, or threw. */
  readonly errors: string[]
}

/** Why there is no browser to test with; never under CI, which brings one. */
export function skipReason(): string | false {
  if (process.env.CI !== undefined) return false
  try {
    accessSync(CHROMIUM)
    return false
  } catch {
    return `there is no ${CHROMIUM}; apt-get install chromium brings it`
  }
}

/** Opens a page in a fresh headless Chromium, which is closed at the end of the test. */
export async function visit(t: Test): Promise<Visit> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: 30_000 })
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(20_000)
  const [requests, errors]: [string[], string[]] = [[], []]
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  return { page, requests, errors }
}
