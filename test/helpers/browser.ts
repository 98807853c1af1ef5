import { existsSync, statfsSync } from 'node:fs'

import { chromium } from 'playwright-core'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import tap from 'tap'
import type { Test } from 'tap'

import { CHROMIUM } from '../../scripts/chromium.js'

/**
 * Flags that turn off the browser's own requests: updates, reports, the first run. `front.example` and
 * `pages.example` are names of other computers, which pages may come from, with a certificate of a test's own.
 * 192.0.2.7 is the address of this computer in a network.
 */
export const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP front.example 127.0.0.1, MAP pages.example 127.0.0.1, MAP 192.0.2.7 127.0.0.1',
  '--ignore-certificate-errors',
]

/**
 * Flags with which a browser draws WebGL in software, as there is no graphics card, and composes its pages
 * without it, which takes half of the time.
 */
const SOFTWARE_GL_FLAGS = [
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
  '--webgl-antialiasing-mode=none',
]

/** Scripts are compiled, and garbage is collected, without threads, which cost more than they save on two cores. */
const ONE_THREAD = '--js-flags=--single-threaded'

/** What Chromium says when a page takes the pixels of a canvas that software draws. */
const SOFTWARE_GL_MESSAGE = 'GPU stall due to ReadPixels'

/** Lets WebGL draw nothing: software takes most of the time of a page with a structure for its picture. */
const NO_PICTURES = `for (const name of ['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced'])
  WebGL2RenderingContext.prototype[name] = () => undefined`

/** Closes what the page shows who opens it for the first time. */
const CLOSED = `try { for (const name of ['welcome', 'preview']) localStorage['materials-mock.' + name] ??= 'closed' } catch {}`

/** How a page is looked at. */
export interface Look {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  /** Whether structures are drawn, for a test that looks at their pictures. */
  readonly draws?: boolean
  /** Whether the page greets, as it does who opens it for the first time. */
  readonly greets?: boolean
}

/** A page of a real browser, with what it has sent and written. */
export interface Visit {
  readonly page: Page
  /** The URLs of all requests of the page. */
  readonly requests: string[]
  /** What the page wrote to the console or threw. */
  readonly errors: string[]
}

/** Returns why the tests can't use a browser, or false. Never skips in CI, which must have one. */
export function skipReason(): string | false {
  if (existsSync(CHROMIUM) || process.env.CI !== undefined) return false
  return `there is no ${CHROMIUM}; apt-get install chromium-headless-shell installs it`
}

/** How long a page may take for anything, in ms. */
const TIMEOUT = 60_000

/** More than the memory that one browser shares with itself, in bytes. */
const SHARED_MEMORY = 2 ** 30

let shared: Promise<BrowserContext> | undefined

/**
 * Starts the one headless Chromium of this process. It draws, loads and runs pages in one process of its
 * own, which takes a quarter less time, and so has one context for all pages. Pages of different servers
 * share nothing.
 */
async function startBrowser(): Promise<BrowserContext> {
  const { bavail, bsize } = statfsSync('/dev/shm')
  const hasSharedMemory = bavail * bsize > SHARED_MEMORY
  // In a context of their own, the whole browser would open a window for each page.
  const context = await chromium.launchPersistentContext('', {
    executablePath: CHROMIUM,
    args: ['--single-process', ONE_THREAD, ...FLAGS, ...SOFTWARE_GL_FLAGS],
    // Playwright has the pixels of pages in files on the disk, as containers may have little memory to share.
    ignoreDefaultArgs: hasSharedMemory ? ['--disable-dev-shm-usage'] : [],
    timeout: 120_000,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  tap.teardown(() => context.close())
  return context
}

/** A wait that may last this long, in ms, looks each 100 ms; a longer one soon looks each 500 ms. */
const SHORT_WAIT = 2400

let looksOften = false

/** Lets the waits for elements look each 100 ms until their timeout, which is a minute. */
function lookOften(page: Page): void {
  if (looksOften) return
  looksOften = true
  const prototype = Object.getPrototypeOf(page.locator('html')) as Locator
  const { waitFor } = prototype
  prototype.waitFor = async function (this: Locator, { timeout = TIMEOUT, ...options } = {}) {
    const end = Date.now() + timeout
    for (;;) {
      try {
        const left = Math.max(1, end - Date.now())
        return await waitFor.call(this, { ...options, timeout: Math.min(SHORT_WAIT, left) })
      } catch (error) {
        if ((error as Error).name !== 'TimeoutError') throw error
        if (Date.now() >= end) throw new Error(`waited for ${timeout} ms`, { cause: error })
      }
    }
  }
}

/** Opens an empty page, and closes it at the end of the test. */
export async function visit(t: Test, look: Look = {}): Promise<Visit> {
  const { width = 1280, height = 800, dark = false, draws = false, greets = false } = look
  const context = await (shared ??= startBrowser())
  const page = await context.newPage()
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
  page.setDefaultTimeout(TIMEOUT)
  lookOften(page)
  if (!draws) await page.addInitScript(NO_PICTURES)
  if (!greets) await page.addInitScript(CLOSED)
  const [requests, errors]: [string[], string[]] = [[], []]
  t.teardown(async () => {
    if (page.isClosed()) return
    if (!t.passing()) {
      const texts = page.locator('[role=alert], [role=status]').allInnerTexts()
      const shown = await texts.catch((error: Error) => [error.message])
      console.error(page.url(), ...shown, ...errors)
    }
    // Another server may have the same port later.
    const { origin } = new URL(page.url())
    const session = await context.newCDPSession(page)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' })
    await page.close()
  })
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => {
    if (!message.text().includes(SOFTWARE_GL_MESSAGE)) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  return { page, requests, errors }
}
