import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'

import { site } from '../src/cli/site.js'
import { buildApp } from '../src/server/app.js'
import { bundleSite } from './bundle-browser.js'
import { bundleUi } from './bundle-ui.js'
import { CHROMIUM } from './chromium.js'

/**
 * Measures the page in Chromium: the bytes and times of a first and a later visit of the page and of the
 * explorer, a thousand requests a second into the live list, and the script time of a frame with 2,000
 * atoms. Software draws WebGL here, so frames a second say nothing about a graphics card.
 */

const SECONDS = 10
const REQUESTS_A_SECOND = 1000
const ATOMS = 2000
const FRAMES = 60

const isAtom = (_: unknown, index: number): boolean => index < ATOMS

const SIDE = Math.ceil(Math.cbrt(ATOMS))
const PLACES = Array.from({ length: SIDE ** 3 }, (_, index) =>
  [index, index / SIDE, index / SIDE ** 2].map((each) => ((Math.floor(each) % SIDE) + 0.5) / SIDE),
).filter(isAtom)

const MATERIAL = {
  _id: 'large',
  name: `${ATOMS} atoms`,
  formula: 'Si',
  lattice: { type: 'CUB', a: 30, b: 30, c: 30, alpha: 90, beta: 90, gamma: 90 },
  basis: {
    units: 'crystal',
    elements: PLACES.map((_, id) => ({ id, value: 'Si' })),
    coordinates: PLACES.map((value, id) => ({ id, value })),
  },
}

await bundleUi()
const app = await buildApp({
  logLevel: 'silent',
  fixtures: { materials: [MATERIAL] },
  journal: 2 * SECONDS * REQUESTS_A_SECOND,
})
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: [
    '--no-sandbox',
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
  ],
})
await measureVisits()
await measureSite()
const opened = await browser.newPage({ viewport: { width: 1280, height: 800 } })
await measureRequests(opened)
await measureFrames(opened)
await browser.close()
await app.close()

/** Visits the page and the explorer of a server with the shipped fixtures, twice each. */
async function measureVisits(): Promise<void> {
  const shipped = await buildApp({ logLevel: 'silent' })
  const address = await shipped.listen({ host: '127.0.0.1', port: 0 })
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  for (const visit of ['first', 'later']) {
    console.log(`${visit} visit:`)
    await measureVisit('the page', async (page, mark) => {
      await page.goto(address)
      await page.locator('table.items tbody tr').first().waitFor()
      mark('first rows')
      await page.locator('table.items tbody a').first().click()
      await page.locator('.viewer-canvas').waitFor()
      mark('first structure')
    })
    await measureVisit('the explorer', async (page, mark) => {
      await page.goto(`${address}/explorer`)
      await page.locator('#operations-tag-materials').click()
      await page.locator('#operations-materials-materials-list').waitFor()
      mark('first operation')
    })
  }
  await context.close()
  await shipped.close()

  async function measureVisit(
    name: string,
    act: (page: Page, mark: (what: string) => void) => Promise<void>,
  ): Promise<void> {
    const page = await context.newPage()
    const network = await context.newCDPSession(page)
    await network.send('Network.enable')
    let bytes = 0
    network.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
    const start = performance.now()
    await act(page, (what) =>
      console.log(
        `  ${name}: ${what} after ${Math.round(performance.now() - start)} ms and ${toKilobytes(bytes)} kB`,
      ),
    )
    await page.close()
  }
}

/** Visits a static site with the shipped fixtures, twice, and tells the sizes of what runs in a browser. */
async function measureSite(): Promise<void> {
  await bundleSite()
  const folder = await mkdtemp(join(tmpdir(), 'materials-mock-site-'))
  await site.run({ out: folder })
  const server = createServer(({ url = '/' }, response) => {
    const file = join(folder, url === '/' ? 'index.html' : (url.split('?')[0] ?? ''))
    if (!existsSync(file)) return response.writeHead(404).end()
    const type = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }[
      extname(file)
    ]
    return response.writeHead(200, { 'content-type': type ?? 'text/plain' }).end(readFileSync(file))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  for (const visit of ['first', 'later']) {
    const page = await context.newPage()
    const start = performance.now()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.locator('table.items tbody tr').first().waitFor()
    console.log(
      `${visit} visit of a static site: first rows after ${Math.round(performance.now() - start)} ms`,
    )
    await page.close()
  }
  await context.close()
  server.close()
  for (const file of await readdir(folder)) {
    if (!/\.(js|json|wasm)$/.test(file)) continue
    const content = readFileSync(join(folder, file))
    console.log(
      `  ${file}: ${toKilobytes(content.length)} kB, ${toKilobytes(gzipSync(content).length)} gzipped`,
    )
  }
  await rm(folder, { recursive: true })
}

function toKilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}

/** Sends requests at a steady rate, and compares what the page heard with the journal. */
async function measureRequests(page: Page): Promise<void> {
  await page.goto(`${origin}/?view=requests`)
  await page.locator('.live.on').waitFor()
  await page.evaluate(`
    window.drawings = 0
    window.longest = 0
    window.heard = []
    new MutationObserver(() => drawings++).observe(document.querySelector('.table-scroll'), { childList: true, subtree: true })
    new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longest = Math.max(longest, duration) }).observe({ type: 'longtask' })
    new EventSource('/__admin/events').addEventListener('response', ({ data }) => heard.push(JSON.parse(data)._id))
  `)
  await sleep(500)
  const start = performance.now()
  const total = SECONDS * REQUESTS_A_SECOND
  for (let sent = 0; sent < total; sent += 10) {
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        app.inject(`/api/2018-10-01/materials/x${sent + index}`),
      ),
    )
    await sleep(Math.max(0, start + ((sent + 10) / REQUESTS_A_SECOND) * 1000 - performance.now()))
  }
  const seconds = (performance.now() - start) / 1000
  await page
    .locator('tbody tr')
    .first()
    .filter({ hasText: `x${total - 1}` })
    .waitFor()
  await sleep(500)
  const [drawings, longest, heard, distinct] = (await page.evaluate(
    '[drawings, longest, heard.length, new Set(heard).size]',
  )) as number[]
  console.log(
    `${total} requests in ${seconds.toFixed(1)} s (${Math.round(total / seconds)} a second): ` +
      `${heard} heard of, ${distinct} different, ${app.controls.journal.size} in the journal; ` +
      `${(Number(drawings) / seconds).toFixed(1)} drawings a second, the longest task ${longest} ms`,
  )
}

/** Turns a large structure, a frame at a time. */
async function measureFrames(page: Page): Promise<void> {
  await page.goto(`${origin}/?item=large`)
  await page.getByText(`${ATOMS} atoms, `).first().waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const readScript = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0)
  }
  const turn = (frames: number): Promise<unknown> =>
    page.evaluate(`(async () => {
      const canvas = document.querySelector('.viewer-canvas')
      for (let frame = 0; frame < ${frames}; frame++) {
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }))
        await new Promise(requestAnimationFrame)
      }
    })()`)
  await turn(5)
  const [before, start] = [await readScript(), performance.now()]
  await turn(FRAMES)
  const [script, wall] = [(await readScript()) - before, performance.now() - start]
  console.log(
    `${ATOMS} atoms: ${(script / FRAMES).toFixed(2)} ms of script a frame, of 16.7 ms at 60 frames a second; ` +
      `${(wall / FRAMES).toFixed(0)} ms a frame in all, drawn by software`,
  )
}
