import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'

import { buildApp } from '../src/server/app.js'
import { animateWebp } from './animate-webp.js'
import { bundleUi } from './bundle-ui.js'
import { CHROMIUM } from './chromium.js'

/**
 * Makes the screenshots of `docs/images`, which README.md and docs/page.md show; with names of views, only those.
 * It needs Chromium.
 */

interface Screenshot {
  readonly name: string
  readonly address: string
  readonly dark?: boolean
  /** A scenario of the shipped fixtures. */
  readonly scenario?: string
  /** The actions before the picture is taken. */
  readonly prepare?: (page: Page, api: string) => Promise<void>
  /** The name of the only image of the page that is shown. */
  readonly part?: RegExp
  /** The places of the slider of a job, in parts of its way, of a picture that moves. */
  readonly places?: readonly number[]
}

const CREDENTIALS = {
  'X-Account-Id': 'oEb32zJWy27miFESb',
  'X-Auth-Token': 'demo-preferences-token',
}

const BANDS = /^band structure/

/** A job of the shipped fixtures that is not submitted. */
const NEW_JOB = 'WcTtK8e6rPQPWSEm9'

/** The time of one still of a picture that moves, in ms. */
const STILL_TIME = 700

/** Sends JSON, and returns the `_id` of the item in the response. */
async function send(method: string, url: string, body = {}): Promise<string> {
  const headers = { ...CREDENTIALS, 'content-type': 'application/json' }
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
  return ((await response.json()) as { data: { _id: string } }).data._id
}

/** The picture of the bands that a job computes of a material of the shipped fixtures. */
const bandsOf = (name: string, materialId: string): Screenshot => ({
  name: `bands-${name}`,
  address: '/?resource=jobs',
  part: BANDS,
  prepare: async (page, api) => {
    const job = { _material: { _id: materialId }, workflow: { _id: 'fJvR96eP6jqBHBFoo' } }
    const id = await send('PUT', `${api}/jobs/create`, job)
    await send('POST', `${api}/jobs/${id}/submit`)
    await send('POST', new URL('/__admin/clock', api).href, { advance: 3_600_000 })
    await page.goto(`/?resource=jobs&item=${id}`)
  },
})

const SCREENSHOTS: readonly Screenshot[] = [
  bandsOf('silicon', 'TpjPTBupQjav8TqH8'),
  bandsOf('graphene', 'jModeBFCBayFagRLm'),
  bandsOf('aluminium', 'Sn3d5kpCPF5tAYZH2'),
  bandsOf('sodium-chloride', '4kK6QyhLzpHMRAjqh'),
  {
    name: 'structure',
    address: '/?item=9qrwAjWJdkT4eKSQ4',
    prepare: (page) => page.locator('.viewer-canvas').waitFor(),
  },
  {
    name: 'demo',
    address: '/?resource=jobs&item=9gyhfncWDhnSyzALv',
    scenario: 'demo',
    prepare: (page) => page.getByRole('img', { name: BANDS }).waitFor(),
  },
  {
    name: 'slider',
    address: `/?resource=jobs&item=${NEW_JOB}`,
    prepare: async (page, api) => {
      await send('POST', `${api}/jobs/${NEW_JOB}/submit`)
      await page.reload()
      await page.getByRole('slider').waitFor()
    },
    places: [0.04, 0.12, 0.2, 0.28, 0.36, 0.44, 0.5, 0.56, 0.64, 0.72, 0.8, 0.88, 0.96, 0.96],
  },
  {
    name: 'query',
    address: `/?panel=query&query=${encodeURIComponent('{"lattice.type": "FCC", "basis.elements.value": "Si"}')}`,
    dark: true,
    prepare: (page) => page.locator('tbody tr').first().waitFor(),
  },
  {
    name: 'requests',
    address: '/?view=requests',
    prepare: async (page, api) => {
      await page.locator('.live.on').waitFor()
      for (const formula of ['Si', 'GaAs', 'SiO2']) {
        const query = encodeURIComponent(JSON.stringify({ formula }))
        await fetch(`${api}/materials?query=${query}`, { headers: CREDENTIALS })
      }
      await fetch(`${api}/materials/nothing`, { headers: CREDENTIALS })
      await page.locator('tbody a').nth(1).click()
      await page.locator('.item-pane pre').first().waitFor()
    },
  },
  {
    name: 'controls',
    address: '/?view=controls',
    prepare: async (page) => {
      await page.getByRole('switch', { name: 'Rate limit' }).click()
      await page.locator('.fault-line').waitFor()
      await page.mouse.move(0, 400)
    },
  },
]

/** The size of the page in px. */
const SIZE = { width: 1280, height: 760 }

/** The quality of WebP, in percent. */
const QUALITY = 50

/** The time until what is drawn later is there, such as a structure, in ms. */
const SETTLE_TIME = 800

const names = process.argv.slice(2)
const isWanted = ({ name }: Screenshot): boolean => names.length === 0 || names.includes(name)

const folder = fileURLToPath(new URL('../docs/images', import.meta.url))
await bundleUi()
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader'],
})
for (const each of SCREENSHOTS.filter(isWanted)) await take(each)
await browser.close()

/** Takes a screenshot of a server of its own. */
async function take({
  name,
  address,
  dark = false,
  scenario,
  prepare,
  part,
  places,
}: Screenshot): Promise<void> {
  const app = await buildApp({ logLevel: 'silent', jobDuration: 30_000 })
  if (scenario !== undefined) app.scenarios.apply(scenario, app.sandboxes.main)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const context = await browser.newContext({
    baseURL: origin,
    viewport: SIZE,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(origin + address)
  await prepare?.(page, `${origin}/api/2018-10-01`)
  await page.waitForTimeout(SETTLE_TIME)
  const image = part && page.getByRole('img', { name: part })
  await image?.evaluate((plot) => plot.scrollIntoView({ block: 'center' }))
  const box = await image?.boundingBox()
  const session = await context.newCDPSession(page)
  const capture = async (): Promise<Buffer> => {
    const { data } = await session.send('Page.captureScreenshot', {
      format: 'webp',
      quality: QUALITY,
      ...(box && { clip: { ...box, scale: 1 } }),
    })
    return Buffer.from(data, 'base64')
  }
  const picture = places
    ? animateWebp(await move(page, places, capture), SIZE, STILL_TIME)
    : await capture()
  writeFileSync(`${folder}/${name}.webp`, picture)
  await context.close()
  await app.close()
}

/** Moves the slider of a job to each place, and captures what the page shows then. */
async function move(
  page: Page,
  places: readonly number[],
  capture: () => Promise<Buffer>,
): Promise<Buffer[]> {
  const slider = page.getByRole('slider')
  const read = async (name: string): Promise<number> => Number(await slider.getAttribute(name))
  const [from, to, step] = [await read('min'), await read('max'), await read('step')]
  const stills = []
  for (const place of places) {
    // A browser takes only whole steps.
    const steps = Math.floor((place * (to - from)) / step)
    await slider.fill(String(from + steps * step))
    await page.waitForTimeout(SETTLE_TIME)
    stills.push(await capture())
  }
  return stills
}
