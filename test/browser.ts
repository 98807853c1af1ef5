import { accessSync } from 'node:fs'

import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'

/** The path of Chromium in Debian's package. */
export const CHROMIUM = '/usr/bin/chromium'

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

/** Flags with which a browser draws WebGL in software, as there is no graphics card. */
export const SOFTWARE_GL_FLAGS = [
  ...FLAGS.filter((flag) => flag !== '--disable-gpu'),
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]

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
  if (process.env.CI !== undefined) return false
  try {
    accessSync(CHROMIUM)
    return false
  } catch {
    return `there is no ${CHROMIUM}; apt-get install chromium installs it`
  }
}

/** Opens a page in a new headless Chromium, and closes it at the end of the test. */
export async function visit(t: Test, flags: readonly string[] = FLAGS): Promise<Visit> {
  const args = [...flags]
  const browser = await chromium.launch({ executablePath: CHROMIUM, args, timeout: 30_000 })
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
