import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'

import { buildApp } from '../src/server/app.js'
import { bundleUi } from './bundle-ui.js'
import { CHROMIUM } from './chromium.js'

/**
 * Makes the screenshots of `docs/images`, which README.md and docs/page.md show, and below it those of every
 * view in both themes and three widths; with names of views, only those. It needs Chromium.
 */

interface Screenshot {
  readonly name: string
  readonly address: string
  readonly dark?: boolean
  /** The actions before the picture is taken. */
  readonly prepare?: (page: Page, api: string) => Promise<void>
}

const CREDENTIALS = {
  'X-Account-Id': 'oEb32zJWy27miFESb',
  'X-Auth-Token': 'demo-preferences-token',
}

const SCREENSHOTS: readonly Screenshot[] = [
  {
    name: 'structure',
    address: '/?item=9qrwAjWJdkT4eKSQ4',
    prepare: (page) => page.locator('.viewer-canvas').waitFor(),
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
    name: 'switches',
    address: '/?view=switches',
    prepare: async (page) => {
      await page.getByRole('switch', { name: 'Rate limit' }).click()
      await page.locator('.fault-line').waitFor()
      await page.mouse.move(0, 400)
    },
  },
]

const WAIT_FOR_ROWS = (page: Page): Promise<void> => page.locator('tbody tr').first().waitFor()

/** Every view. */
const VIEWS: readonly Screenshot[] = [
  { name: 'list', address: '/', prepare: WAIT_FOR_ROWS },
  ...SCREENSHOTS,
  {
    name: 'new',
    address: '/',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'New' }).click()
      await page.getByRole('dialog').getByRole('textbox').press('ArrowUp')
    },
  },
  {
    name: 'job',
    address: '/?resource=jobs&item=9gyhfncWDhnSyzALv',
    prepare: (page) => page.getByRole('link', { name: 'total_energy' }).first().waitFor(),
  },
  {
    name: 'property',
    address: '/?resource=properties&item=tSA5pu3uGae2ecRXW',
    prepare: (page) => page.locator('.item-pane [role=tabpanel]').waitFor(),
  },
  {
    name: 'palette',
    address: '/',
    prepare: async (page) => {
      await WAIT_FOR_ROWS(page)
      await page.keyboard.press('Control+k')
      await page.keyboard.type('mat')
      await page.locator('.palette li').first().waitFor()
    },
  },
  {
    name: 'explorer',
    address: '/explorer',
    prepare: async (page) => {
      await page.locator('#operations-tag-materials').click()
      await page.evaluate('scrollTo(0, 0)')
    },
  },
]

/** The widths and heights in px, and the scale of the picture. */
const SIZES = [
  [390, 844, 1],
  [1024, 768, 0.8],
  [1600, 900, 0.6],
] as const

/** The quality of WebP, in percent, and for those of all views, which are scaled down too. */
const QUALITY = 50
const VIEWS_QUALITY = 25

/** The time until what is drawn later is there, such as a structure, in ms. */
const SETTLE_TIME = 800

const names = process.argv.slice(2)
const isWanted = ({ name }: Screenshot): boolean => names.length === 0 || names.includes(name)

const folder = fileURLToPath(new URL('../docs/images', import.meta.url))
mkdirSync(`${folder}/views`, { recursive: true })
await bundleUi()
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader'],
})
for (const each of SCREENSHOTS.filter(isWanted))
  await take(each, { width: 1280, height: 760, scale: 1 }, each.name, QUALITY)
for (const [width, height, scale] of SIZES) {
  for (const dark of [false, true]) {
    for (const each of VIEWS.filter(isWanted)) {
      const file = `views/${each.name}-${width}-${dark ? 'dark' : 'light'}`
      await take({ ...each, dark }, { width, height, scale }, file, VIEWS_QUALITY)
    }
  }
}
await browser.close()

/** Takes a screenshot of a server of its own. */
async function take(
  { address, dark = false, prepare }: Screenshot,
  { width, height, scale }: { width: number; height: number; scale: number },
  file: string,
  quality: number,
): Promise<void> {
  const app = await buildApp({ logLevel: 'silent' })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(origin + address)
  await prepare?.(page, `${origin}/api/2018-10-01`)
  await page.waitForTimeout(SETTLE_TIME)
  const session = await context.newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality,
    clip: { x: 0, y: 0, width, height, scale },
  })
  writeFileSync(`${folder}/${file}.webp`, Buffer.from(data, 'base64'))
  await context.close()
  await app.close()
}
