import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'

import { buildApp } from '../src/server/app.js'
import { bundleUi } from './bundle-ui.js'

/** Makes the screenshots of `docs/images`, which README.md and docs/page.md show. It needs Chromium. */

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

const folder = fileURLToPath(new URL('../docs/images', import.meta.url))
mkdirSync(folder, { recursive: true })
await bundleUi()
const app = await buildApp({ logLevel: 'silent' })
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader'],
})
for (const { name, address, dark = false, prepare } of SCREENSHOTS) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 760 },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(origin + address)
  await prepare?.(page, `${origin}/api/2018-10-01`)
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined)
  await page.screenshot({ path: `${folder}/${name}.png` })
  await context.close()
}
await browser.close()
await app.close()
